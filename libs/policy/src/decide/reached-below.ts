import type { PathFact } from '@wrongstack/contracts';
import type { CompiledRule } from '../rules/compiled-rule.js';
import type { CallView } from '../rules/match/call-view.js';

/**
 * What to say where a restriction matches only because the call reads or changes a whole folder: whoever asked has named
 * none of the rule's paths, and should learn that a narrower one is the way out. Null where the rule matches for another
 * reason.
 */
export function reachedBelow(view: CallView, rule: CompiledRule): string | null {
  const { namesPath, rule: written } = rule;
  if (namesPath === null) return null;
  const { project } = view.facts;
  const paths = (view.paths ?? []).filter((path) => isAbout(rule, path));
  if (paths.some((path) => namesPath(path, project) === 'yes')) return null;
  const folder = paths.find(
    (path) => path.recursive === true && path.real !== null && namesPath(path, project) === 'unknown',
  );
  if (folder === undefined) return null;
  const globs = (written.when?.path?.every ?? written.when?.path?.some ?? []).join(', ');
  const does = folder.access === 'read' ? 'reads' : 'changes what is';
  return `${does} below ${folder.claimed ?? 'a folder'}, where rule ${rule.id} is about ${globs}: name a narrower path`;
}

/** A rule about writes alone does not match for what is read, and the other way round. */
function isAbout({ actions }: CompiledRule, { access }: PathFact): boolean {
  return actions.some((name) => (access === 'read' ? !name.startsWith('fs.write') : name !== 'fs.read'));
}
