import type { CallOutcome } from '@wrongstack/kernel';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import { boot } from '../app/boot.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { questionTerminal } from '../app/question-terminal.js';
import { startupNotices } from '../app/startup-notices.js';
import { singleCall } from '../app/single-call.js';
import { EXIT } from '../exit-codes.js';
import { capsOf, createOutput } from '../output.js';
import { escapeForPipe, escapeText } from '../terminal/escape-text.js';
import { readJsonInput } from './read-json-input.js';
import { stayWithTask } from './stay-with-task.js';
import { findTool } from './tool-show.js';

/** Run one tool, decided like any other call. It may ask on a terminal; elsewhere what would ask is denied. */
export async function toolCall(
  [name = '', argument = '{}']: readonly string[],
  options: SessionOptions,
): Promise<number> {
  const input = await readJsonInput(argument);
  const interactive = process.stdin.isTTY && process.stdout.isTTY && options.json !== true;
  const request = bootRequest(options, interactive);
  const output = createOutput(options, request.environment);
  const host = await boot(request);
  const controller = new AbortController();
  const stop = onInterrupt(() => controller.abort(new DOMException('interrupted', 'AbortError')));
  // One call needs no editor: questions are answered by a word and Enter.
  const caps = { ...capsOf(process.stdout, options, request.environment), plain: true };
  const terminal = interactive ? questionTerminal(host, caps, () => controller.abort()) : null;
  try {
    // A server's tool is not there before its server is.
    if (name.startsWith('mcp__') && host.kernel.tools.get(name) === undefined)
      await host.extensions.settled(controller.signal);
    findTool(host, name);
    for (const notice of await startupNotices(host)) output.note(`! ${escapeText(notice)}`);
    const outcome = await singleCall(host, name, input, controller.signal);
    if (outcome.task !== null) return await stayWithTask(host, outcome.task, output, controller.signal);
    if (output.json) output.writeJson(jsonOf(outcome));
    else if (terminal === null) process.stdout.write(`${escapeForPipe(textOf(outcome))}\n`);
    else terminal.terminal.printText(textOf(outcome));
    return exitCodeOf(outcome);
  } finally {
    terminal?.close();
    stop();
    await host.close();
  }
}

function jsonOf(outcome: CallOutcome): Record<string, unknown> {
  const { call, name, status, result, decision, truncated, spill, files, approval } = outcome;
  return {
    call,
    tool: name,
    status,
    isError: result.isError,
    output: result.content,
    truncated,
    spill,
    files,
    approval,
    decision:
      decision === null
        ? null
        : { id: decision.id, verdict: decision.verdict, by: decision.by, because: decision.because },
  };
}

function textOf({ result }: CallOutcome): string {
  return result.content
    .map((block) => (block.type === 'text' ? block.text : `[${block.mediaType} image]`))
    .join('\n')
    .replace(/\n$/, '');
}

function exitCodeOf({ status, result, decision }: CallOutcome): number {
  switch (status) {
    case 'ok':
      return result.isError ? EXIT.failed : EXIT.done;
    case 'failed':
      // An input that does not fit is refused before anything is decided.
      return decision === null ? EXIT.usage : EXIT.failed;
    case 'timeout':
      return EXIT.failed;
    case 'denied':
    case 'parked':
      return EXIT.stoppedByPolicy;
    case 'aborted':
      return EXIT.interrupted;
  }
}
