import type { ConfigLayer } from '@wrongstack/kernel';
import type { PolicyDocuments } from '@wrongstack/policy';
import type { PrometheusMetricsSink } from '@wrongstack/adapters';
import type { Provider } from '@wrongstack/contracts';
import type { CommonOptions } from '../commands/common-options.js';
import { type Environment, readEnvironment } from '../environment.js';
import { type AgentPaths, agentPaths } from './agent-paths.js';
import { findProjectRoot, workingFolder } from './project-root.js';

/** Everything that a command decides before the host is wired. */
export interface BootRequest {
  readonly environment: Environment;
  readonly paths: AgentPaths;
  /** Real paths. */
  readonly cwd: string;
  readonly projectRoot: string;
  /** Configuration from the command line. */
  readonly overrides: ConfigLayer;
  readonly session: {
    readonly mode: 'default' | 'plan';
    readonly yolo: boolean;
    readonly interactive: boolean;
  };
  readonly debug: boolean;
  /** Plugins and MCP servers: not loaded, loaded, or loaded and those required by policy insisted on. Missing = enforce. */
  readonly extensions?: 'none' | 'load' | 'enforce';
  /** This process is the command's own: signals and stray errors of plugins are handled. */
  readonly ownsProcess?: boolean;
  /** Decide with these documents instead of those in force. */
  readonly documents?: PolicyDocuments;
  /** Instead of the configured one: the demo's script. */
  readonly provider?: Provider;
  /** One for all hosts of a process that has several, so that its page shows their sum. Missing = its own. */
  readonly metrics?: PrometheusMetricsSink;
}

export interface SessionOptions extends CommonOptions {
  readonly yolo?: boolean;
  readonly plan?: boolean;
  readonly model?: string;
  readonly maxIterations?: number;
}

export function bootRequest(
  options: SessionOptions,
  interactive: boolean,
  environment: Environment = readEnvironment(),
): BootRequest {
  const cwd = workingFolder(options.cwd ?? process.cwd());
  return {
    environment,
    paths: agentPaths(environment),
    cwd,
    projectRoot: findProjectRoot(cwd, environment.home),
    overrides: overridesOf(options),
    session: { mode: options.plan === true ? 'plan' : 'default', yolo: options.yolo === true, interactive },
    debug: options.debug === true,
    extensions: 'enforce',
    ownsProcess: true,
  };
}

function overridesOf({ model, maxIterations }: SessionOptions): ConfigLayer {
  return {
    ...(model !== undefined && { provider: { model } }),
    ...(maxIterations !== undefined && { agent: { maxIterations } }),
  };
}
