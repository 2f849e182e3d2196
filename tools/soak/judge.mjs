// Whether a task kept what was promised, by what is on disk and what the API says of it. Returns what is wrong, one line each.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';

const FINAL = ['completed', 'failed', 'killed', 'lost'];

export function linesOf(stack, folder, name) {
  const file = path.join(stack.project, folder, name);
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n').filter(Boolean) : [];
}

export async function judge(stack, { id, name, lines, seen, refused }, states) {
  const runs = linesOf(stack, 'runs', name);
  const begun = runs.filter((line) => line === 'begin').length;
  if (id === null) return begun === 0 || refused.unsure ? [] : [`${name} was refused and ran all the same`];
  const wrong = [];
  const say = (text) => wrong.push(`${name} ${id}: ${text}`);
  const task = await stack.request('GET', `/v1/tasks/${id}`);
  const passed = (task.transitions ?? []).map(({ state }) => state);
  const ends = passed.filter((state) => FINAL.includes(state));
  if (ends.length !== 1 || passed.at(-1) !== ends[0] || task.state !== ends[0])
    say(`went ${passed.join(' > ')}`);
  if (!states.includes(task.state)) say(`is ${task.state}: ${task.exit?.reason ?? ''}`);
  if (new Set(passed).size !== passed.length) say(`was in a state twice: ${passed.join(' > ')}`);
  if (begun > 1) say(`ran ${begun} times`);
  if (task.state === 'completed' && runs.join() !== 'begin,end') say(`is completed and did ${runs.join()}`);

  const output = await wholeOutput(stack, id);
  const expected = Array.from({ length: lines }, (_, index) => `line ${index + 1}\n`).join('');
  if (!expected.startsWith(output.text))
    say(`its output is torn: ${JSON.stringify(output.text.slice(0, 300))}`);
  const told = output.text.split('\n').length - 1;
  if (told < seen) say(`${seen} lines were there before the fault and ${told} are there`);
  if (task.state === 'completed' && told !== lines) say(`is completed with ${told} of ${lines} lines`);
  if (!output.done || output.lost > 0) say(`its output does not end, or misses ${output.lost} bytes`);
  return wrong;
}

/** In small steps, as somebody reads who follows it. */
async function wholeOutput(stack, id) {
  let text = '';
  let lost = 0;
  for (let cursor = 0; ;) {
    const step = await stack.request('GET', `/v1/tasks/${id}/output?cursor=${cursor}`);
    text += step.text ?? '';
    lost += step.lost ?? 0;
    if (step.done || step.next === undefined || step.next === cursor)
      return { text, lost, done: step.done === true };
    cursor = step.next;
  }
}
