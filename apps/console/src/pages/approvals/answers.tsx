import { HostileText } from '../../parts/hostile-text.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { Section } from '../../parts/section.js';
import { Badge } from '../../parts/verdict-badge.js';
import type { Approval } from './approvals.js';
import classes from './answers.module.css';

/** Who has answered, and what they said. */
export function Answers({ request: { decisions, need, have, state } }: { readonly request: Approval }) {
  if (decisions.length === 0) return null;
  return (
    <Section title={state === 'pending' ? `${have} of ${need} yes` : 'What was answered'}>
      <ul className={classes['list']}>
        {decisions.map(({ by, decision, reason, at }) => (
          <li key={`${by} ${at}`} className={classes['answer']}>
            <p className={classes['line']}>
              <Badge
                tone={decision === 'approve' ? 'allow' : 'deny'}
                mark={decision === 'approve' ? 'check' : 'close'}
              >
                {decision === 'approve' ? 'yes' : 'no'}
              </Badge>{' '}
              <HostileText text={by} /> · <RelativeTime at={at} />
            </p>
            {reason === null || reason === '' ? null : (
              <p className={classes['reason']}>
                <HostileText text={reason} />
              </p>
            )}
          </li>
        ))}
      </ul>
    </Section>
  );
}
