import classes from './nothing.module.css';

/** In a card that has nothing to show: why, and what would bring something. */
export function Nothing({ children }: { readonly children: string }) {
  return <p className={classes['nothing']}>{children}</p>;
}
