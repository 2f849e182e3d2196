import { Loader } from '@mantine/core';
import classes from './loading.module.css';

export function Loading({ what }: { readonly what: string }) {
  return (
    <div role="status" className={classes['loading']}>
      <Loader size="sm" aria-hidden="true" />
      <span>Loading {what}…</span>
    </div>
  );
}
