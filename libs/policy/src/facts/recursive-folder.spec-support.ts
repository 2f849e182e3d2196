import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { Facts } from '@wrongstack/contracts';
import { policyContext, policyDocument } from '../../spec/support/synthetic-policies.js';
import { decide } from '../decide/decide.js';
import type { Verdicts } from '../decide/verdicts.js';
import { computeFacts } from './compute-facts.js';
import { AT_THE_KEYBOARD, sampleCall } from './sample-call.spec-support.js';

/** A real project with a folder `secret` in it, and what our facts say of calls that take folders whole. */
export interface RecursiveFolder {
  readonly root: string;
  readonly project: string;
  inShell(command: string): Promise<Facts>;
  byTool(path: string, recursive?: true): Promise<Facts>;
  /** By one rule, `the-rule`, about what a glob names. */
  decided(facts: Facts, effect: 'deny' | 'allow', glob: string): Verdicts;
  remove(): Promise<void>;
}

const FOLDERS = ['src/lib', 'docs', 'copy/src', 'more/secret'];
const FILES = ['secret/x', 'src/a.ts', 'README.md', 'words.txt', 'a.tgz'];

export async function recursiveFolder(access: 'read' | 'write'): Promise<RecursiveFolder> {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'recursive-')));
  const project = join(root, 'shop');
  for (const folder of FOLDERS) await mkdir(join(project, folder), { recursive: true });
  for (const file of FILES) {
    await mkdir(dirname(join(project, file)), { recursive: true });
    await writeFile(join(project, file), 'INNER\n');
  }
  const options = {
    home: join(root, 'home'),
    agentHome: join(root, 'home/.wrongstack'),
    clock: { now: () => Date.parse('2026-03-04T12:00:00Z') },
    toolchainScratch: [],
  };
  return {
    root,
    project,
    inShell: (command) =>
      computeFacts(
        sampleCall(
          project,
          { command, cwd: project },
          { tool: { name: 'bash', riskPerCall: true }, session: { ...AT_THE_KEYBOARD, yolo: true } },
        ),
        options,
      ),
    byTool: (path, recursive) =>
      computeFacts(
        sampleCall(project, {
          paths: [{ path, access, ...(recursive && { recursive }) }],
          command: null,
          urls: [],
        }),
        options,
      ),
    decided: (facts, effect, glob) => {
      const rule = {
        id: 'the-rule',
        effect,
        actions: [`fs.${access}`],
        when: { path: { some: [glob] } },
      } as const;
      return decide(
        facts,
        policyContext({ documents: [policyDocument({ tier: 'org', rules: [rule] })] }),
        [],
      );
    },
    remove: () => rm(root, { recursive: true }),
  };
}
