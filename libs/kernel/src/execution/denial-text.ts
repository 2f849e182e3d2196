import type { Decision, DecisionSource } from '@wrongstack/contracts';

/** What the model is told about a call that policy stopped: the rule, because, instead. Never the facts. */
export function denialText(decision: Decision): string {
  const instead = decision.instead === null ? '' : ` Instead: ${sentence(decision.instead)}`;
  const asked =
    decision.verdict === 'deny' && decision.demanded !== 'deny'
      ? ` It needs ${decision.demanded === 'confirm' ? 'a yes from a person' : 'the approval of others'}, and nobody can be asked here.`
      : '';
  return `Denied by ${sourceText(decision.by)}. Because: ${sentence(decision.because)}${instead}${asked} Nothing ran.`;
}

/** `rule no-prod-kube (team payments r42)`. */
export function sourceText(source: DecisionSource): string {
  const where = [
    source.tier,
    source.document,
    source.revision === undefined ? undefined : `r${source.revision}`,
  ]
    .filter((part) => part !== undefined)
    .join(' ');
  return where === '' ? `${source.kind} ${source.id}` : `${source.kind} ${source.id} (${where})`;
}

function sentence(text: string): string {
  const line = text.replace(/\s*\n\s*/g, ' ').trim();
  return /[.!?]$/.test(line) ? line : `${line}.`;
}
