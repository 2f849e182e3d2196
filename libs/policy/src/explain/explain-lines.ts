import type { ExplainView } from './explain-view.js';

/** One line of the explanation: a label in the first column, then text. The terminal colours it; here it is plain. */
export interface ExplainLine {
  readonly label: string;
  readonly text: string;
}

/** The whole explanation, the answer first. */
export function explainLines(view: ExplainView): readonly ExplainLine[] {
  const channel =
    view.demanded === null ? '' : ` (policy asked for ${view.demanded}; nobody can answer here)`;
  const lines: ExplainLine[] = [
    { label: view.verdict.toUpperCase(), text: `${view.by} · ${view.micros} µs${channel}` },
    ...view.demands.map(({ verdict, source, document, kind, reason, outcome }) => ({
      label: verdict,
      text: [source, document, kind, outcome === 'not lowered' && kind === 'hard' ? '' : outcome, reason]
        .filter((part) => part !== '')
        .join(' · '),
    })),
    ...view.matches.map(({ rule, effect, document, on, outcome }) => ({
      label: effect,
      text: `rule ${rule} · ${document}${on === null ? '' : ` · on ${on}`} · ${outcome}`,
    })),
    { label: 'because', text: view.because },
  ];
  if (view.instead !== null) lines.push({ label: 'instead', text: view.instead });
  if (view.approvers !== null) lines.push({ label: 'approvers', text: view.approvers });
  lines.push(...view.obligations.map((text) => ({ label: 'oblige', text })));
  lines.push(...view.facts.map((text, index) => ({ label: index === 0 ? 'facts' : '', text })));
  lines.push({
    label: 'policy',
    text: `${view.policy} · facts ${view.factsDigest.slice(0, 'sha256:'.length + 12)}…`,
  });
  lines.push({ label: 'always', text: view.trust });
  lines.push(...view.noMatch.map(({ rule, reason }) => ({ label: 'no match', text: `${rule}: ${reason}` })));
  return lines;
}

/** Labels in one column, as `wstack policy explain` prints them where there is no colour. */
export function explainText(view: ExplainView): string {
  const [first, ...rest] = explainLines(view);
  const body = rest.map(({ label, text }) => `  ${label.padEnd(9)} ${text}`);
  return [`${first?.label ?? ''} · ${first?.text ?? ''}`, ...body].join('\n');
}
