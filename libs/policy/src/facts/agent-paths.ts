import { foldedNames } from './file-names.js';

/** Folders of the agent that its own tools fill; nothing in them decides what a call may do. */
const WORKING_FOLDERS: ReadonlySet<string> = new Set(['memory', 'index', 'scratch']);

/**
 * The agent's own configuration, policy, trust, plugin, session, vault or audit files, at any spelling: no grant lets a
 * call write what decides about calls. `agentHome` is a real path, usually `~/.wrongstack`.
 */
export function isAgentOwn(path: string, agentHome: string): boolean {
  const names = foldedNames(path);
  const home = foldedNames(agentHome);
  const below = startsWith(names, home) ? names.slice(home.length) : null;
  if (below !== null && !WORKING_FOLDERS.has(below[0] ?? '')) return true;
  // A project laid out in a scratch folder has its own settings again.
  const elsewhere = below ?? names;
  if (elsewhere.includes('.wrongstack')) return true;
  return (
    startsWith(names, ['etc', 'wrongstack']) ||
    startsWith(names, ['private', 'etc', 'wrongstack']) ||
    hasRun(names, ['application support', 'wrongstack']) ||
    hasRun(names, ['programdata', 'wrongstack'])
  );
}

/** The vault, and what signs us in to the control plane: reading it is a credential read as well. */
export function isAgentSecret(path: string, agentHome: string): boolean {
  const names = foldedNames(path);
  const home = foldedNames(agentHome);
  if (!startsWith(names, home)) return false;
  return /^(?:vault|credentials|secrets?|keys?|auth|identity|control)(?:\.|$)/.test(names[home.length] ?? '');
}

function startsWith(names: readonly string[], start: readonly string[]): boolean {
  return start.length > 0 && start.every((name, index) => names[index] === name);
}

function hasRun(names: readonly string[], run: readonly string[]): boolean {
  return names.some((_, start) => run.every((name, index) => names[start + index] === name));
}
