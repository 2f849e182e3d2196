import { line, span, type Line } from './lines.js';

/** What `?` on an empty prompt shows. */
export const KEYS: readonly (readonly [key: string, meaning: string])[] = [
  ['Enter', 'send'],
  ['Ctrl-J, Alt-Enter, \\ at the end', 'new line'],
  ['Esc', 'close, decline, interrupt'],
  ['Ctrl-C', 'interrupt; twice while idle quits'],
  ['Ctrl-D', 'quit when the prompt is empty'],
  ['Ctrl-O', 'show the last folded output whole'],
  ['Ctrl-B', 'move the running call to the background'],
  ['Ctrl-G', 'write in your editor'],
  ['Ctrl-R', 'search earlier messages'],
  ['Shift-Tab', 'default or plan mode (YOLO only by /yolo)'],
  ['Tab', 'complete'],
  ['?', 'these keys, when the prompt is empty'],
  ['@ /', 'name a file, run a command'],
];

export function keyLines(): Line[] {
  return KEYS.map(([key, meaning]) => line('  ', span(key.padEnd(34), 'strong'), meaning));
}
