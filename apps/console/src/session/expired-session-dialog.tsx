import { Button, Modal, Text } from '@mantine/core';
import { useEffect } from 'react';
import { session } from './session.js';
import { SignInForm } from './sign-in-form.js';
import { useSessionState } from './use-session.js';

/** Over whatever is open: nothing below it is unmounted, and requests that wait go on after signing in. */
export function ExpiredSessionDialog() {
  const state = useSessionState();
  const open = state.is === 'ended';
  // The identity provider is in another window: look again when the person comes back to this one.
  useEffect(() => {
    if (!open) return undefined;
    const look = (): void => void session.look();
    window.addEventListener('focus', look);
    return () => window.removeEventListener('focus', look);
  }, [open]);
  return (
    <Modal
      opened={open}
      onClose={() => undefined}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title="Your session is over"
    >
      <Text mb="md">
        Sign in again{open ? ` as ${state.session.user.name}` : ''} to go on where you were. What you typed is
        still here, and what was being saved is sent again.
      </Text>
      <SignInForm besides />
      <Button variant="subtle" color="gray" fullWidth mt="sm" onClick={() => session.giveUp()}>
        Leave instead
      </Button>
    </Modal>
  );
}
