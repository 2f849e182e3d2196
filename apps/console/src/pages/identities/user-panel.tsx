import { Checkbox, MultiSelect, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { HostileText } from '../../parts/hostile-text.js';
import { notify } from '../../parts/notify.js';
import { SendForm } from '../../parts/send-form.js';
import { SidePanel } from '../../parts/side-panel.js';
import { useMay } from '../../session/use-session.js';
import { changeUser, type Role, ROLES, type User } from './identities.js';

interface Props {
  readonly user: User | 'new' | null;
  readonly onClose: () => void;
  readonly onSaved: () => void;
}

/** One person: seen by all who may, changed by admins. */
export function UserPanel({ user, onClose, onSaved }: Props) {
  return (
    <SidePanel
      opened={user !== null}
      title={user === 'new' ? 'A new person' : <HostileText text={user?.name ?? ''} />}
      onClose={onClose}
    >
      {user === null ? null : (
        <UserForm key={user === 'new' ? '' : user.id} user={user === 'new' ? null : user} onSaved={onSaved} />
      )}
    </SidePanel>
  );
}

function UserForm({ user, onSaved }: { readonly user: User | null; readonly onSaved: () => void }) {
  const readOnly = !useMay()('update:User');
  const [id, setId] = useState(user?.id ?? '');
  const [name, setName] = useState(user?.name ?? '');
  const [email, setEmail] = useState(user?.email ?? '');
  const [teams, setTeams] = useState<string[]>([...(user?.teams ?? [])]);
  const [roles, setRoles] = useState<readonly Role[]>(() =>
    ROLES.filter((role) => user?.roles.includes(role) ?? role === 'developer'),
  );
  const [disabled, setDisabled] = useState(user !== null && user.disabledAt !== null);

  async function save(): Promise<void> {
    const mail = email.trim();
    const change = {
      name: name.trim(),
      email: mail === '' ? null : mail,
      teams,
      roles: [...roles],
      disabled,
    };
    await changeUser(id.trim(), change, user?.etag ?? 0);
    notify({ tone: 'good', title: 'Saved', text: 'It counts from the next request of this person on.' });
    onSaved();
  }

  const fields = (
    <>
      <TextInput
        label="Id"
        required
        readOnly={user !== null}
        value={id}
        onChange={({ currentTarget }) => setId(currentTarget.value)}
      />
      <TextInput
        mt="sm"
        label="Name"
        required
        readOnly={readOnly}
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
      />
      <TextInput
        mt="sm"
        label="E-mail"
        type="email"
        readOnly={readOnly}
        value={email}
        onChange={({ currentTarget }) => setEmail(currentTarget.value)}
      />
      <TagsInput
        mt="sm"
        label="Teams"
        description="The first is the one that calls are made for."
        readOnly={readOnly}
        value={teams}
        onChange={setTeams}
      />
      <MultiSelect
        mt="sm"
        label="Roles"
        data={[...ROLES]}
        readOnly={readOnly}
        value={[...roles]}
        onChange={(value) => setRoles(ROLES.filter((role) => value.includes(role)))}
      />
      {user === null ? null : (
        <Checkbox
          mt="md"
          label="Disabled: nothing of theirs is accepted any more"
          disabled={readOnly}
          checked={disabled}
          onChange={({ currentTarget }) => setDisabled(currentTarget.checked)}
        />
      )}
    </>
  );
  return readOnly ? (
    fields
  ) : (
    <SendForm submit="Save" onSend={save}>
      {fields}
    </SendForm>
  );
}
