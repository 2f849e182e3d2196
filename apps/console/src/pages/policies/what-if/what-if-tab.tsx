import { Button, Checkbox, Group, JsonInput, Select, SegmentedControl, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../../parts/card.js';
import { useDraft } from '../../../parts/drafts.js';
import { ProblemNote } from '../../../parts/problem-note.js';
import { useSending } from '../../../parts/use-sending.js';
import { useLanguage } from '../editor/use-language.js';
import type { Policy } from '../policies.js';
import { ExplanationView } from './explanation-view.js';
import { ask, type Explanation, type Question } from './questions.js';
import classes from './what-if-tab.module.css';

type Under = 'draft' | 'force';

/** A call that somebody thinks of, and how it would be decided. Default export for `lazy`. */
export default function WhatIfTab({ policy }: { readonly policy: Policy }) {
  const language = useLanguage();
  const tool = useDraft('what-if.tool', 'bash');
  const input = useDraft('what-if.input', '{ "command": "kubectl drain n1" }');
  const user = useDraft('what-if.user', '');
  const team = useDraft('what-if.team', policy.tier === 'team' ? (policy.ref ?? '') : '');
  const [interactive, setInteractive] = useState(true);
  const [yolo, setYolo] = useState(false);
  const [under, setUnder] = useState<Under>(policy.draft === null ? 'force' : 'draft');
  const { busy, error, send } = useSending();
  const [answer, setAnswer] = useState<Explanation | null>(null);
  const parsed = objectIn(input.text);

  async function question(): Promise<void> {
    if (parsed === null) return;
    setAnswer(null);
    const asked: Question = {
      call: { tool: tool.text, input: parsed },
      who: {
        ...(user.text.trim() === '' ? {} : { user: user.text.trim() }),
        ...(team.text.trim() === '' ? {} : { team: team.text.trim() }),
      },
      session: { interactive, yolo },
      ...(under === 'draft' ? { document: { policy: policy.id } } : {}),
    };
    setAnswer(await ask(asked));
  }

  return (
    <div className={classes['columns']}>
      <Card title="A call">
        <form
          className={classes['form']}
          onSubmit={(event) => {
            event.preventDefault();
            void send(question);
          }}
        >
          <Select
            label="Tool"
            searchable
            allowDeselect={false}
            data={language?.tools.map(({ name }) => name) ?? [tool.text]}
            value={tool.text}
            onChange={(value) => tool.set(value ?? tool.text)}
          />
          <JsonInput
            label="Input"
            description="As the model would send it."
            autosize
            minRows={3}
            value={input.text}
            onChange={input.set}
            error={parsed === null ? 'This is no JSON object.' : null}
          />
          <Group grow align="flex-start">
            <TextInput
              label="Who"
              placeholder="anybody"
              value={user.text}
              onChange={({ currentTarget }) => user.set(currentTarget.value)}
            />
            <TextInput
              label="Team"
              placeholder="none"
              value={team.text}
              onChange={({ currentTarget }) => team.set(currentTarget.value)}
            />
          </Group>
          <Group>
            <Checkbox
              label="Somebody is there to answer"
              checked={interactive}
              onChange={({ currentTarget }) => setInteractive(currentTarget.checked)}
            />
            <Checkbox
              label="YOLO mode"
              checked={yolo}
              onChange={({ currentTarget }) => setYolo(currentTarget.checked)}
            />
          </Group>
          <SegmentedControl
            aria-label="Under which rules"
            data={[
              { value: 'force', label: 'What is in force' },
              { value: 'draft', label: 'With the saved draft', disabled: policy.draft === null },
            ]}
            value={under}
            onChange={(value) => setUnder(value)}
          />
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={parsed === null}>
              Ask
            </Button>
          </Group>
        </form>
      </Card>
      <div aria-live="polite">
        {error === null ? null : <ProblemNote error={error} />}
        {answer === null ? null : <ExplanationView explanation={answer} />}
      </div>
    </div>
  );
}

function objectIn(text: string): Record<string, unknown> | null {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}
