import { Link } from 'wouter';
import { Icon } from './icon.js';
import classes from './more-link.module.css';

interface Props {
  /** Null: the person may not go there, and sees nothing. */
  readonly href: string | null;
  readonly children: string;
}

/** At the right of a heading: where there is more of this. */
export function MoreLink({ href, children }: Props) {
  if (href === null) return null;
  return (
    <Link href={href} className={classes['more'] ?? ''}>
      {children}
      <Icon name="chevron" size={14} />
    </Link>
  );
}
