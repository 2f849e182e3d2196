import path from 'node:path';
import {
  deepFreeze,
  isoNow,
  type Capability,
  type Clock,
  type CommandFacts,
  type Facts,
  type HostFact,
  type McpFact,
  type PathFact,
  type ToolCall,
} from '@wrongstack/contracts';
import { analyseCommand, type ShellAnalysis } from '../shell/analyse-command.js';
import { callRiskOf } from './call-risk.js';
import { claimsOf, UNKNOWN_COMMAND, type CheckedClaims } from './checked-claims.js';
import { effectiveCapabilities } from './effective-capabilities.js';
import { nodeFactFileSystem, type FactFileSystem } from './fact-file-system.js';
import { followedLinks } from './followed-links.js';
import { markUnnamedFiles } from './unnamed-files.js';
import { hostFact, readUrl } from './host-facts.js';
import { PathFactReader, type RawPath } from './path-facts.js';
import { placesOf, type PathPlaces } from './path-places.js';
import { resolvePath } from './resolve-path.js';

export interface FactOptions {
  readonly home: string;
  /** `~/.wrongstack`. */
  readonly agentHome: string;
  readonly clock: Clock;
  /** Folders of the toolchain whose reading never prompts. */
  readonly toolchainScratch: readonly string[];
  readonly fs?: FactFileSystem;
  /** May claims of this plugin satisfy an allow? By its name; core tools are not asked about. Default: none. */
  readonly trustsClaimsOf?: (owner: string) => boolean;
}

/**
 * Everything that a decision looks at, from one call: claims, resolved paths, the parsed command, hosts and the actor.
 * Frozen. Throws only when the project folder itself is gone.
 */
export async function computeFacts(call: ToolCall, options: FactOptions): Promise<Facts> {
  return factsFrom(call, claimsOf(call, options.clock), options);
}

/** The same, when the tool has been asked already. */
export async function factsFrom(call: ToolCall, claims: CheckedClaims, options: FactOptions): Promise<Facts> {
  const fs = options.fs ?? nodeFactFileSystem;
  const { tool } = call;
  const places = await placesOf(fs, call, options);
  const cwd = await realFolder(fs, claims.cwd, call.cwd);
  // A folder that is not there cannot be resolved, and then nothing below its spelling can be either.
  const shell = analyse(claims, cwd ?? path.resolve(call.cwd, claims.cwd), places);
  const touched = await touchedBy(claims, shell, new PathFactReader(fs, places, cwd), fs);
  const paths =
    shell === null ? touched.paths : await markUnnamedFiles(fs, touched.paths, shell.command, places.home);
  const command: CommandFacts | null | 'unknown' =
    claims.command === UNKNOWN_COMMAND ? 'unknown' : (shell?.command ?? null);
  const claimsTrusted = tool.owner === 'core' || (options.trustsClaimsOf?.(tool.owner) ?? false);
  const declared = declaredCapabilities(tool.capabilities);
  return deepFreeze<Facts>({
    tool: tool.name,
    owner: tool.owner,
    definitionDigest: tool.definitionDigest,
    claimsTrusted,
    permission: readPermission(tool.permission),
    // Only an explicit `false` is believed.
    mutating: (tool.mutating as unknown) !== false,
    declared,
    effective: effectiveCapabilities(declared, paths, touched.hosts),
    ...callRiskOf(tool, command, claimsTrusted),
    paths,
    command,
    hosts: touched.hosts,
    mcp: mcpFact(tool.mcp),
    actor: structuredClone(call.actor),
    session: { ...call.session },
    project: places.project,
    cwd,
    background: call.background,
    now: isoNow(options.clock),
  });
}

function analyse(claims: CheckedClaims, cwd: string, places: PathPlaces): ShellAnalysis | null {
  if (claims.command === UNKNOWN_COMMAND || claims.command === null) return null;
  return analyseCommand(claims.command, { cwd, home: places.home });
}

interface Touched {
  readonly paths: readonly PathFact[] | 'unknown';
  readonly hosts: readonly HostFact[] | 'unknown';
}

/** Where a command is claimed its paths and hosts are known; otherwise a missing key is unknown. */
async function touchedBy(
  claims: CheckedClaims,
  shell: ShellAnalysis | null,
  reader: PathFactReader,
  fs: FactFileSystem,
): Promise<Touched> {
  const rawPaths: RawPath[] = [...(shell?.paths ?? [])];
  if (claims.paths !== 'unknown') {
    rawPaths.push(...claims.paths.map((claim) => ({ ...claim, command: null, bookkeeping: false })));
  }
  const urls: { url: string | null; command: number | null }[] = [...(shell?.hosts ?? [])];
  if (claims.urls !== 'unknown') urls.push(...claims.urls.map((url) => ({ url, command: null })));
  const hosts: HostFact[] = [];
  for (const { url, command } of urls) {
    const read = url === null ? null : readUrl(url);
    if (read === null) hosts.push({ scheme: 'unknown', host: null, port: null, command });
    else if (read.kind === 'host') hosts.push(hostFact(read, command));
    else if (read.kind === 'file')
      rawPaths.push({ path: read.path, access: 'read', command, bookkeeping: false });
  }
  const paths: PathFact[] = [];
  for (const raw of rawPaths) paths.push(...(await reader.read(raw)), ...(await reader.unnamed(raw)));
  if (shell !== null) paths.push(...(await followedLinks(fs, reader, paths, shell.command)));
  return {
    paths: claims.paths === 'unknown' && shell === null ? 'unknown' : distinct(paths),
    hosts: claims.urls === 'unknown' && shell === null ? 'unknown' : distinct(hosts),
  };
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Map(items.map((item) => [JSON.stringify(item), item])).values()];
}

async function realFolder(fs: FactFileSystem, folder: string, base: string): Promise<string | null> {
  const found = await resolvePath(fs, folder, base);
  return found.status === 'found' ? found.real : null;
}

function declaredCapabilities(value: unknown): readonly Capability[] {
  if (!Array.isArray(value)) return [];
  return [...new Set(value.filter((name): name is string => typeof name === 'string' && name !== ''))].sort();
}

function readPermission(value: unknown): Facts['permission'] {
  return value === 'auto' || value === 'confirm' || value === 'deny' ? value : 'unknown';
}

function mcpFact(origin: ToolCall['tool']['mcp']): McpFact | null {
  if (origin === undefined) return null;
  return {
    server: origin.server,
    url: origin.url ?? null,
    commandDigest: origin.commandDigest ?? null,
    toolDigest: origin.toolDigest,
    // Only a pin that says so.
    pinned: (origin.pinned as unknown) === true,
  };
}
