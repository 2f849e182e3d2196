import { WrongStackError } from '@wrongstack/contracts';

const NAME = /^[a-z][a-z0-9-]{0,31}$/;
/** The person's own agent, in events and in the audit log: a subagent must not pass for it. */
const RESERVED: ReadonlySet<string> = new Set(['main', 'agent', 'wstack', 'user']);

/** Gives each subagent of a run a name of its own, so that a question or a denial says whose it is. */
export class SubagentNames {
  readonly #taken = new Set<string>();

  take(wanted = 'worker'): string {
    if (!NAME.test(wanted) || RESERVED.has(wanted)) {
      throw new WrongStackError(
        'subagent.name',
        `${JSON.stringify(wanted.slice(0, 40))} cannot be a subagent's name; use a lower-case word such as reviewer`,
        { path: '/name' },
      );
    }
    let name = wanted;
    for (let count = 2; this.#taken.has(name); count += 1) name = `${wanted}-${count}`;
    this.#taken.add(name);
    return name;
  }
}
