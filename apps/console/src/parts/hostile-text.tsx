import { visibleParts } from './visible-text.js';
import classes from './hostile-text.module.css';

/**
 * Text of models, tools, rules and people. It is never markup, nothing in it is obeyed, and nothing in it is hidden: it cannot
 * reorder what stands beside it either.
 */
export function HostileText({ text }: { readonly text: string }) {
  const parts = visibleParts(text);
  return (
    <bdi>
      {parts.map(({ text: part, hidden }, index) =>
        hidden ? (
          <span key={index} className={classes['hidden']} title="A character that nobody would see">
            {part}
          </span>
        ) : (
          part
        ),
      )}
    </bdi>
  );
}
