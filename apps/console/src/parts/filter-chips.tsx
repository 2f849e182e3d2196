import classes from './filter-chips.module.css';
import { HostileText } from './hostile-text.js';
import { Icon } from './icon.js';
import { visibleText } from './visible-text.js';

interface Props<Name extends string> {
  readonly names: readonly Name[];
  readonly filters: Partial<Readonly<Record<Name, string>>>;
  readonly onTakeBack: (name: Name) => void;
}

/** What is shown is narrowed down by this, each with a way back. */
export function FilterChips<Name extends string>({ names, filters, onTakeBack }: Props<Name>) {
  const set = names.flatMap((name) => {
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
            onClick={() => onTakeBack(name)}
          >
            <span className={classes['name']}>{name}</span> <HostileText text={value} />
            <Icon name="close" size={13} />
          </button>
        </li>
      ))}
    </ul>
  );
}
