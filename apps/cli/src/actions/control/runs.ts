import { randomUUID } from 'node:crypto';
import type { RunSummary, RunView } from '@wrongstack/contracts/wire';
import type { CommonOptions } from '../../commands/common-options.js';
import { EXIT, exitCodeOf, type ExitCode } from '../../exit-codes.js';
import type { Output } from '../../output.js';
import { usageError } from '../../report-error.js';
import { jsonLine } from '../../terminal/headless/json-line.js';
import { type ControlScene, withCentre } from './open.js';
import { runEventLines } from './run-event-lines.js';

export interface StartOptions extends CommonOptions {
  readonly workspace: string;
  readonly model?: string;
  readonly maxIterations?: number;
  readonly maxToolCalls?: number;
  readonly maxTokens?: number;
  readonly maxCost?: number;
  readonly maxSeconds?: number;
  readonly tolerateDenials?: boolean;
  readonly key?: string;
  readonly follow?: boolean;
}

export function runsStart([prompt = '']: readonly string[], options: StartOptions): Promise<number> {
  return withCentre(options, async (scene) => {
    const { centre, output, signal } = scene;
    if (prompt.trim() === '') throw usageError('the prompt is empty', 'wstack runs start "what to do"');
    const { workspace, model, tolerateDenials } = options;
    const { maxIterations, maxToolCalls, maxTokens, maxCost, maxSeconds } = options;
    const request = {
      ...{ workspace, prompt },
      ...(model !== undefined && { model }),
      ...(tolerateDenials === true && { tolerateDenials }),
      limits: {
        iterations: maxIterations ?? null,
        toolCalls: maxToolCalls ?? null,
        tokens: maxTokens ?? null,
        costUsd: maxCost ?? null,
        seconds: maxSeconds ?? null,
      },
    };
    const run = await centre.client.startRun(request, options.key ?? randomUUID(), signal);
    if (options.follow === true) return follow(scene, run.id);
    if (output.json) output.writeJson(run);
    else output.say(`${summaryOf(run)}\nwstack runs follow ${run.id}`);
    return EXIT.done;
  });
}

export interface RunListOptions extends CommonOptions {
  readonly state?: string;
  readonly all?: boolean;
}

export function runsList(_args: readonly string[], options: RunListOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const { state, all } = options;
    const query = { mine: all !== true, ...(state !== undefined && { state }) };
    const runs = await centre.client.runs(query, signal);
    if (output.json) output.writeJson(runs);
    else if (runs.length === 0) output.say(state === undefined ? 'no runs' : `no runs that are ${state}`);
    else for (const run of runs) output.say(summaryOf(run));
    return EXIT.done;
  });
}

export function runsShow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const run = await centre.client.run(id, signal);
    if (output.json) output.writeJson(run);
    else showRun(run, output);
    return EXIT.done;
  });
}

export function runsFollow([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withCentre(options, (scene) => follow(scene, id));
}

export function runsCancel([id = '']: readonly string[], options: CommonOptions): Promise<number> {
  return withCentre(options, async ({ centre, output, signal }) => {
    const run = await centre.client.cancelRun(id, signal);
    if (output.json) output.writeJson(run);
    else output.say(summaryOf(run));
    return EXIT.done;
  });
}

type Scene = Parameters<Parameters<typeof withCentre>[1]>[0] & ControlScene;

/** Its own end decides about the exit code, as that of a local run does. */
async function follow({ centre, output, signal }: Scene, id: string): Promise<number> {
  for await (const { name, id: number, data } of centre.client.runEvents(id, signal)) {
    if (output.json) process.stdout.write(jsonLine({ type: name, id: number, data }));
    else for (const line of runEventLines(name, data)) output.say(line);
  }
  const run = await centre.client.run(id, signal);
  if (!output.json) showRun(run, output);
  return exitOf(run);
}

function exitOf({ result }: RunView): ExitCode {
  if (result === null || result.status === 'lost') return EXIT.failed;
  return exitCodeOf(result.status);
}

function summaryOf({ id, state, requester, workspace, createdAt, prompt, waitsFor }: RunSummary): string {
  const waits = waitsFor.length === 0 ? '' : ` · waits for ${waitsFor.join(', ')}`;
  return `${id} · ${state}${waits} · ${requester.name} · ${workspace} · ${createdAt} · ${oneLine(prompt)}`;
}

function oneLine(text: string): string {
  const line = text.split('\n', 1)[0] ?? '';
  return line.length <= 80 ? line : `${line.slice(0, 79)}…`;
}

function showRun(run: RunView, output: Output): void {
  output.say(summaryOf(run));
  const { turns, toolCalls, tokens, costUsd, seconds } = run.used;
  const cost = costUsd === null ? '' : ` · $${costUsd.toFixed(4)}`;
  output.say(`used     ${turns} turns · ${toolCalls} calls · ${tokens} tokens${cost} · ${seconds} s`);
  if (run.session !== null) output.say(`session  ${run.session} · attempt ${run.attempt}`);
  const { result } = run;
  if (result === null) return;
  for (const { path, added, removed } of result.files) output.say(`file     ${path} +${added} -${removed}`);
  for (const denial of result.denials) output.say(`denied   ${JSON.stringify(denial)}`);
  if (result.error !== null) output.say(`${result.status}   ${result.error.code}: ${result.error.message}`);
  if (result.error !== null && result.error.hint !== null) output.say(`next     ${result.error.hint}`);
  if (result.text !== '') output.say(`\n${result.text}`);
}
