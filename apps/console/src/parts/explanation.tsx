import type { operations } from '../client/schema.js';
import { Fields } from './fields.js';
import { HostileText } from './hostile-text.js';
import { Section } from './section.js';
import { Badge, VerdictBadge } from './verdict-badge.js';
import classes from './explanation.module.css';

/** Why a call was decided so, as the API explains it: of a record, or of a call that is only tried. */
export type ExplanationView = operations['auditExplanation']['responses'][200]['content']['application/json'];

/** The verdict, everything that demanded something and what lowered it, every rule that mattered, and those that came close. */
export function Explanation({ view }: { readonly view: ExplanationView }) {
  const { verdict, demanded, by, because, instead, approvers, obligations, trust, policy, micros } = view;
  return (
    <>
      <div>
        <p className={classes['verdict']}>
          <VerdictBadge verdict={verdict} /> by <HostileText text={by} />
        </p>
        <p className={classes['because']}>
          <HostileText text={because} />
        </p>
        {instead === null ? null : (
          <p className={classes['instead']}>
            Instead: <HostileText text={instead} />
          </p>
        )}
      </div>
      <Demands demands={view.demands} />
      <Matches matches={view.matches} />
      <NoMatches noMatch={view.noMatch} />
      <Section title="What it was decided on">
        <ul className={classes['facts']}>
          {view.facts.map((fact) => (
            <li key={fact}>
              <HostileText text={fact} />
            </li>
          ))}
        </ul>
        <Fields
          rows={[
            ['Demanded', demanded === null ? null : `${demanded}: nobody was there to answer`],
            ['Approvers', approvers === null ? null : <HostileText key="approvers" text={approvers} />],
            [
              'Obligations',
              obligations.length === 0 ? null : <HostileText key="o" text={obligations.join('; ')} />,
            ],
            ['Trust', trust === '' ? null : <HostileText key="trust" text={trust} />],
            ['Policy', policy === '' ? null : <HostileText key="policy" text={policy} />],
            ['Took', `${micros} µs`],
          ]}
        />
      </Section>
    </>
  );
}

function Demands({ demands }: Pick<ExplanationView, 'demands'>) {
  if (demands.length === 0) return null;
  return (
    <Section title="What demanded something">
      <ul className={classes['list']}>
        {demands.map(({ verdict, reason, kind, source, document, outcome }, index) => (
          <li key={index} className={classes['item']} data-lowered={outcome !== 'not lowered'}>
            <p className={classes['line']}>
              <VerdictBadge verdict={verdict} /> <HostileText text={reason} />
            </p>
            <p className={classes['small']}>
              <HostileText
                text={[source, document, `${kind} floor`, outcome].filter((part) => part !== '').join(' · ')}
              />
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Matches({ matches }: Pick<ExplanationView, 'matches'>) {
  if (matches.length === 0) return null;
  return (
    <Section title="Other rules that matched">
      <ul className={classes['list']}>
        {matches.map(({ rule, effect, document, because, on, outcome }, index) => (
          <li key={index} className={classes['item']}>
            <p className={classes['line']}>
              <Badge tone="quiet">{effect}</Badge> <HostileText text={rule} />
            </p>
            <p className={classes['small']}>
              <HostileText text={[document, outcome, because].filter((part) => part !== '').join(' · ')} />
              {on === null ? null : (
                <>
                  {' · on '}
                  <code>
                    <HostileText text={on} />
                  </code>
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function NoMatches({ noMatch }: Pick<ExplanationView, 'noMatch'>) {
  if (noMatch.length === 0) return null;
  return (
    <details>
      <summary>Rules that came close</summary>
      <ul className={classes['list']}>
        {noMatch.map(({ rule, reason }) => (
          <li key={rule} className={classes['item']}>
            <HostileText text={`${rule}: ${reason}`} />
          </li>
        ))}
      </ul>
    </details>
  );
}
