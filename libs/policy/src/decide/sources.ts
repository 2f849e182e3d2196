import type { DecisionSource } from '@wrongstack/contracts';
import type { CompiledRule } from '../rules/compiled-rule.js';

export function ruleSource(rule: CompiledRule): DecisionSource {
  return { kind: 'rule', id: rule.id, tier: rule.tier, document: rule.document, revision: rule.revision };
}

export function floorSource(id: string): DecisionSource {
  return { kind: 'floor', id };
}

export const YOLO: DecisionSource = { kind: 'user', id: 'yolo' };
