import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdir, mkdtemp, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import {
  type ApprovalAnswer,
  ApprovalChannel,
  type ApprovalRequest,
  type PolicyTier,
} from '@wrongstack/contracts';
import type { CallOutcome } from '@wrongstack/kernel';
import { FixedPolicies, type PolicyDocument, type PolicyRule } from '@wrongstack/policy';
import { agentPaths } from '../app/agent-paths.js';
import { boot } from '../app/boot.js';
import type { Host } from '../app/host.js';
import { singleCall } from '../app/single-call.js';

export type RuleSketch = Pick<PolicyRule, 'effect' | 'when'> & { readonly actions?: readonly string[] };

/** The narrow allow that a person writes: this program may run, and nothing is said about files or hosts. */
export const allowCommand = (...argv: readonly string[]): RuleSketch => ({
  effect: 'allow',
  actions: ['shell.arbitrary', 'shell.restricted'],
  when: { command: { argv } },
});

/** Whoever is at the keyboard: remembers what was asked. */
class Person extends ApprovalChannel {
  readonly asked: ApprovalRequest[] = [];
  answer: ApprovalAnswer = { kind: 'no' };

  override async ask(request: ApprovalRequest): Promise<ApprovalAnswer> {
    this.asked.push(request);
    return this.answer;
  }
}

export interface HazardOptions {
  readonly rules?: readonly RuleSketch[];
  readonly tier?: PolicyTier;
  readonly yolo?: boolean;
  /** The policies on the disk of the scratch home instead of `rules`. */
  readonly local?: boolean;
}

/** The whole application in one process, on a scratch home, a scratch project and a folder beside it. */
export class HazardHost {
  readonly person = new Person();
  private readonly hosts: Host[] = [];

  private constructor(
    readonly root: string,
    readonly project: string,
    readonly outside: string,
    readonly home: string,
  ) {}

  static async create(): Promise<HazardHost> {
    const root = await realpath(await mkdtemp(path.join(tmpdir(), 'hazard-')));
    const [project, outside, home] = ['ws', 'out', 'home'].map((name) => path.join(root, name)) as [
      string,
      string,
      string,
    ];
    const host = new HazardHost(root, project, outside, home);
    for (const folder of [`${project}/.git`, `${project}/src`, `${outside}/d`, `${home}/.ssh`])
      await mkdir(folder, { recursive: true });
    await writeFile(`${project}/.git/HEAD`, 'ref: refs/heads/main\n');
    await writeFile(`${project}/README.md`, 'one\ntwo\n');
    await writeFile(`${project}/a.txt`, 'a\n');
    await writeFile(`${outside}/d/x`, 'kept\n');
    await writeFile(`${home}/.zshrc`, 'kept\n');
    await writeFile(`${home}/.ssh/id_rsa`, 'sentinel-of-a-private-key\n');
    await symlink(outside, `${project}/link`);
    return host;
  }

  async boot({ rules = [], tier = 'user', yolo = false, local = false }: HazardOptions = {}): Promise<Host> {
    const all = { PATH: process.env['PATH'], HOME: this.home, LANG: 'C.UTF-8' };
    const environment = {
      home: this.home,
      agentHome: path.join(this.home, '.wrongstack'),
      managedDir: path.join(this.root, 'etc'),
      variable: (name: string): string | undefined => (all as Record<string, string | undefined>)[name],
      all,
    };
    const host = await boot({
      environment,
      paths: agentPaths(environment),
      cwd: this.project,
      projectRoot: this.project,
      overrides: {},
      session: { mode: 'default', yolo, interactive: true },
      debug: false,
      ...(!local && { documents: new FixedPolicies(rules.length === 0 ? [] : [documentOf(rules, tier)]) }),
    });
    host.approvals.use(this.person);
    this.hosts.push(host);
    return host;
  }

  /** One call through the whole executor. Placeholders in `input` stand for the scratch folders. */
  async call(host: Host, tool: string, input: unknown, signal?: AbortSignal): Promise<CallOutcome> {
    return singleCall(host, tool, this.filled(input), signal ?? new AbortController().signal);
  }

  filled<T>(value: T): T {
    return JSON.parse(
      JSON.stringify(value)
        .replaceAll('{{WS}}', this.project)
        .replaceAll('{{OUT}}', this.outside)
        .replaceAll('{{HOME}}', this.home),
    ) as T;
  }

  /** Every file and link of the project, the folder beside it and the home, with what is in it; our own files apart. */
  snapshot(): Readonly<Record<string, string>> {
    const found: Record<string, string> = {};
    const walk = (folder: string): void => {
      for (const name of readdirSync(folder)) {
        const full = path.join(folder, name);
        if (full === path.join(this.home, '.wrongstack')) continue;
        const stat = lstatSync(full);
        if (stat.isSymbolicLink()) found[full] = `-> ${readlinkSync(full)}`;
        else if (stat.isDirectory()) {
          found[full] = 'folder';
          walk(full);
        } else found[full] = readFileSync(full, 'latin1');
      }
    };
    walk(this.root);
    return found;
  }

  async remove(): Promise<void> {
    for (const host of this.hosts) await host.close();
    await rm(this.root, { recursive: true, force: true });
  }
}

export function documentOf(rules: readonly RuleSketch[], tier: PolicyTier): PolicyDocument {
  return {
    apiVersion: 'policy.wrongstack/v1',
    kind: 'CapabilityPolicy',
    metadata: { id: 'sketch', revision: 1, scope: { tier, ...(tier === 'team' && { ref: 'team' }) } },
    rules: rules.map((rule, index) => ({ id: `r${index}`, actions: ['*'], because: 'of the test', ...rule })),
  };
}

export const textOf = ({ result }: CallOutcome): string =>
  result.content.map((block) => (block.type === 'text' ? block.text : '')).join('\n');

/** Whether a process with this word on its command line is alive. */
export function isRunning(word: string): boolean {
  return pidsOf(word).length > 0;
}

/** Those processes; this one is none of them. */
export function pidsOf(word: string): readonly number[] {
  if (!existsSync('/proc/self')) throw new Error('needs /proc');
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid);
  return pids.filter((pid) => hasWord(pid, word)).map(Number);
}

function hasWord(pid: string, word: string): boolean {
  try {
    const state = /^\d+ \(.*\) (\S)/s.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1];
    return state !== 'Z' && readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(word);
  } catch {
    return false;
  }
}
