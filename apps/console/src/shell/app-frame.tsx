import { ActionIcon, Drawer } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { Icon } from '../parts/icon.js';
import { LiveApprovals } from '../pages/approvals/live-approvals.js';
import { useMay, useSession } from '../session/use-session.js';
import { AwayBanner } from './away-banner.js';
import { Mark } from './mark.js';
import { Navigation } from './navigation.js';
import { Notices } from './notices.js';
import { SchemeSwitch } from './scheme-switch.js';
import { UserMenu } from './user-menu.js';
import classes from './app-frame.module.css';

/** What surrounds every page: the way to the others, who is signed in, and whether the API is there. */
export function AppFrame({ children }: { readonly children: ReactNode }) {
  const { organisation } = useSession();
  const may = useMay();
  const [menu, setMenu] = useState(false);
  const close = (): void => setMenu(false);
  return (
    <div className={classes['frame']}>
      <a className={classes['skip']} href="#content" onClick={skip}>
        Skip to content
      </a>
      <aside className={classes['side']}>
        <Brand organisation={organisation} />
        <Navigation />
      </aside>
      <div className={classes['body']}>
        <header className={classes['top']}>
          <div className={classes['narrow']}>
            <ActionIcon
              variant="subtle"
              color="gray"
              size="lg"
              aria-label="Open the navigation"
              onClick={() => setMenu(true)}
            >
              <Icon name="menu" size={22} />
            </ActionIcon>
            <Mark size={26} />
          </div>
          <div className={classes['tools']}>
            <SchemeSwitch />
            <UserMenu />
          </div>
        </header>
        <AwayBanner />
        <main id="content" tabIndex={-1} className={classes['content']}>
          {children}
        </main>
      </div>
      <Drawer
        opened={menu}
        onClose={close}
        size={280}
        title={<Brand organisation={organisation} />}
        closeButtonProps={{ 'aria-label': 'Close the navigation' }}
      >
        <Navigation onChosen={close} />
      </Drawer>
      {may('read:Approval') ? <LiveApprovals /> : null}
      <Notices />
    </div>
  );
}

/** The address stays as it is: only the focus moves. */
function skip(event: { preventDefault(): void }): void {
  event.preventDefault();
  document.getElementById('content')?.focus();
}

function Brand({ organisation }: { readonly organisation: string }) {
  return (
    <span className={classes['brand']}>
      <Mark />
      <span>
        <span className={classes['name']}>WrongStack</span>
        <span className={classes['organisation']}>{organisation}</span>
      </span>
    </span>
  );
}
