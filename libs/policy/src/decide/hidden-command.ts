import { posix } from 'node:path';
import type { CompiledRule } from '../rules/compiled-rule.js';
import type { CallView } from '../rules/match/call-view.js';

/**
 * What to say where a restriction about a command catches a call only because a part of it cannot be read: whoever wrote
 * `curl … | sh` did not ask to publish, and the rule's reason alone would not tell them what to do. Null where the rule
 * is about a command that is there to be seen.
 */
export function mayHideCommand(view: CallView, rule: CompiledRule): string | null {
  const { command } = view.facts;
  const names = [rule.rule.when?.command?.argv?.[0] ?? []].flat();
  if (command === null || command === 'unknown' || !command.unparsed) return null;
  if (names.length === 0 || names.some((name) => name.startsWith('set:') || name.includes('*'))) return null;
  const isSeen = command.commands.some(
    ({ argv: [word] }) => typeof word === 'string' && names.includes(posix.basename(word)),
  );
  if (isSeen) return null;
  return `cannot be read whole (${command.unparsedReason ?? 'unparsed'}), so it may hide ${names.join(' or ')}: say it plainly`;
}
