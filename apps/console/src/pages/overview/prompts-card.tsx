import { count, percent } from '../../parts/amounts.js';
import { BarList } from '../../parts/bar-list.js';
import { Card } from '../../parts/card.js';
import type { Series } from '../../parts/charts/time-chart-props.js';
import { TimeChart } from '../../parts/charts/time-chart.js';
import { HostileText } from '../../parts/hostile-text.js';
import { MoreLink } from '../../parts/more-link.js';
import type { CardProps } from './sources.js';
import { answerWord, fatigueOf } from './fatigue.js';
import { Nothing } from './nothing.js';
import classes from './prompts-card.module.css';

const PROMPTS: readonly Series[] = [{ key: 'prompts', label: 'prompts', colour: '--ws-chart-3' }];

/** How often people are asked, and whether they still read it. */
export function PromptsCard({ overview: { prompts, series }, sources }: CardProps) {
  return (
    <Card
      title="Prompt fatigue"
      badge={<MoreLink href={sources.audit({ kind: 'approval' })}>Answers</MoreLink>}
    >
      {prompts.asked === 0 ? (
        <Nothing>No command line has reported a prompt in this time.</Nothing>
      ) : (
        <>
          <Habit {...fatigueOf(prompts)} />
          <div className={classes['parts']}>
            <TimeChart
              title="Prompts shown"
              kind="columns"
              height={200}
              series={PROMPTS}
              points={series.map((step) => ({ at: step.from, values: { prompts: step.prompts } }))}
            />
            <BarList
              label="How prompts were answered"
              tone="quiet"
              bars={prompts.byAnswer.map(({ answer, count: answers }) => ({
                key: answer,
                label: <HostileText text={answerWord(answer)} />,
                value: answers,
                text: count(answers),
                note: percent(answers, prompts.asked),
                href: null,
              }))}
            />
          </div>
        </>
      )}
    </Card>
  );
}

function Habit({ yes, answered, tiring }: ReturnType<typeof fatigueOf>) {
  if (answered === 0) return null;
  return (
    <p className={classes['habit']} data-tiring={tiring}>
      {percent(yes, answered)} of the answers typed were a yes.
      {tiring
        ? ' Questions like that are soon answered unread: let a rule allow what always gets a yes.'
        : ' People still weigh what they are asked.'}
    </p>
  );
}
