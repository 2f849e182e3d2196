import { systemClock } from '@wrongstack/contracts';
import type { SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import type { OpenSession } from '../app/open-session.js';
import type { Environment } from '../environment.js';
import { capsOf } from '../output.js';
import { type CallViews, genericViews, viewsOf } from '../terminal/call-views.js';
import type { TerminalEvent } from '../terminal/event-source.js';
import { HeadlessText, JsonResult, type RunOutput, StreamJson } from '../terminal/headless/run-output.js';
import type { RunResult } from '../terminal/run-result.js';
import { systemScheduler } from '../terminal/scheduler.js';
import { createTheme, lookOf } from '../terminal/theme.js';
import { VERSION } from '../version.js';

export type OutputFormat = 'text' | 'json' | 'stream-json';

export interface PolicyAwareOutput extends RunOutput {
  /** The policy that decided last, for the result. */
  policy(): RunResult['policy'];
}

/** Before there is a host there may be no environment either: what went wrong may be just that. */
const NOWHERE: Pick<Environment, 'home' | 'all'> = { home: '', all: {} };

/** The output of one headless run, in the format that was asked for. */
export function createRunOutput(
  options: SessionOptions & { readonly output: OutputFormat },
  host?: Host,
  session?: OpenSession,
): PolicyAwareOutput {
  let policy: RunResult['policy'] = { id: null, revision: null, state: 'none' };
  const environment = host?.request.environment ?? NOWHERE;
  const inner = innerOutput(options, environment, host, session, () => policy);
  return {
    handle(event: TerminalEvent) {
      if (event.name === 'tool.decided') policy = event.payload.decision.policy;
      inner.handle(event);
    },
    note: (lines) => inner.note(lines),
    finish: (result) => inner.finish(result),
    policy: () => policy,
  };
}

function innerOutput(
  options: SessionOptions & { readonly output: OutputFormat },
  environment: Pick<Environment, 'home' | 'all'>,
  host: Host | undefined,
  session: OpenSession | undefined,
  policy: () => RunResult['policy'],
): RunOutput {
  const { stdout, stderr } = process;
  const caps = capsOf(stderr, options, environment, host?.config.current.ui);
  const theme = createTheme(caps);
  const shared = { stdout, stderr, theme, clock: host?.clock ?? systemClock };
  switch (options.output) {
    case 'text':
      return new HeadlessText({
        ...shared,
        scheduler: systemScheduler,
        look: () => lookOf(caps, theme, environment.home),
        views: viewsOfHost(host),
      });
    case 'json':
      return new JsonResult(shared);
    case 'stream-json':
      return new StreamJson({
        ...shared,
        start: { version: VERSION, cwd: host?.request.cwd ?? process.cwd(), policy: policy() },
        origin: () => ({ session: session?.log.id ?? '', run: '' }),
      });
  }
}

/** The tools' own presenters; generic cards where there are none. */
export function viewsOfHost(host: Host | undefined): CallViews {
  return host === undefined ? genericViews : viewsOf((name) => host.kernel.tools.get(name));
}
