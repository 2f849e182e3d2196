import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import path from 'node:path';

// A mis-configured lint rule is silent, so each boundary has code that must fail, and a neighbour that must not.

const root = path.resolve(__dirname, '../../..');

const LAYER = '@nx/enforce-module-boundaries';
const OWNER = 'wrongstack/module-owners';
const ENVIRONMENT = 'wrongstack/environment-owner';
const SHELL = 'wrongstack/no-shell-strings';
const DECLARES = 'wrongstack/tool-declares';
const CONTAINED = 'wrongstack/contained-paths';
const NETWORK = 'wrongstack/guarded-network';
const REASONED = 'wrongstack/reasoned-disable';

const TOOL_FILE = 'libs/tools/src/fs/fixture.tool.ts';

interface Fixture {
  file: string;
  text: string;
  reports: string[];
}

const fixture = (file: string, text: string, ...reports: string[]): Fixture => ({ file, text, reports });
const uses = (from: string, to: string, ...reports: string[]): Fixture =>
  fixture(`${from}/src/fixture.ts`, `export * from '@wrongstack/${to}';`, ...reports);

const FIXTURES: Fixture[] = [
  // The layers: the leaves know contracts and nobody else.
  ...['kernel', 'policy', 'tools', 'adapters', 'providers'].flatMap((leaf) => [
    uses(`libs/${leaf}`, 'contracts'),
    ...['kernel', 'policy', 'tools', 'adapters', 'providers', 'plugins', 'core']
      .filter((other) => other !== leaf)
      .map((other) => uses(`libs/${leaf}`, other, LAYER)),
  ]),
  ...['kernel', 'policy', 'tools', 'adapters', 'providers', 'plugins', 'core'].map((other) =>
    uses('libs/contracts', other, LAYER),
  ),
  ...['contracts', 'kernel'].map((other) => uses('libs/plugins', other)),
  ...['policy', 'tools', 'adapters', 'providers', 'core'].map((other) => uses('libs/plugins', other, LAYER)),
  ...['contracts', 'kernel', 'policy', 'tools'].map((other) => uses('libs/core', other)),
  ...['adapters', 'providers', 'plugins'].map((other) => uses('libs/core', other, LAYER)),
  ...['contracts', 'kernel', 'policy', 'tools', 'adapters', 'providers', 'plugins', 'core'].flatMap(
    (other) => [uses('apps/cli', other), uses('apps/api', other)],
  ),
  // The console is a client like any other.
  uses('apps/console', 'contracts'),
  ...['kernel', 'policy', 'tools', 'adapters', 'providers', 'plugins', 'core'].map((other) =>
    uses('apps/console', other, LAYER),
  ),
  fixture('apps/console/src/fixture.tsx', "export * from '../../api/src/main.js';", LAYER),
  fixture('apps/api/src/fixture.ts', "export * from '../../console/src/app.js';", LAYER),
  // An app exports nothing, so only a path could reach it.
  fixture('libs/kernel/src/fixture.ts', "export * from '../../../apps/cli/src/main.js';", LAYER),
  fixture('apps/cli/src/fixture.ts', "export * from '../../api/src/main.js';", LAYER),
  // Other ways to write the same import.
  uses('libs/plugins', 'core/testing', LAYER),
  fixture('libs/kernel/src/fixture.ts', "export const load = () => import('@wrongstack/policy');", LAYER),
  fixture('libs/kernel/src/fixture.ts', "export * from '../../policy/src/index.js';", LAYER),
  fixture('libs/kernel/src/fixture.ts', "export * from '@wrongstack/kernel';", LAYER),

  // A rule is switched off with a reason.
  fixture('libs/kernel/src/fixture.ts', '// eslint-disable-next-line no-console\nconsole.log(1);', REASONED),
  fixture('libs/kernel/src/fixture.ts', '/* eslint-disable no-console */ console.log(1);', REASONED),
  fixture(
    'libs/kernel/src/fixture.ts',
    '// eslint-disable-next-line no-console -- a reason\nconsole.log(1);',
  ),

  // CASL has one file in libs/policy and one in apps/api.
  fixture('libs/policy/src/rules/compile-ability.ts', "export * from '@casl/ability';"),
  fixture('libs/policy/src/decide/fixture.ts', "export * from '@casl/ability';", OWNER),
  fixture('libs/policy/src/decide/fixture.ts', "export type { RawRule } from '@casl/ability';", OWNER),
  fixture(
    'libs/policy/src/decide/fixture.ts',
    "export const load = () => import('@casl/ability/extra');",
    OWNER,
  ),
  fixture('libs/policy/src/fixture.spec.ts', "import '@casl/ability';", OWNER),
  fixture('libs/policy/src/policy.module.ts', "import '@casl/ability';", OWNER),
  fixture('apps/api/src/auth/compile-ability.ts', "export * from '@casl/ability';"),
  fixture('apps/api/src/auth/fixture.ts', "export * from '@casl/ability';", OWNER),

  // Nest stays at the rim.
  ...[
    'libs/kernel/src/kernel.module.ts',
    'apps/api/src/policies/publish.handler.ts',
    'apps/cli/src/main.ts',
  ].map((file) => fixture(file, "import '@nestjs/common';")),
  fixture('libs/kernel/src/loop/fixture.ts', "import '@nestjs/common';", OWNER),
  fixture('apps/api/src/policies/fixture.ts', "export type { Type } from '@nestjs/common';", OWNER),

  // The environment is read in one file per app.
  fixture('apps/cli/src/environment.ts', 'export const home = process.env.HOME;'),
  fixture('apps/cli/src/fixture.ts', 'export const home = process.env.HOME;', ENVIRONMENT),
  fixture('libs/tools/src/fixture.ts', "export const home = process['env'];", ENVIRONMENT),
  fixture('libs/tools/src/fixture.ts', 'export const { env } = process;', ENVIRONMENT),
  fixture('libs/tools/src/fixture.ts', 'export const { env } = globalThis.process;', ENVIRONMENT),
  fixture(
    'libs/tools/src/fixture.ts',
    "import { env } from 'node:process';\nexport const home = env.HOME;",
    ENVIRONMENT,
  ),

  // No shell text.
  fixture('libs/tools/src/fixture.ts', "export { execFile } from 'node:child_process';"),
  fixture('libs/tools/src/fixture.ts', "import { exec } from 'node:child_process';\nexec('ls');", SHELL),
  fixture('libs/tools/src/fixture.ts', "import * as cp from 'child_process';\ncp.execSync('ls');", SHELL),
  fixture('libs/tools/src/fixture.ts', "export { exec } from 'node:child_process';", SHELL),
  fixture('libs/tools/src/fixture.ts', "spawn('ls', [], { shell: true });", SHELL),
  fixture('libs/tools/src/fixture.ts', "spawn('ls', [], { shell: '/bin/sh' });", SHELL),
  fixture('libs/tools/src/fixture.ts', "spawn('ls', [], { shell: false });"),
  fixture('libs/tools/src/fixture.ts', "export const claim = { shell: 'restricted' };"),

  // A tool says who is asked and what it can do.
  ...[
    ["permission: 'confirm', mutating: true, capabilities: ['fs.write']"],
    ["mutating: false, capabilities: ['fs.read']"],
    ['...traits'],
    ["mutating: true, capabilities: ['fs.write']", DECLARES],
    ["capabilities: ['fs.write']", DECLARES],
    ["permission: 'auto', mutating: false", DECLARES],
    ["riskTier: 'safe'", DECLARES, DECLARES],
  ].flatMap(([fields = '', ...reports]) => [
    fixture(
      TOOL_FILE,
      `export const a = { name: 'a', description: 'A.', inputSchema: {}, ${fields}, async execute() {} };`,
      ...reports,
    ),
    fixture(
      TOOL_FILE,
      `export const a = defineTool({ name: 'a', description: 'A.', parameters: {}, ${fields}, execute: run });`,
      ...reports,
    ),
  ]),
  fixture(TOOL_FILE, "export const person = { name: 'a', description: 'no tool' };"),

  // A path of a model's goes through the functions that keep it inside.
  ...[
    ['path.join(ctx.cwd, input.path)', CONTAINED],
    ['path.resolve(ctx.cwd, `${input.path}.md`)', CONTAINED],
    ['path.join(ctx.cwd, ...input.parts)', CONTAINED],
    ["path.normalize(input.path?.trim() ?? '')", CONTAINED],
    ['path.posix.join(ctx.cwd, input.path)', CONTAINED],
    ['path.join(ctx.scratchDir, "notes.md")'],
    ['safeResolve(ctx.projectRoot, input.path)'],
    ['safeResolve(ctx.projectRoot, path.join("docs", input.path))'],
    ['path.join(await safeResolveReal(ctx.projectRoot, input.path), "index.ts")'],
    ['path.dirname(input.path)'],
    ['[input.path].join(", ")'],
  ].map(([code = '', ...reports]) =>
    fixture(
      TOOL_FILE,
      `import path from 'node:path';\nexport const a = { async execute(input, ctx) { return [path, input, ctx, ${code}]; } };`,
      ...reports,
    ),
  ),
  ...[
    ['async execute({ path: wanted }, ctx) { return join(ctx.cwd, wanted); }', CONTAINED],
    ['async execute(request, ctx) { const wanted = request.path; return join(ctx.cwd, wanted); }', CONTAINED],
    [
      'async *executeStream(input, ctx) { for (const one of input.files) yield join(ctx.cwd, one); }',
      CONTAINED,
    ],
    ['describeCall: (args, ctx) => ({ paths: [join(ctx.cwd, args.path)] })', CONTAINED],
    ['async execute(input, ctx) { const it = safeResolve(ctx.cwd, input.path); return join(it, "a"); }'],
  ].map(([member = '', ...reports]) =>
    fixture(TOOL_FILE, `import { join } from 'node:path';\nexport const a = { ${member} };`, ...reports),
  ),
  fixture(
    'libs/tools/src/paths/fixture.ts',
    "import { resolve } from 'node:path';\nexport const at = (base, input) => resolve(base, input);",
  ),
  fixture(
    'libs/kernel/src/fixture.ts',
    "import { join } from 'node:path';\nexport const at = (base, input) => join(base, input);",
  ),

  // One way out to the network.
  ...[
    ["await fetch('https://a.test');", NETWORK],
    ["await globalThis.fetch('https://a.test');", NETWORK],
    ["export const open = () => new WebSocket('wss://a.test');", NETWORK],
    ["import { get } from 'node:https';\nget('https://a.test');", NETWORK],
    ["import net from 'net';\nnet.connect(80);", NETWORK],
    ["export const load = () => import('undici');", NETWORK],
    ["export { request } from 'node:http';", NETWORK],
    ["import { isIP } from 'node:net';\nexport const known = isIP('::1');"],
    ["import type { IncomingMessage } from 'node:http';\nexport type Answer = IncomingMessage;"],
    ["const fetch = guardedFetch;\nawait fetch('https://a.test', { signal });"],
    ['export const through = (fetch) => fetch(1);'],
  ].map(([text = '', ...reports]) => fixture(TOOL_FILE, text, ...reports)),
  fixture('libs/tools/src/net/fixture.ts', "export { request } from 'node:http';"),
  fixture('libs/tools/src/net/fixture.spec.ts', "await fetch('http://127.0.0.1');"),
  fixture('libs/providers/src/fixture.ts', "await fetch('https://a.test');"),

  // A tool knows no editor, and its results hold no display.
  fixture(TOOL_FILE, "export type { ToolCallUpdate } from '@agentclientprotocol/sdk';", OWNER),
  fixture('libs/contracts/src/fixture.ts', "import '@agentclientprotocol/sdk/schema';", OWNER),
  fixture('apps/cli/src/acp/fixture.ts', "export type { ToolCallUpdate } from '@agentclientprotocol/sdk';"),
  fixture(
    'apps/cli/src/fixture.ts',
    "export type { ToolCallUpdate } from '@agentclientprotocol/sdk';",
    OWNER,
  ),
  fixture(
    TOOL_FILE,
    'export const text = (output) => `\\`\\`\\`console\\n${output}`;',
    'no-restricted-syntax',
  ),
  fixture(TOOL_FILE, "export const fence = '```';", 'no-restricted-syntax'),

  // What others wrote is text, a page can be used without a pointer, and nothing of Node is in it.
  fixture(
    'apps/console/src/fixture.tsx',
    'export const Words = ({ text }) => <p dangerouslySetInnerHTML={{ __html: text }} />;',
    'no-restricted-syntax',
  ),
  fixture('apps/console/src/fixture.tsx', 'export const Words = ({ text }) => <p>{text}</p>;'),
  fixture('apps/console/src/fixture.ts', 'document.body.innerHTML = location.hash;', 'no-restricted-syntax'),
  fixture(
    'apps/console/src/fixture.ts',
    "import { readFileSync } from 'node:fs';\nreadFileSync('a');",
    'no-restricted-syntax',
  ),
  fixture('apps/console/src/fixture.ts', 'export const name = process.title;', 'no-restricted-globals'),
  fixture(
    'apps/console/src/fixture.tsx',
    'export const Face = () => <img src="a.png" />;',
    'jsx-a11y/alt-text',
  ),
  fixture(
    'apps/console/src/fixture.tsx',
    "import { useState } from 'react';\nexport function Odd({ on }) { if (on) { useState(1); } return null; }",
    'react-hooks/rules-of-hooks',
  ),

  // Libraries do not print, and a focused test hides the others.
  fixture('libs/tools/src/fixture.ts', "console.log('x');", 'no-console'),
  fixture('libs/tools/src/fixture.ts', 'export {};\n'.repeat(401), 'max-lines'),
  fixture('libs/tools/src/fixture.spec.ts', "it.only('x', () => undefined);", 'no-restricted-syntax'),
];

function lintTexts(fixtures: readonly Fixture[]): string[][] {
  const child = spawnSync(process.execPath, [path.join(root, 'tools/workspace-checks/lint-texts.mjs')], {
    cwd: root,
    encoding: 'utf8',
    input: JSON.stringify(fixtures),
  });
  expect(child.stderr).toBe('');
  return JSON.parse(child.stdout);
}

function lintFiles(folder: string): Map<string, string[]> {
  const eslint = path.join(root, 'node_modules/eslint/bin/eslint.js');
  const child = spawnSync(process.execPath, [eslint, '--no-ignore', '--format', 'json', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  expect(child.stderr).toBe('');
  const results: { filePath: string; messages: { ruleId: string | null; message: string }[] }[] = JSON.parse(
    child.stdout,
  );
  return new Map(
    results.map(({ filePath, messages }) => [
      path.basename(filePath),
      messages.map((message) => message.ruleId ?? message.message),
    ]),
  );
}

describe('lint boundaries', () => {
  let reported: string[][];
  beforeAll(() => {
    reported = lintTexts(FIXTURES);
  });

  it.each(
    FIXTURES.map((each, index) => ({
      ...each,
      index,
      label: each.text.slice(0, 80).replaceAll('\n', ' '),
      verdict: each.reports.join() || 'accepted',
    })),
  )('$file: $label → $verdict', ({ index, reports }) => {
    expect(reported[index]).toEqual(reports);
  });
});

describe('rules that need types', () => {
  const EXPECTED: Record<string, string[]> = {
    'clean.ts': [],
    'explicit-any.ts': ['@typescript-eslint/no-explicit-any'],
    'floating-promise.ts': ['@typescript-eslint/no-floating-promises'],
    'open-switch.ts': ['@typescript-eslint/switch-exhaustiveness-check'],
    'unsafe-value.ts': [
      '@typescript-eslint/no-unsafe-assignment',
      '@typescript-eslint/no-unsafe-member-access',
    ],
  };
  let reported: Map<string, string[]>;
  beforeAll(() => {
    reported = lintFiles(path.join(root, 'tools/lint-fixtures'));
  });

  it.each(Object.entries(EXPECTED))('%s → %j', (file, rules) => {
    expect(reported.get(file)).toEqual(rules);
  });

  it('expects something of every fixture', () => {
    const files = readdirSync(path.join(root, 'tools/lint-fixtures')).filter((file) => file.endsWith('.ts'));
    expect(files.sort()).toEqual(Object.keys(EXPECTED));
  });
});
