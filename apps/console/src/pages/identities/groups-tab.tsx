import { Button, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { Card } from '../../parts/card.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { useMay } from '../../session/use-session.js';
import { changeMappings, mappings, type Mappings, ROLES } from './identities.js';
import classes from './identities.module.css';
import { SaveBar } from './save-bar.js';
import { useTaggedForm } from './use-tagged-form.js';

type Mapping = Mappings['mappings'][number];

/** What membership in a group of the identity provider gives here. */
export function GroupsTab() {
  const readOnly = !useMay()('update:User');
  const form = useTaggedForm({ key: 'group-mappings', read: mappings, write: changeMappings });
  if (form.value === null)
    return form.error === null ? (
      <Loading what="groups" />
    ) : (
      <ProblemNote error={form.error} onRetry={form.reload} />
    );
  const rows = form.value.mappings;
  const change = (index: number, part: Partial<Mapping>): void =>
    form.set({ mappings: rows.map((row, at) => (at === index ? { ...row, ...part } : row)) });
  return (
    <Card title="Groups of the identity provider">
      {rows.length === 0 ? <p>No group means anything here yet.</p> : null}
      {rows.map(({ group, teams, roles }, index) => (
        <fieldset
          key={index}
          className={classes['row']}
          disabled={readOnly}
          aria-label={`Group ${index + 1}`}
        >
          <TextInput
            label="Group"
            value={group}
            onChange={({ currentTarget }) => change(index, { group: currentTarget.value })}
          />
          <TagsInput label="Teams" value={[...teams]} onChange={(value) => change(index, { teams: value })} />
          <MultiSelect
            label="Roles"
            data={[...ROLES]}
            value={[...roles]}
            onChange={(value) => change(index, { roles: ROLES.filter((role) => value.includes(role)) })}
          />
          {readOnly ? null : (
            <Button
              variant="subtle"
              color="red"
              onClick={() => form.set({ mappings: rows.filter((_, at) => at !== index) })}
            >
              Remove
            </Button>
          )}
        </fieldset>
      ))}
      {readOnly ? null : (
        <>
          <Button
            variant="default"
            onClick={() => form.set({ mappings: [...rows, { group: '', teams: [], roles: ['developer'] }] })}
          >
            Add a group
          </Button>
          <SaveBar form={form} />
        </>
      )}
    </Card>
  );
}
