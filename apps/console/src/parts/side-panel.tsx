import { Drawer } from '@mantine/core';
import type { ReactNode } from 'react';
import classes from './side-panel.module.css';

interface Props {
  readonly opened: boolean;
  readonly title: ReactNode;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/** One thing of a list, beside it; the whole screen where there is no room. Escape closes it, and the list has the focus again. */
export function SidePanel({ opened, title, onClose, children }: Props) {
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      title={title}
      position="right"
      size="min(46rem, 100vw)"
      classNames={{ content: classes['content'] ?? '' }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Drawer>
  );
}
