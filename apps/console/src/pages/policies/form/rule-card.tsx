import { Button, Checkbox, Select, TagsInput, Textarea, TextInput } from '@mantine/core';
import { useState } from 'react';
import { HostileText } from '../../../parts/hostile-text.js';
import { Badge } from '../../../parts/verdict-badge.js';
import { useLanguage } from '../editor/use-language.js';
import { EFFECTS, type RuleFields } from './rules-text.js';
import classes from './policy-form.module.css';

interface Props {
  readonly rule: RuleFields;
  readonly number: number;
  readonly readOnly: boolean;
  readonly onChange: <Name extends Exclude<keyof RuleFields, 'more'>>(
    name: Name,
    value: RuleFields[Name],
  ) => void;
  readonly onRemove: () => void;
}

const TONES = {
  allow: 'allow',
  confirm: 'confirm',
  approve: 'approve',
  deny: 'deny',
  oblige: 'quiet',
} as const;
const EFFECT_WORDS = {
  allow: 'allow – runs without asking',
  confirm: 'confirm – the person is asked',
  approve: 'approve – other people are asked',
  deny: 'deny – never runs',
  oblige: 'oblige – runs under conditions',
} as const;

/** One rule: a sentence of it, and its fields when it is opened. */
export function RuleCard({ rule, number, readOnly, onChange, onRemove }: Props) {
  const [open, setOpen] = useState(false);
  const { id, effect, because, shadow } = rule;
  return (
    <section className={classes['rule']} aria-label={`Rule ${number}`}>
      <button
        type="button"
        className={classes['summary']}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        <Badge tone={TONES[effect]}>{effect}</Badge>
        <strong>
          <HostileText text={id === '' ? '(no id)' : id} />
        </strong>
        <span className={classes['because']}>
          <HostileText text={because} />
        </span>
        {shadow ? <Badge tone="quiet">shadow</Badge> : null}
      </button>
      {open ? <RuleFieldset {...{ rule, readOnly, onChange, onRemove }} /> : null}
    </section>
  );
}

function RuleFieldset({ rule, readOnly, onChange, onRemove }: Omit<Props, 'number'>) {
  const { effect, more } = rule;
  const { capabilities = [] } = useLanguage() ?? {};
  return (
    <fieldset className={classes['fields']} disabled={readOnly}>
      <TextInput
        label="Id"
        description="Named in every denial, and in the audit log."
        value={rule.id}
        onChange={({ currentTarget }) => onChange('id', currentTarget.value)}
      />
      <Select
        label="Effect"
        data={EFFECTS.map((value) => ({ value, label: EFFECT_WORDS[value] }))}
        allowDeselect={false}
        value={effect}
        onChange={(value) => onChange('effect', EFFECTS.find((one) => one === value) ?? effect)}
      />
      <TagsInput
        label="Capabilities"
        description="What the call must need for the rule to speak; * is any."
        data={[...capabilities]}
        value={[...rule.actions]}
        onChange={(value) => onChange('actions', value)}
      />
      <TagsInput
        label="Command words"
        description="In this order, such as: terraform, apply. Empty: any command."
        value={[...rule.argv]}
        onChange={(value) => onChange('argv', value)}
      />
      <TagsInput
        label="Paths"
        description="Globs, such as infra/**. It matches when some path of the call does."
        value={[...rule.paths]}
        onChange={(value) => onChange('paths', value)}
      />
      <TagsInput
        label="Hosts"
        description="Such as *.example.com."
        value={[...rule.hosts]}
        onChange={(value) => onChange('hosts', value)}
      />
      <Textarea
        label="Because"
        description="Whoever is refused reads this."
        autosize
        value={rule.because}
        onChange={({ currentTarget }) => onChange('because', currentTarget.value)}
      />
      <TextInput
        label="Instead"
        description="What to do in its place."
        value={rule.instead}
        onChange={({ currentTarget }) => onChange('instead', currentTarget.value)}
      />
      <Checkbox
        label="Shadow: counted, never applied"
        checked={rule.shadow}
        onChange={({ currentTarget }) => onChange('shadow', currentTarget.checked)}
      />
      {more.length === 0 ? null : (
        <p className={classes['more']}>Only in the text: {more.map((name) => `${name} `)}</p>
      )}
      {readOnly ? null : (
        <Button variant="subtle" color="red" onClick={onRemove}>
          Remove this rule
        </Button>
      )}
    </fieldset>
  );
}
