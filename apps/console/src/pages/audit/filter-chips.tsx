import { HostileText } from '../../parts/hostile-text.js';
import { visibleText } from '../../parts/visible-text.js';
import { Icon } from '../../parts/icon.js';
import { FILTERS, type FilterName, type Filters } from './audit.js';
import classes from './filter-chips.module.css';

interface Props {
  readonly filters: Filters;
  readonly onFilter: (name: FilterName, value: string | null) => void;
}

/** What the list is narrowed down by, each with a way back. */
export function FilterChips({ filters, onFilter }: Props) {
  const set = FILTERS.flatMap((name) => {
    const value = filters[name];
    return value === undefined ? [] : [{ name, value }];
  });
  if (set.length === 0) return null;
  return (
    <ul className={classes['chips']} aria-label="Filters that are set">
      {set.map(({ name, value }) => (
        <li key={name}>
          <button
            type="button"
            className={classes['chip']}
            aria-label={`Take back ${name} ${visibleText(value)}`}
            onClick={() => onFilter(name, null)}
          >
            <span className={classes['name']}>{name}</span> <HostileText text={value} />
            <Icon name="close" size={13} />
          </button>
        </li>
      ))}
    </ul>
  );
}
