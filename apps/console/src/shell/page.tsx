import { type ReactNode, useEffect, useRef } from 'react';
import { usePageTitle } from './page-title.js';
import classes from './page.module.css';

interface Props {
  readonly title: string;
  /** One line below the title: what this page is for, or what it shows now. */
  readonly lead?: ReactNode;
  /** Buttons at the right of the title. */
  readonly actions?: ReactNode;
  /** As wide as the screen: tables and editors. */
  readonly wide?: boolean;
  readonly children: ReactNode;
}

/** The first page that is opened keeps the focus where the browser puts it. */
let opened = false;

/** Every page: its title in the tab, its heading focused after a navigation, and its content. */
export function Page({ title, lead, actions, wide = false, children }: Props) {
  usePageTitle(title);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (opened) heading.current?.focus();
    opened = true;
  }, []);
  return (
    <div className={classes['page']} data-wide={wide}>
      <header className={classes['head']}>
        <div className={classes['words']}>
          <h1 ref={heading} tabIndex={-1} className={classes['title']}>
            {title}
          </h1>
          {lead === undefined ? null : <p className={classes['lead']}>{lead}</p>}
        </div>
        {actions === undefined ? null : <div className={classes['actions']}>{actions}</div>}
      </header>
      {children}
    </div>
  );
}
