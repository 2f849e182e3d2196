/** A key as the terminal reported it, or text that arrived in one read. */
export type InputEvent =
  | {
      readonly kind: 'key';
      readonly name: string;
      readonly ctrl: boolean;
      readonly meta: boolean;
      readonly shift: boolean;
    }
  | { readonly kind: 'char'; readonly text: string }
  /** A paste, or several characters of one read: typed ahead, sent by a program, or pasted. Never an answer. */
  | { readonly kind: 'text'; readonly text: string; readonly pasted: boolean };

export function isKey(event: InputEvent, name: string): boolean {
  return event.kind === 'key' && event.name === name && !event.ctrl && !event.meta;
}

export function isCtrl(event: InputEvent, name: string): boolean {
  return event.kind === 'key' && event.name === name && event.ctrl;
}
