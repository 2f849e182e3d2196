import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { JsonBlock } from '../../parts/json-block.js';
import { Section } from '../../parts/section.js';
import type { Approval } from './approvals.js';
import type { CallFacts } from '../../parts/call/call-facts.js';

/** Who asks, and which rule made a question of it. */
export function WhoAndWhy({ request, facts }: { readonly request: Approval; readonly facts: CallFacts }) {
  const { requester, because, rule, document, revision, tool, session, need, approvers } = request;
  const { from, excludeRequester } = approvers;
  const others = facts.actor.filter(([what, name]) => what !== 'user' || name !== requester.id);
  return (
    <Section title="Who asks, and why you">
      <Fields
        rows={[
          ['Why', <HostileText key="why" text={because} />],
          [
            'Rule',
            rule === null ? null : (
              <span key="rule">
                <code>
                  <HostileText text={rule} />
                </code>
                {document === null
                  ? null
                  : ` in ${document}${revision === null ? '' : `, revision ${revision}`}`}
              </span>
            ),
          ],
          ['Asked by', <HostileText key="by" text={`${requester.name} (${requester.id})`} />],
          ...others.map(([what, name]) => [capital(what), <HostileText key={what} text={name} />] as const),
          ['Tool', `${tool}${facts.risk === null ? '' : `, ${facts.risk}`}`],
          ['Capabilities', facts.capabilities.length === 0 ? null : facts.capabilities.join(', ')],
          ['Project', facts.project === null ? null : <HostileText key="project" text={facts.project} />],
          ['Session', session],
          [
            'May answer',
            `${from.length === 0 ? 'any approver' : from.join(', ')}${need > 1 ? `; ${need} of them must say yes` : ''}${
              excludeRequester ? '; not who asks' : ''
            }`,
          ],
        ]}
      />
      <details>
        <summary>Everything that was sent</summary>
        <JsonBlock label="Facts of the call" value={request.facts} />
      </details>
    </Section>
  );
}

function capital(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}
