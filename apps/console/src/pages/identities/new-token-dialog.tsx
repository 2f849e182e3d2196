import {
  Alert,
  Button,
  CopyButton,
  Group,
  Modal,
  MultiSelect,
  NumberInput,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { useState } from 'react';
import { useDraft } from '../../parts/drafts.js';
import { SendForm } from '../../parts/send-form.js';
import { useAttempt } from '../../parts/use-attempt.js';
import { TextBlock } from '../../parts/text-block.js';
import { useMay } from '../../session/use-session.js';
import { issueToken, type NewToken, type Role, ROLES } from './identities.js';

interface Props {
  readonly opened: boolean;
  readonly onClose: () => void;
  readonly onIssued: () => void;
}

const DAYS = 90;

/** Issues a token and shows it this once. It is kept nowhere: not in the address, not in this tab's memory after the dialog. */
export function NewTokenDialog({ opened, onClose, onIssued }: Props) {
  const [token, setToken] = useState<string | null>(null);
  function close(): void {
    setToken(null);
    onClose();
  }
  return (
    <Modal
      opened={opened}
      onClose={close}
      title={token === null ? 'New token' : 'Copy it now'}
      closeOnClickOutside={token === null}
      closeOnEscape={token === null}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {token === null ? (
        <Form
          onCancel={close}
          onDone={(secret) => {
            setToken(secret);
            onIssued();
          }}
        />
      ) : (
        <Shown token={token} onClose={close} />
      )}
    </Modal>
  );
}

function Shown({ token, onClose }: { readonly token: string; readonly onClose: () => void }) {
  return (
    <>
      <Alert color="yellow" variant="light" title="It is shown this once">
        Only a hash of it is stored. Who loses it makes another one.
      </Alert>
      <TextBlock label="The token" text={token} />
      <Group justify="flex-end" mt="md">
        <CopyButton value={token}>
          {({ copied, copy }) => (
            <Button variant="default" onClick={copy}>
              {copied ? 'Copied' : 'Copy'}
            </Button>
          )}
        </CopyButton>
        <Button onClick={onClose}>I have it</Button>
      </Group>
    </>
  );
}

function Form({
  onCancel,
  onDone,
}: {
  readonly onCancel: () => void;
  readonly onDone: (token: string) => void;
}) {
  const mayForServices = useMay()('create:Token');
  const name = useDraft('new-token.name', '');
  const service = useDraft('new-token.service', '');
  const [days, setDays] = useState(DAYS);
  const [roles, setRoles] = useState<readonly Role[]>(['auditor']);
  const [teams, setTeams] = useState<string[]>([]);
  const attempt = useAttempt();

  async function send(): Promise<void> {
    const request: NewToken = {
      name: name.text.trim(),
      expiresInDays: days,
      ...(service.text.trim() === ''
        ? {}
        : { service: { id: service.text.trim(), roles: [...roles], teams } }),
    };
    const { token } = await attempt((key) => issueToken(request, key));
    name.clear();
    service.clear();
    onDone(token);
  }

  return (
    <SendForm submit="Issue" onSend={send} onCancel={onCancel}>
      <TextInput
        label="Name"
        description="What it is for, so that somebody can tell later."
        required
        data-autofocus
        value={name.text}
        onChange={({ currentTarget }) => name.set(currentTarget.value)}
      />
      <NumberInput
        mt="sm"
        label="Days until it expires"
        min={1}
        max={365}
        allowDecimal={false}
        value={days}
        onChange={(value) => setDays(Number(value))}
      />
      {mayForServices ? (
        <>
          <TextInput
            mt="sm"
            label="For a service"
            description="Its name; empty: for yourself, with your roles."
            value={service.text}
            onChange={({ currentTarget }) => service.set(currentTarget.value)}
          />
          {service.text.trim() === '' ? null : (
            <>
              <MultiSelect
                mt="sm"
                label="Roles"
                data={[...ROLES]}
                value={[...roles]}
                onChange={(value) => setRoles(ROLES.filter((role) => value.includes(role)))}
              />
              <TagsInput mt="sm" label="Teams" value={teams} onChange={setTeams} />
            </>
          )}
        </>
      ) : null}
    </SendForm>
  );
}
