import { lazy, Suspense } from 'react';
import { Loading } from './loading.js';

const Drawing = lazy(() => import('./diff-lines.js'));

interface Props {
  readonly label: string;
  /** Null: the file is new. */
  readonly before: string | null;
  readonly after: string;
  /** Numbers of the first lines, where the texts are a piece of a file. */
  readonly firstBefore?: number;
  readonly firstAfter?: number;
}

/** What changes, line by line, whole: nobody says yes to what they could not see. */
export function DiffView(props: Props) {
  return (
    <Suspense fallback={<Loading what="the difference" />}>
      <Drawing {...props} />
    </Suspense>
  );
}
