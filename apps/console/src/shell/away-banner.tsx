import { Button } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { connection } from '../client/connection.js';
import { Icon } from '../parts/icon.js';
import classes from './away-banner.module.css';

/** Above the page for as long as nobody answers. What is shown stays, and is as old as it says. */
export function AwayBanner() {
  const state = useSyncExternalStore(connection.state.subscribe, connection.state.read);
  const [asking, setAsking] = useState(false);
  if (state.is === 'there') return <div role="status" />;

  async function retry(): Promise<void> {
    setAsking(true);
    await connection.retry();
    setAsking(false);
  }

  return (
    <div role="status" className={classes['banner']}>
      <Icon name="alert" />
      <p className={classes['text']}>
        <strong>The server has not answered since {new Date(state.since).toLocaleTimeString()}.</strong> What
        you see may be out of date; what you typed is kept. It is asked again by itself.
      </p>
      <Button size="compact-sm" variant="default" loading={asking} onClick={() => void retry()}>
        Try now
      </Button>
    </div>
  );
}
