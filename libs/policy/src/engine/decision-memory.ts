import type { DecisionId } from '@wrongstack/contracts';
import type { ApprovalParts } from './approval-parts.js';

const LIMIT = 1_000;

/**
 * What a decision was made of, for as long as somebody may still answer it: to say what changed, and to know which
 * project a grant belongs to. Losing an entry costs a sentence or a grant, never safety.
 */
export class DecisionMemory {
  private readonly kept = new Map<DecisionId, { readonly project: string; readonly parts: ApprovalParts }>();

  keep(id: DecisionId, project: string, parts: ApprovalParts): void {
    this.kept.set(id, { project, parts });
    if (this.kept.size <= LIMIT) return;
    const [oldest] = this.kept.keys();
    if (oldest !== undefined) this.kept.delete(oldest);
  }

  partsOf(id: DecisionId): ApprovalParts | undefined {
    return this.kept.get(id)?.parts;
  }

  projectOf(id: DecisionId): string | undefined {
    return this.kept.get(id)?.project;
  }
}
