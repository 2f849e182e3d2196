import { CallTargets } from '../../parts/call/call-targets.js';
import { readFacts } from '../../parts/call/call-facts.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { Section } from '../../parts/section.js';
import { TextBlock } from '../../parts/text-block.js';
import { Badge, VerdictBadge } from '../../parts/verdict-badge.js';
import type { DecisionView, FloorView, MatchView } from './decision-view.js';
import classes from './decision-explanation.module.css';

/** Why it was decided so: everything that demanded something, what lowered it, and what stood at the end. */
export function DecisionExplanation({ decision }: { readonly decision: DecisionView }) {
  const { verdict, demanded, by, because, instead, floors, matches, command, tool, policy, micros } =
    decision;
  const facts = readFacts(decision.facts);
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
      <Section title="The call">
        {command === null ? null : <TextBlock label="The command" text={command} />}
        <Fields
          rows={[
            ['Tool', <HostileText key="tool" text={tool} />],
            [
              'Demanded',
              demanded === null || demanded === verdict ? null : `${demanded}, before the channel`,
            ],
            ['In', facts.cwd === null ? null : <HostileText key="in" text={facts.cwd} />],
            ['Capabilities', facts.capabilities.length === 0 ? null : facts.capabilities.join(', ')],
            ['Policy', policy],
            ['Took', micros === null ? null : `${micros} µs`],
          ]}
        />
      </Section>
      <Floors floors={floors} />
      <Matches matches={matches} />
      <CallTargets facts={facts} />
    </>
  );
}

function Floors({ floors }: { readonly floors: readonly FloorView[] }) {
  if (floors.length === 0) return null;
  return (
    <Section title="What demanded something">
      <ul className={classes['list']}>
        {floors.map(({ kind, verdict, source, reason, loweredBy }, index) => (
          <li key={index} className={classes['item']} data-lowered={loweredBy !== null}>
            <p className={classes['line']}>
              {verdict === null ? null : <VerdictBadge verdict={verdict} />} <HostileText text={reason} />
            </p>
            <p className={classes['small']}>
              {kind} floor of <HostileText text={source} />
              {loweredBy === null ? (
                ', stands'
              ) : (
                <>
                  , lowered by <HostileText text={loweredBy} />
                </>
              )}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Matches({ matches }: { readonly matches: readonly MatchView[] }) {
  if (matches.length === 0) return null;
  return (
    <Section title="Rules that matched">
      <ul className={classes['list']}>
        {matches.map(({ id, effect, where, because, applied, on }, index) => (
          <li key={index} className={classes['item']} data-lowered={!applied}>
            <p className={classes['line']}>
              <Badge tone="quiet">{effect}</Badge> <HostileText text={`${id} ${where}`} />
            </p>
            <p className={classes['small']}>
              <HostileText text={because} />
              {on === null ? null : (
                <>
                  {' '}
                  · on{' '}
                  <code>
                    <HostileText text={on} />
                  </code>
                </>
              )}
              {applied ? null : ' · not applied'}
            </p>
          </li>
        ))}
      </ul>
    </Section>
  );
}
