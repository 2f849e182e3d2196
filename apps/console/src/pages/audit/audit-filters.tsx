import { Checkbox, NativeSelect, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type SubmitEvent, useState } from 'react';
import { Facet } from '../../parts/facets.js';
import { facets, type FilterName, type Filters } from './audit.js';
import { TimeRange } from './time-range.js';
import classes from './audit-filters.module.css';

const SHOWN = [
  ['verdict', 'Verdict'],
  ['kind', 'Kind'],
  ['tool', 'Tool'],
  ['actor', 'Who'],
  ['team', 'Team'],
  ['rule', 'Rule'],
] as const;

interface Props {
  readonly filters: Filters;
  readonly onFilter: (name: FilterName, value: string | null) => void;
}

/** What there is, with how much of it, and a way to name what is not among the most frequent. */
export function AuditFilters({ filters, onFilter }: Props) {
  const { data } = useQuery({
    queryKey: ['audit', 'facets', filters],
    queryFn: ({ signal }) => facets(filters, signal),
    placeholderData: (before) => before,
  });
  return (
    <>
      <Exactly onFilter={onFilter} />
      <TimeRange from={filters.from ?? null} to={filters.to ?? null} onFilter={onFilter} />
      {SHOWN.map(([name, title]) => (
        <Facet
          key={name}
          title={title}
          values={data?.[name] ?? []}
          chosen={filters[name] ?? null}
          onChoose={(value) => onFilter(name, value)}
        />
      ))}
      <Checkbox
        label="Only where a client's chain did not continue"
        checked={filters.flagged === 'true'}
        onChange={({ currentTarget }) => onFilter('flagged', currentTarget.checked ? 'true' : null)}
      />
    </>
  );
}

const FIELDS = [
  { value: 'actor', label: 'Who' },
  { value: 'session', label: 'Session' },
  { value: 'tool', label: 'Tool' },
  { value: 'rule', label: 'Rule' },
  { value: 'document', label: 'Policy' },
  { value: 'team', label: 'Team' },
  { value: 'agent', label: 'Agent' },
] as const;

function Exactly({ onFilter }: Pick<Props, 'onFilter'>) {
  const [field, setField] = useState<(typeof FIELDS)[number]['value']>('actor');
  const [text, setText] = useState('');

  function submit(event: SubmitEvent): void {
    event.preventDefault();
    if (text.trim() === '') return;
    onFilter(field, text.trim());
    setText('');
  }

  return (
    <form role="search" aria-label="Records" onSubmit={submit} className={classes['exactly']}>
      <NativeSelect
        aria-label="Field"
        data={FIELDS}
        value={field}
        onChange={({ currentTarget }) =>
          setField(FIELDS.find(({ value }) => value === currentTarget.value)?.value ?? 'actor')
        }
      />
      <TextInput
        aria-label="Value"
        placeholder="exactly, then Enter"
        value={text}
        onChange={({ currentTarget }) => setText(currentTarget.value)}
      />
    </form>
  );
}
