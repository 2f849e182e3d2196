import { Button, Radio } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Card } from '../../parts/card.js';
import { EmptyState } from '../../parts/empty-state.js';
import { Fields } from '../../parts/fields.js';
import { HostileText } from '../../parts/hostile-text.js';
import { Loading } from '../../parts/loading.js';
import { ProblemNote } from '../../parts/problem-note.js';
import { RelativeTime } from '../../parts/relative-time.js';
import { useSending } from '../../parts/use-sending.js';
import { useSession } from '../../session/use-session.js';
import classes from './enrol.module.css';
import { decide, type Enrolment, enrolment, enrolmentKey } from './enrolments.js';

interface Props {
  readonly code: string;
  readonly onOther: () => void;
}

/** The machine behind a code, and the question whether it is this person's. */
export function DeviceCard({ code, onOther }: Props) {
  const { data, error, refetch } = useQuery({
    queryKey: enrolmentKey(code),
    queryFn: ({ signal }) => enrolment(code, signal),
  });
  const other = (
    <Button variant="default" onClick={onOther}>
      Another code
    </Button>
  );
  if (error !== null)
    return (
      <>
        <ProblemNote error={error} onRetry={() => void refetch()} />
        <div className={classes['answers']}>{other}</div>
      </>
    );
  if (data === undefined) return <Loading what="the machine" />;
  if (data.state === 'pending') return <Question device={data} onOther={onOther} />;
  const { icon, title, text } = OUTCOMES[data.state];
  return (
    <EmptyState icon={icon} title={title}>
      <p>{text}</p>
      {other}
    </EmptyState>
  );
}

function Question({ device, onOther }: { readonly device: Enrolment; readonly onOther: () => void }) {
  const { userCode, client, createdAt, expiresAt } = device;
  const { teams, user } = useSession();
  const queries = useQueryClient();
  const [first] = teams;
  const [team, setTeam] = useState(first ?? null);
  const { busy, error, send } = useSending();
  const answer = (approve: boolean): void =>
    void send(async () => {
      queries.setQueryData(enrolmentKey(userCode), await decide(userCode, approve, approve ? team : null));
    });
  return (
    <Card title="Is this your machine?">
      <p className={classes['code']}>
        <span className="visually-hidden">Code </span>
        {userCode}
      </p>
      <Fields
        rows={[
          ['Machine', <HostileText key="host" text={client.host} />],
          ['Program', <HostileText key="program" text={`${client.name} ${client.version}`} />],
          ['System', <HostileText key="system" text={client.platform} />],
          ['Asked', <RelativeTime key="at" at={createdAt} />],
          ['Code ends', <RelativeTime key="end" at={expiresAt} />],
          ['Would act for', <HostileText key="user" text={`${user.name} (${user.id})`} />],
        ]}
      />
      <p>
        The machine says this of itself. Let it in only if you have just typed <code>wstack login</code> there
        and it shows the same code: it then asks for approvals and runs tools in your name.
      </p>
      {teams.length < 2 ? null : (
        <Radio.Group label="For which of your teams" value={team} onChange={setTeam}>
          {teams.map((name) => (
            <Radio key={name} mt="xs" value={name} label={<HostileText text={name} />} />
          ))}
        </Radio.Group>
      )}
      {error === null ? null : <ProblemNote error={error} />}
      <div className={classes['answers']}>
        <Button variant="subtle" onClick={onOther}>
          Another code
        </Button>
        <Button color="red" variant="light" disabled={busy} onClick={() => answer(false)}>
          It is not mine
        </Button>
        <Button color="pine" loading={busy} onClick={() => answer(true)}>
          Let it in
        </Button>
      </div>
    </Card>
  );
}

const LET_IN = {
  icon: 'check',
  title: 'The machine is let in',
  text: 'It goes on by itself within a few seconds. You find it, and can revoke it, under Identities, Agents.',
} as const;
const OUTCOMES = {
  approved: LET_IN,
  used: LET_IN,
  denied: {
    icon: 'ban',
    title: 'The machine was turned away',
    text: 'Whoever waits there is told so. If somebody sent you the code, tell an admin.',
  },
  expired: {
    icon: 'clock',
    title: 'This code has expired',
    text: 'Type wstack login on the machine again: it shows a new one.',
  },
} as const;
