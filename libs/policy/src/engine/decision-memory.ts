import type { DecisionId, Facts } from '@wrongstack/contracts';
import type { ApprovalParts } from './approval-parts.js';

const LIMIT = 1_000;

interface Kept {
  readonly project: string;
  readonly parts: ApprovalParts;
  readonly reals: readonly string[] | null;
}

/**
 * What a decision was made of, for as long as somebody may still answer it: to say what changed, and to know which
 * project a grant belongs to. Losing an entry costs a sentence or a grant, never safety.
 */
export class DecisionMemory {
  private readonly kept = new Map<DecisionId, Kept>();

  keep(id: DecisionId, { project, paths }: Facts, parts: ApprovalParts): void {
    const reals = paths === 'unknown' ? null : paths.flatMap(({ real }) => real ?? []);
    this.kept.set(id, { project, parts, reals });
    if (this.kept.size <= LIMIT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  partsOf(id: DecisionId): ApprovalParts | undefined {
    return this.kept.get(id)?.parts;
  }

  /** Not masked. */
  pathsOf(id: DecisionId): readonly string[] | null {
    return this.kept.get(id)?.reals ?? null;
  }

  projectOf(id: DecisionId): string | undefined {
    return this.kept.get(id)?.project;
  }
}
