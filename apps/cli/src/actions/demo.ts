import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Decision } from '@wrongstack/contracts';
import { ScriptedProvider } from '@wrongstack/providers';
import { boot } from '../app/boot.js';
import { bootRequest, type SessionOptions } from '../app/boot-request.js';
import type { Host } from '../app/host.js';
import { onInterrupt } from '../app/on-interrupt.js';
import { questionTerminal } from '../app/question-terminal.js';
import { layOutDemo } from '../demo/demo-project.js';
import { DEMO_PROMPT, DEMO_SCRIPT } from '../demo/demo-script.js';
import { plainStage, type Stage } from '../demo/plain-stage.js';
import { InteractiveSession } from '../interactive/interactive-session.js';
import { readEnvironment } from '../environment.js';
import { capsOf, createOutput } from '../output.js';
import { line, span } from '../terminal/lines.js';
import { explainLines } from '../terminal/report-lines.js';
import { summaryLines } from '../terminal/summary-lines.js';

export interface DemoOptions extends SessionOptions {
  readonly keep?: boolean;
  readonly yes?: boolean;
}

/**
 * A scripted model works on a small real project. Only its words are recorded: tools, decisions, prompts and results are
 * those of any session. Everything happens in a scratch folder, with a home of its own.
 */
export async function demo(_args: readonly string[], options: DemoOptions): Promise<number> {
  const folder = await realpath(await mkdtemp(path.join(tmpdir(), 'wstack-demo-')));
  try {
    const { project, agentHome } = layOutDemo(folder);
    const environment = { ...readEnvironment(), agentHome };
    const request = bootRequest({ ...options, cwd: project }, true, environment);
    const host = await boot({
      ...request,
      extensions: 'none',
      projectRoot: project,
      provider: new ScriptedProvider(DEMO_SCRIPT),
    });
    try {
      return await play(host, options);
    } finally {
      await host.close();
    }
  } finally {
    if (options.keep === true) process.stderr.write(`the project is in ${folder}\n`);
    else await rm(folder, { recursive: true, force: true });
  }
}

async function play(host: Host, options: DemoOptions): Promise<number> {
  const decisions: Decision[] = [];
  host.kernel.events.on('tool.decided', ({ decision }) => decisions.push(decision));
  const session = await InteractiveSession.start(host, undefined);
  const stage = stageFor(host, session, options);
  const stopSignals = onInterrupt(() => session.interrupt());
  try {
    stage.print([line(span(`> ${DEMO_PROMPT}`, 'strong')), line()]);
    const result = await session.run(DEMO_PROMPT);
    stage.print([line(), ...summaryLines(result, stage.look(), false), line()]);
    stage.print([line(span('Why each call was decided as it was:', 'strong'))]);
    for (const decision of worthExplaining(decisions)) {
      stage.print([line(), ...explainLines(decision, [], stage.look())]);
    }
    // The denial is what the demonstration is about; it is no failure here.
    return result.status === 'completed' ? 0 : result.exitCode;
  } finally {
    stopSignals();
    stage.close();
    await session.close();
  }
}

function stageFor(host: Host, session: InteractiveSession, options: DemoOptions): Stage {
  const onTerminal = process.stdin.isTTY && process.stdout.isTTY && options.yes !== true;
  if (!onTerminal) {
    const { caps } = createOutput(options, host.request.environment);
    return plainStage(host, caps);
  }
  const caps = capsOf(process.stdout, options, host.request.environment);
  const { terminal } = questionTerminal(host, caps, () => session.interrupt());
  return {
    look: () => terminal.look(),
    print: (lines) => terminal.print(lines),
    close: () => terminal.close(),
  };
}

/** One of each kind: allowed by a rule, asked about, denied. */
function worthExplaining(decisions: readonly Decision[]): readonly Decision[] {
  const kinds = ['allow', 'confirm', 'deny'] as const;
  return kinds.flatMap((verdict) => {
    const matching = decisions.filter((decision) => decision.verdict === verdict);
    const ruled = matching.find(({ by }) => by.kind === 'rule');
    return [ruled ?? matching.at(-1)].filter((decision) => decision !== undefined);
  });
}
