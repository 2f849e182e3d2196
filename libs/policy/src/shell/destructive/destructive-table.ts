import type { ShellWord } from '../shell-word.js';
import { DELETION_RULES } from './deletion.js';
import { GIT_LOSS_RULES } from './git-loss.js';
import { INFRASTRUCTURE_RULES } from './infrastructure.js';
import { PUBLISHING_RULES } from './publishing.js';
import { asksForHelp, type DestructiveRule } from './rule.js';
import { SYSTEM_RULES } from './system.js';

/** Every row, by chapter. The page libs/policy/spec/shell.md shows the same. */
export const DESTRUCTIVE_CHAPTERS: Readonly<Record<string, readonly DestructiveRule[]>> = {
  deletion: DELETION_RULES,
  git: GIT_LOSS_RULES,
  system: SYSTEM_RULES,
  publishing: PUBLISHING_RULES,
  infrastructure: INFRASTRUCTURE_RULES,
};

let table: Map<string, DestructiveRule[]> | null = null;

/** Why a call of this program is destructive, or null. */
export function destructiveReason(name: string, args: readonly ShellWord[]): string | null {
  table ??= buildTable();
  // Some file systems do not tell RM from rm.
  const key = name.toLowerCase();
  const rules = table.get(key) ?? (/^mkfs\./.test(key) ? table.get('mkfs') : undefined) ?? [];
  if (rules.length === 0 || asksForHelp(args)) return null;
  for (const rule of rules) {
    const reason = rule.check(args, name);
    if (reason !== null) return reason;
  }
  return null;
}

function buildTable(): Map<string, DestructiveRule[]> {
  const built = new Map<string, DestructiveRule[]>();
  for (const rule of Object.values(DESTRUCTIVE_CHAPTERS).flat()) {
    for (const program of rule.programs) {
      const key = program.toLowerCase();
      built.set(key, [...(built.get(key) ?? []), rule]);
    }
  }
  return built;
}
