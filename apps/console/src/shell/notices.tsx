import { CloseButton } from '@mantine/core';
import { useSyncExternalStore } from 'react';
import { HostileText } from '../parts/hostile-text.js';
import { Icon, type IconName } from '../parts/icon.js';
import { dismiss, type Notice, notices } from '../parts/notify.js';
import classes from './notices.module.css';

const ICONS: Readonly<Record<Notice['tone'], IconName>> = { good: 'check', bad: 'alert', neutral: 'bell' };

export function Notices() {
  const shown = useSyncExternalStore(notices.subscribe, notices.read);
  return (
    <div role="status" aria-live="polite" className={classes['corner']}>
      {shown.map(({ id, tone, title, text }) => (
        <div key={id} className={classes['notice']} data-tone={tone}>
          <Icon name={ICONS[tone]} />
          <div className={classes['words']}>
            <strong>{title}</strong>
            {text === null ? null : (
              <p>
                <HostileText text={text} />
              </p>
            )}
          </div>
          <CloseButton size="sm" aria-label={`Dismiss: ${title}`} onClick={() => dismiss(id)} />
        </div>
      ))}
    </div>
  );
}
