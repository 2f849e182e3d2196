import { WrongStackError } from '@wrongstack/contracts';
import type { PolicyRule } from './policy-document.js';

/** The text with one more rule at its end; everything else, comments included, stays as it was written. */
export async function addRule(text: string, rule: PolicyRule): Promise<string> {
  const yaml = await import('yaml');
  const document = yaml.parseDocument(text, { version: '1.2', schema: 'core' });
  const rules = document.get('rules');
  if (document.errors.length > 0 || !yaml.isSeq(rules))
    throw new WrongStackError('policy.invalid', 'the policy has no list of rules to add to');
  rules.add(document.createNode(rule, { aliasDuplicateObjects: false }));
  return document.toString({ lineWidth: 0 });
}
