import { Button, TextInput } from '@mantine/core';
import { useState } from 'react';
import { Card } from '../../parts/card.js';
import { useFilters } from '../../parts/use-filters.js';
import { Page } from '../../shell/page.js';
import { DeviceCard } from './device-card.js';
import { codeIn } from './device-code.js';
import classes from './enrol.module.css';

const FILTERS = ['code'] as const;

/** Where `wstack login` sends somebody: is the machine that shows this code theirs? */
export default function EnrolPage() {
  const [{ code: named = '' }, setFilter] = useFilters(FILTERS);
  const code = codeIn(named);
  return (
    <Page
      title="Let a machine in"
      lead="wstack login shows a code on the machine. Whoever confirms it here lets that machine act for them."
    >
      {code === null ? (
        <CodeForm given={named} onCode={(next) => setFilter('code', next)} />
      ) : (
        <DeviceCard key={code} code={code} onOther={() => setFilter('code', null)} />
      )}
    </Page>
  );
}

function CodeForm({ given, onCode }: { readonly given: string; readonly onCode: (code: string) => void }) {
  const [typed, setTyped] = useState(given);
  const [tried, setTried] = useState(given !== '');
  const code = codeIn(typed);
  return (
    <Card title="The code">
      <form
        className={classes['form']}
        onSubmit={(event) => {
          event.preventDefault();
          setTried(true);
          if (code !== null) onCode(code);
        }}
      >
        <TextInput
          label="Code on the machine"
          description="Eight letters. Only type what your own machine shows: nobody else has to send you one."
          placeholder="BCDF-GHJK"
          autoComplete="off"
          spellCheck={false}
          required
          error={tried && code === null ? 'A code has eight letters, such as BCDF-GHJK.' : null}
          value={typed}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
        />
        <Button type="submit">Show the machine</Button>
      </form>
    </Card>
  );
}
