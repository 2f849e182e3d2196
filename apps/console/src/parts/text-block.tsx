import { Button } from '@mantine/core';
import { useState } from 'react';
import { HostileText } from './hostile-text.js';
import classes from './text-block.module.css';

interface Props {
  readonly text: string;
  /** What it is, for those who do not see where it stands. */
  readonly label: string;
  /** Lines before the rest is asked for; null = all of it, always. */
  readonly lines?: number | null;
}

/** Commands, outputs, documents: whole, in a fixed width, and text only. */
export function TextBlock({ text, label, lines = 400 }: Props) {
  const [all, setAll] = useState(false);
  const rows = text.split('\n');
  const cut = !all && lines !== null && rows.length > lines;
  return (
    <div className={classes['block']}>
      {/* Long text scrolls, and whoever has no pointer scrolls it with the keys. */}
      {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- a region that scrolls must take the focus */}
      <pre className={classes['text']} tabIndex={0} aria-label={label} role="region">
        <HostileText text={cut ? rows.slice(0, lines).join('\n') : text} />
      </pre>
      {cut ? (
        <Button size="compact-sm" variant="subtle" onClick={() => setAll(true)}>
          {`Show the other ${rows.length - lines} lines`}
        </Button>
      ) : null}
    </div>
  );
}
