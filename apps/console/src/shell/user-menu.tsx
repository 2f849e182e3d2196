import { Button, Menu, Text } from '@mantine/core';
import { useState } from 'react';
import { notify } from '../parts/notify.js';
import { Icon } from '../parts/icon.js';
import { session } from '../session/session.js';
import { useSession } from '../session/use-session.js';
import { adviceFor } from '../client/advice.js';
import { ProblemError } from '../client/problem.js';

/** Who is signed in, as what, and the way out. */
export function UserMenu() {
  const { user, roles, teams } = useSession();
  const [busy, setBusy] = useState(false);

  async function leave(): Promise<void> {
    setBusy(true);
    try {
      await session.signOut();
    } catch (error) {
      if (!(error instanceof ProblemError)) throw error;
      const { title, what } = adviceFor(error);
      notify({ tone: 'bad', title, text: `You are still signed in. ${what}` });
    } finally {
      setBusy(false);
    }
  }

  return (
    <Menu position="bottom-end" width={240}>
      <Menu.Target>
        <Button variant="subtle" color="gray" leftSection={<Icon name="user" />} loading={busy}>
          {user.name}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>
          <Text size="sm">{roles.length === 0 ? 'No roles' : roles.join(', ')}</Text>
          <Text size="xs">{teams.length === 0 ? 'in no team' : `in ${teams.join(', ')}`}</Text>
        </Menu.Label>
        <Menu.Divider />
        <Menu.Item leftSection={<Icon name="sign-out" />} onClick={() => void leave()}>
          Sign out
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
