import type { ReactNode } from 'react';
import { HostileText } from '../../../parts/hostile-text.js';
import { Loading } from '../../../parts/loading.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { Badge } from '../../../parts/verdict-badge.js';
import type { Checked } from './checks.js';
import type { Check } from './use-check.js';
import classes from './check-panel.module.css';

const LEVELS = { error: 'deny', warning: 'confirm', note: 'quiet' } as const;

/** Beside the text: what is wrong with it, what looks like a mistake, and how its own tests go. */
export function CheckPanel({ check: { result, behind, error, again } }: { readonly check: Check }) {
  return (
    <aside className={classes['panel']} aria-label="Checks" data-behind={behind}>
      {error === null ? null : <ProblemNote error={error} onRetry={again} />}
      {result === null ? error === null && <Loading what="the checks" /> : <Result result={result} />}
    </aside>
  );
}

function Result({ result: { problems, findings, tests } }: { readonly result: Checked }) {
  return (
    <div aria-live="polite">
      {problems.length === 0 ? null : (
        <Section title={`Problems (${problems.length})`}>
          {problems.map(({ line, path, message }, index) => (
            <li key={index}>
              <Badge tone="deny" mark="ban">
                {line === null ? 'document' : `line ${line}`}
              </Badge>{' '}
              {path === '' ? null : (
                <code>
                  <HostileText text={path} />
                </code>
              )}{' '}
              <HostileText text={message} />
            </li>
          ))}
        </Section>
      )}
      {tests === null ? null : <Tests tests={tests} />}
      {findings.length === 0 ? null : (
        <Section title={`Probably not meant (${findings.length})`}>
          {findings.map(({ code, level, rule, message }, index) => (
            <li key={index}>
              <Badge tone={LEVELS[level]} mark="alert">
                {code}
              </Badge>{' '}
              {rule === null ? null : (
                <code>
                  <HostileText text={rule} />
                </code>
              )}{' '}
              <HostileText text={message} />
            </li>
          ))}
        </Section>
      )}
    </div>
  );
}

function Tests({ tests: { tests } }: { readonly tests: NonNullable<Checked['tests']> }) {
  const failed = tests.filter(({ passed }) => !passed).length;
  const title =
    tests.length === 0
      ? 'No tests yet'
      : failed === 0
        ? `All ${tests.length} tests pass`
        : `${failed} of ${tests.length} tests fail`;
  return (
    <Section title={title}>
      {tests.map(({ name, passed, message }, index) => (
        <li key={index}>
          <Badge tone={passed ? 'allow' : 'deny'} mark={passed ? 'check' : 'ban'}>
            {passed ? 'passes' : 'fails'}
          </Badge>{' '}
          <HostileText text={name} />
          {message === null ? null : (
            <p className={classes['message']}>
              <HostileText text={message} />
            </p>
          )}
        </li>
      ))}
    </Section>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }) {
  return (
    <section>
      <h2 className={classes['title']}>{title}</h2>
      <ul className={classes['list']}>{children}</ul>
    </section>
  );
}
