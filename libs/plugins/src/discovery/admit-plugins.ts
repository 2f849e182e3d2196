import { PluginError } from '../loader/plugin-error.js';
import { folderDigest } from './folder-digest.js';
import type { FaultyPlugin, FoundPlugin } from './plugin-source.js';
import type { TrustedPlugin } from './project-trust.js';

/** What policies say about plugins (`locks.plugins`). */
export interface PluginRules {
  readonly require: readonly string[];
  /** Null = no document limits which plugins may load. */
  readonly allow: readonly { readonly name: string; readonly digest: string }[] | null;
  readonly project: 'deny' | 'trusted';
}

/** What the person said about this project's plugins, by name. */
export interface ProjectAnswers {
  readonly trusted: ReadonlyMap<string, TrustedPlugin>;
  readonly declined: ReadonlyMap<string, TrustedPlugin>;
}

export interface AdmittedPlugin extends FoundPlugin {
  /** Of its content, where something asked for it. */
  readonly digest: string | null;
}

export interface Admission {
  readonly admitted: readonly AdmittedPlugin[];
  readonly refused: readonly (FaultyPlugin & { readonly digest: string | null })[];
}

/**
 * Which of the plugins found may run at all, decided before any of their code does: a policy's allow-list by name and
 * content, and the person's trust for what came with a repository.
 */
export async function admitPlugins(
  found: readonly FoundPlugin[],
  rules: PluginRules,
  answers: ProjectAnswers,
): Promise<Admission> {
  const outcomes = await Promise.all(found.map((plugin) => admit(plugin, rules, answers)));
  return {
    admitted: outcomes.flatMap((one) => ('error' in one ? [] : [one])),
    refused: outcomes.flatMap((one) => ('error' in one ? [one] : [])),
  };
}

async function admit(
  plugin: FoundPlugin,
  rules: PluginRules,
  answers: ProjectAnswers,
): Promise<AdmittedPlugin | (FaultyPlugin & { readonly digest: string | null })> {
  const { name, place, root } = plugin;
  const refuse = (error: PluginError, digest: string | null) => ({ name, place, root, error, digest });
  // The digest of a large folder takes time: it is computed only where an answer hangs on it.
  if (rules.allow === null && place !== 'project') return { ...plugin, digest: null };
  let digest: string;
  try {
    digest = await folderDigest(name, root);
  } catch (error) {
    if (error instanceof PluginError) return refuse(error, null);
    throw error;
  }
  const fault = faultOf(plugin, digest, rules, answers);
  return fault === undefined ? { ...plugin, digest } : refuse(fault, digest);
}

function faultOf(
  { name, place }: FoundPlugin,
  digest: string,
  { allow, project }: PluginRules,
  { trusted, declined }: ProjectAnswers,
): PluginError | undefined {
  if (allow !== null && !allow.some((one) => one.name === name && one.digest === digest)) {
    const known = allow.some((one) => one.name === name);
    return new PluginError(
      'plugin.not_allowed',
      name,
      known ? `its content (${digest}) is not what policy allows` : 'policy does not list it',
      { hint: 'ask the administrator to add it to locks.plugins.allow' },
    );
  }
  if (place !== 'project') return undefined;
  if (project === 'deny') {
    return new PluginError('plugin.project_denied', name, 'policy lets no project bring plugins of its own');
  }
  const answer = trusted.get(name);
  if (answer?.digest === digest) return undefined;
  if (declined.get(name)?.digest === digest) {
    const hint = `changed your mind? wstack plugin trust ${name}`;
    return new PluginError('plugin.declined', name, 'came with this project, and you said no to it', {
      hint,
    });
  }
  return new PluginError(
    'plugin.untrusted',
    name,
    answer === undefined
      ? 'came with this project and was never trusted'
      : 'has changed since it was trusted',
    { hint: `read it, then: wstack plugin trust ${name}` },
  );
}
