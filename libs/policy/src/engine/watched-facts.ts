import type { ActorFacts, Facts } from '@wrongstack/contracts';

/** What was read of those facts that differ from one call to the next. */
export interface FactReads {
  now: boolean;
  readonly actor: Set<keyof ActorFacts>;
}

/**
 * The facts, for work whose result is to be used again: it notes whether the time and what of the actor were looked at. Whoever reads
 * in a way that is not foreseen here counts as having read all.
 */
export function watchedFacts(facts: Facts): { readonly facts: Facts; readonly reads: FactReads } {
  const reads: FactReads = { now: false, actor: new Set() };
  const actor = watch({ ...facts.actor }, (name) => reads.actor.add(name));
  const whole = watch({ ...facts, actor }, (name) => {
    if (name === 'now') reads.now = true;
  });
  return { facts: whole, reads };
}

function watch<Watched extends object>(object: Watched, note: (name: keyof Watched) => void): Watched {
  const noteAll = (): void => {
    for (const name of Reflect.ownKeys(object)) note(name as keyof Watched); // its own keys
  };
  return new Proxy(object, {
    get: (target, name) => {
      note(name as keyof Watched); // one that is not there was asked about all the same
      return Reflect.get(target, name) as unknown;
    },
    has: (target, name) => {
      note(name as keyof Watched);
      return Reflect.has(target, name);
    },
    ownKeys: (target) => {
      noteAll();
      return Reflect.ownKeys(target);
    },
  });
}
