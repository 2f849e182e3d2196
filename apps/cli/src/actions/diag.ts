import { mkdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { verifyAudit } from '@wrongstack/adapters';
import { ripgrepPath } from '@wrongstack/tools';
import { bootRequest } from '../app/boot-request.js';
import { nearNames } from '@wrongstack/kernel';
import { credentialName, storedAs } from '@wrongstack/providers';
import { boot } from '../app/boot.js';
import type { Host } from '../app/host.js';
import type { CommonOptions } from '../commands/common-options.js';
import { checkServers } from './mcp-report.js';
import { checkPlugins } from './plugin-report.js';
import { withExtensions } from './with-host.js';
import { createOutput } from '../output.js';
import { errorParts } from '../readable-error.js';
import { plural } from '../terminal/format.js';
import { diagExitCode, diagLines, type DiagLine } from '../terminal/report-lines.js';

/** Every check answers by itself: one that fails does not hide the others. */
const CHECKS: readonly (readonly [
  subject: string,
  check: (host: Host) => Promise<Omit<DiagLine, 'subject'>>,
])[] = [
  ['node', checkNode],
  ['key', checkKey],
  ['policy', checkPolicy],
  ['trust', checkTrust],
  ['sessions', checkSessions],
  ['audit', checkAudit],
  ['sandbox', checkSandbox],
  ['search', checkSearch],
  ['plugins', checkPlugins],
  ['mcp', checkServers],
  ['config', checkConfig],
];

export async function diag(_args: readonly string[], options: CommonOptions): Promise<number> {
  const request = withExtensions(bootRequest(options, false));
  const output = createOutput(options, request.environment);
  const rows = await rowsFor(request);
  if (output.json) output.writeJson(rows);
  else output.print(diagLines(rows, output.look));
  return diagExitCode(rows);
}

/** A configuration that is broken is a finding here, not an end. */
async function rowsFor(request: ReturnType<typeof bootRequest>): Promise<readonly DiagLine[]> {
  let host: Host;
  try {
    host = await boot(request);
  } catch (error) {
    const { code, message, hint } = errorParts(error);
    const subject = code.startsWith('environment.') ? 'home' : 'config';
    return [{ level: 'fail', subject, text: message, next: hint ?? 'correct it' }];
  }
  try {
    return await diagRows(host);
  } finally {
    await host.close();
  }
}

export async function diagRows(host: Host): Promise<readonly DiagLine[]> {
  return Promise.all(
    CHECKS.map(async ([subject, check]): Promise<DiagLine> => {
      try {
        return { subject, ...(await check(host)) };
      } catch (error) {
        const { message, hint } = errorParts(error);
        return { subject, level: 'fail', text: message, ...(hint !== null && { next: hint }) };
      }
    }),
  );
}

async function checkNode(): Promise<Omit<DiagLine, 'subject'>> {
  return { level: 'ok', text: `${process.version} on ${process.platform}` };
}

async function checkKey({ config, credentials, kernel, request }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const { type } = config.current.provider;
  const types = kernel.providers.list().map((provider) => provider.type);
  if (!types.includes(type)) {
    return {
      level: 'fail',
      text: `no provider of type ${type}; known: ${types.join(', ')}`,
      next: 'wstack config set provider.type anthropic',
    };
  }
  const name = credentialName(config.current);
  if (name === undefined) return { level: 'ok', text: `${type} needs none` };
  const place = request.environment.variable(name) === undefined ? 'vault' : 'environment';
  if ((await credentials.find(name)) !== undefined)
    return { level: 'ok', text: `${type}, ${name} from the ${place}` };
  return {
    level: 'warn',
    text: `${type}: ${name} is not set`,
    next: `wstack auth set ${storedAs(config.current)}`,
  };
}

async function checkPolicy({ documents, request, unreadPolicies }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const loaded = await documents.load(request.projectRoot);
  if (loaded.failure !== null) {
    return {
      level: 'fail',
      text: `${loaded.failure.file}: ${loaded.failure.reason}; every call is denied`,
      next: 'correct it',
    };
  }
  const [unread, ...others] = await unreadPolicies();
  if (unread !== undefined) {
    const more = others.length > 0 ? ` (and ${String(others.length)} more)` : '';
    return { level: 'warn', text: `${unread} is not read as a policy${more}`, next: 'wstack policy lint' };
  }
  const names = loaded.documents.map(({ metadata }) => `${metadata.id} r${String(metadata.revision)}`);
  return {
    level: 'ok',
    text: names.length === 0 ? 'no central policy, no policy of your own' : names.join(', '),
  };
}

async function checkTrust({ trust, request }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const view = await trust.forProject(request.projectRoot).view();
  if (view.status === 'corrupt') {
    return {
      level: 'fail',
      text: `${view.reason}; kept; its grants are off`,
      next: 'repair or remove it',
    };
  }
  return { level: 'ok', text: `${plural(view.entries.length, 'answer')} stored for this project` };
}

async function checkSessions({ request }: Host): Promise<Omit<DiagLine, 'subject'>> {
  await writable(request.paths.sessions);
  return { level: 'ok', text: request.paths.sessions };
}

async function checkAudit({ request }: Host): Promise<Omit<DiagLine, 'subject'>> {
  await writable(request.paths.audit);
  const { records, problems } = await verifyAudit(request.paths.audit);
  const [problem] = problems;
  if (problem === undefined) return { level: 'ok', text: `${plural(records, 'record')}, chains unbroken` };
  return {
    level: 'fail',
    text: `${problem.file}:${String(problem.line ?? 'end')}: ${problem.message}`,
    next: 'keep the file and find out who changed it',
  };
}

async function checkSandbox({ sandbox }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const reason = await sandbox.unavailable();
  if (reason === null) return { level: 'ok', text: 'bubblewrap' };
  return { level: 'warn', text: `none: ${reason}`, next: 'calls that a policy wants confined are denied' };
}

async function checkSearch(): Promise<Omit<DiagLine, 'subject'>> {
  const binary = await ripgrepPath();
  if (binary !== null) return { level: 'ok', text: 'ripgrep' };
  return { level: 'warn', text: 'ripgrep cannot run here', next: 'searching works, slower' };
}

async function checkConfig({ ignoredConfig, config, kernel }: Host): Promise<Omit<DiagLine, 'subject'>> {
  const known = kernel.tools.list().map(({ name }) => name);
  const unknown = Object.keys(config.current.tools).filter((name) => !known.includes(name));
  const [first] = unknown;
  if (first !== undefined) {
    const [near] = nearNames(first, known);
    return {
      level: 'warn',
      text: `${unknown.map((name) => `tools.${name}`).join(', ')} restricts nothing: no tool is named so`,
      next: near === undefined ? 'wstack tool list' : `did you mean tools.${near}?`,
    };
  }
  if (ignoredConfig.length === 0) return { level: 'ok', text: 'valid' };
  return {
    level: 'warn',
    text: `this repository asks for ${ignoredConfig.join(', ')}`,
    next: 'ignored: a repository can only tighten',
  };
}

/** Permission alone says nothing of a full disk: a small file is written and removed. */
async function writable(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const probe = path.join(folder, `.diag-${String(process.pid)}`);
  try {
    await writeFile(probe, 'x'.repeat(4096), { mode: 0o600 });
  } finally {
    await rm(probe, { force: true });
  }
}
