import { DiffView } from '../../parts/diff-view.js';
import { HostileText } from '../../parts/hostile-text.js';
import { JsonBlock } from '../../parts/json-block.js';
import { Section } from '../../parts/section.js';
import { TextBlock } from '../../parts/text-block.js';
import type { Approval } from './approvals.js';
import { readCard } from '../../parts/call/call-card.js';
import type { CallFacts } from '../../parts/call/call-facts.js';
import classes from './what-runs.module.css';

/** The whole of it: nobody says yes to a part. */
export function WhatRuns({ request, facts }: { readonly request: Approval; readonly facts: CallFacts }) {
  const card = readCard(request.view);
  switch (card.is) {
    case 'command':
      return (
        <Section title="What would run">
          <TextBlock label="The command" text={card.text} lines={null} />
          <Place cwd={card.cwd ?? facts.cwd} />
        </Section>
      );
    case 'changes':
      return (
        <Section title="What would change">
          {card.diffs.map((change) => (
            <div key={change.path} className={classes['file']}>
              <p className={classes['path']}>
                <code>
                  <HostileText text={change.path} />
                </code>
                {change.before === null ? ' (new)' : null}
              </p>
              <DiffView label={`Changes of ${change.path}`} {...change} />
            </div>
          ))}
        </Section>
      );
    case 'other':
      return (
        <Section title={`What ${request.tool} was asked`}>
          {card.title === null ? null : <TextBlock label="The call" text={card.title} lines={null} />}
          <JsonBlock label="Its input" value={card.input} />
          <Place cwd={facts.cwd} />
        </Section>
      );
  }
}

function Place({ cwd }: { readonly cwd: string | null }) {
  if (cwd === null) return null;
  return (
    <p className={classes['place']}>
      in{' '}
      <code>
        <HostileText text={cwd} />
      </code>
    </p>
  );
}
