import { HostileText } from './hostile-text.js';
import classes from './facets.module.css';

export interface FacetValue {
  /** Null: records that have none of it. */
  readonly value: string | null;
  /** Null: not known, and not shown. */
  readonly count: number | null;
}

interface Props {
  readonly title: string;
  readonly values: readonly FacetValue[];
  /** How values are called, where that is not what they are. */
  readonly words?: Readonly<Record<string, string>>;
  readonly chosen: string | null;
  /** Null: no longer narrowed down by this. */
  readonly onChoose: (value: string | null) => void;
}

const MOST_SHOWN = 8;

/** How a search spreads over the values of one field, and a way to narrow it down to one of them. */
export function Facet({ title, values, words, chosen, onChoose }: Props) {
  const known = values.filter(({ value }) => value !== null);
  if (known.length === 0 && chosen === null) return null;
  const most = Math.max(1, ...known.map(({ count }) => count ?? 0));
  const shown = known.slice(0, MOST_SHOWN);
  const alone = chosen !== null && !shown.some(({ value }) => value === chosen);
  return (
    <fieldset className={classes['facet']}>
      <legend className={classes['title']}>{title}</legend>
      {[...(alone ? [{ value: chosen, count: null }] : []), ...shown].map(({ value, count }) => (
        <button
          key={value}
          type="button"
          className={classes['value']}
          aria-pressed={value === chosen}
          onClick={() => onChoose(value === chosen ? null : value)}
        >
          {count === null ? null : (
            <span
              className={classes['bar']}
              style={{ width: `${(count / most) * 100}%` }}
              aria-hidden="true"
            />
          )}
          <span className={classes['name']}>
            <HostileText text={words?.[value ?? ''] ?? value ?? ''} />
          </span>
          <span className={classes['count']}>{count?.toLocaleString('en')}</span>
        </button>
      ))}
    </fieldset>
  );
}
