import { Link, useLocation } from 'wouter';
import { Icon } from '../parts/icon.js';
import { useMay } from '../session/use-session.js';
import { PAGES } from '../pages.js';
import { useWaitingForMe } from '../pages/approvals/waiting.js';
import classes from './navigation.module.css';

interface Props {
  /** Something was chosen: the drawer of a narrow screen closes. */
  readonly onChosen?: () => void;
}

/** Only what the roles allow. */
export function Navigation({ onChosen }: Props) {
  const may = useMay();
  const [location] = useLocation();
  const waiting = useWaitingForMe();
  return (
    <nav aria-label="Main" className={classes['nav']}>
      <ul className={classes['list']}>
        {PAGES.filter(({ listed, allowed }) => listed !== false && allowed(may)).map(
          ({ path, label, icon }) => {
            const here = isWithin(location, path);
            return (
              <li key={path}>
                <Link
                  href={path}
                  className={classes['link'] ?? ''}
                  aria-current={here ? 'page' : undefined}
                  onClick={onChosen}
                >
                  <Icon name={icon} size={19} />
                  <span>{label}</span>
                  {path === '/approvals' && waiting > 0 ? (
                    <span className={classes['count']}>
                      {waiting > 99 ? '99+' : waiting}
                      <span className="visually-hidden"> wait for you</span>
                    </span>
                  ) : null}
                </Link>
              </li>
            );
          },
        )}
      </ul>
    </nav>
  );
}

function isWithin(location: string, path: string): boolean {
  return path === '/' ? location === '/' : location === path || location.startsWith(`${path}/`);
}
