import { Alert, Button } from '@mantine/core';
import { useMemo } from 'react';
import { HostileText } from '../../../parts/hostile-text.js';
import { RuleCard } from './rule-card.js';
import { rulesIn, withField, withoutRule, withRule } from './rules-text.js';
import classes from './policy-form.module.css';

interface Props {
  readonly text: string;
  readonly readOnly: boolean;
  readonly onChange: (text: string) => void;
}

/** The rules for people who do not write YAML. It changes the same text that the editor shows. Default export for `lazy`. */
export default function PolicyForm({ text, readOnly, onChange }: Props) {
  const form = useMemo(() => rulesIn(text), [text]);
  if ('broken' in form)
    return (
      <Alert color="yellow" variant="light" title="The text cannot be shown as a form">
        <HostileText text={form.broken} />. Mend it in the text view; nothing is lost.
      </Alert>
    );
  const { rules } = form;
  return (
    <div className={classes['rules']}>
      {rules.length === 0 ? <p>No rule yet.</p> : null}
      {rules.map((rule, index) => (
        <RuleCard
          // A rule is known by its place: its id is being typed.
          key={index}
          rule={rule}
          number={index + 1}
          readOnly={readOnly}
          onChange={(name, value) => onChange(withField(text, index, name, value))}
          onRemove={() => onChange(withoutRule(text, index))}
        />
      ))}
      {readOnly ? null : (
        <Button variant="default" onClick={() => onChange(withRule(text, `rule-${rules.length + 1}`))}>
          Add a rule
        </Button>
      )}
    </div>
  );
}
