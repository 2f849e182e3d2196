import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.js';
import classes from './empty-state.module.css';

interface Props {
  readonly icon: IconName;
  readonly title: string;
  /** Why there is nothing, and how something gets here. */
  readonly children: ReactNode;
}

export function EmptyState({ icon, title, children }: Props) {
  return (
    <div className={classes['empty']}>
      <span className={classes['icon']}>
        <Icon name={icon} size={26} />
      </span>
      <p className={classes['title']}>{title}</p>
      <div className={classes['text']}>{children}</div>
    </div>
  );
}
