import { codeOf } from '@wrongstack/contracts';
import type { AgentResult } from '@wrongstack/kernel';
import { boot } from '../app/boot.js';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { newSession, type OpenSession, resumedSession } from '../app/open-session.js';
import { startupNotices } from '../app/startup-notices.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { readStdin } from '../read-stdin.js';
import { reportError, usageError } from '../report-error.js';
import { listenToEvents } from '../terminal/event-source.js';
import { RunCollector } from '../terminal/headless/run-collector.js';
import { line, span } from '../terminal/lines.js';
import type { RunResult } from '../terminal/run-result.js';
import { failedResult } from './failed-result.js';
import { createRunOutput, type OutputFormat } from './run-output.js';

export interface RunOptions extends SessionOptions {
  readonly output: OutputFormat;
  readonly resume?: string | true;
  readonly tolerateDenials?: boolean;
}

/** One prompt without a terminal. In both JSON modes stdout ends with exactly one result, failures included. */
export async function run([given]: readonly string[], options: RunOptions): Promise<number> {
  const prompt = await promptOf(given, options);
  let host: Host | undefined;
  try {
    host = await boot(bootRequest(options, false));
    return await runOnce(host, prompt, options);
  } catch (error) {
    if (codeOf(error).startsWith('usage.') || options.output === 'text') throw error;
    const output = createRunOutput(options, host);
    output.finish(failedResult(error));
    return reportError(error, options.debug === true);
  } finally {
    await host?.close();
  }
}

async function runOnce(host: Host, prompt: string | null, options: RunOptions): Promise<number> {
  const session =
    options.resume === undefined ? await newSession(host) : await resumedSession(host, options.resume);
  const output = createRunOutput(options, host, session);
  for (const notice of await startupNotices(host)) output.note([line(span(`! ${notice}`, 'asks'))]);
  const collector = new RunCollector();
  const stopListening = listenToEvents(host.kernel.events, (event) => {
    collector.handle(event);
    output.handle(event);
  });
  const stopInterrupts = onInterrupt(() => session.agent.abort());
  try {
    const ended = prompt === null ? await session.agent.resume() : await session.agent.run(prompt);
    // Nobody is left behind: what still runs ends here, and the result says so.
    await host.tasks.close();
    const result = collector.result({
      session: session.log.id,
      run: ended.run,
      model: ended.model,
      costUsd: ended.costUsd,
      policy: output.policy(),
      tolerateDenials: options.tolerateDenials === true,
      status: ended.status,
      durationMs: ended.durationMs,
      error: ended.error,
    });
    output.finish(withAnswer(result, ended));
    return result.exitCode;
  } finally {
    stopInterrupts();
    stopListening();
    await closeSession(session);
  }
}

/** The loop's own text has passed the assistantOutput pipeline; what was streamed has not. */
function withAnswer(result: RunResult, ended: AgentResult): RunResult {
  return ended.text === '' ? result : { ...result, text: ended.text };
}

async function closeSession({ log }: OpenSession): Promise<void> {
  await log.flush();
  await log.close();
}

/** Null = go on with a resumed session without saying anything. */
async function promptOf(given: string | undefined, options: RunOptions): Promise<string | null> {
  if (given !== undefined && given !== '-') return nonEmpty(given);
  if (given === '-' || !process.stdin.isTTY) {
    const piped = await readStdin();
    if (piped.trim() !== '') return piped;
  }
  if (options.resume !== undefined && given === undefined) return null;
  throw usageError('no prompt', 'wstack run "what to do", or pipe it in');
}

function nonEmpty(prompt: string): string {
  if (prompt.trim() === '') throw usageError('the prompt is empty', 'wstack run "what to do"');
  return prompt;
}
