/**
 * Run synchronous `work` while everything that differs from one moment, process or machine to the next is watched.
 * Returns what `work` gave and the names of what it asked for. Throws what `work` throws, with the globals put back.
 */
export function whileWatched<T>(work: () => T): { readonly value: T; readonly asked: readonly string[] } {
  const asked = new Set<string>();
  const undo: (() => void)[] = [];
  const watch = (owner: object, key: string, name: string): void => {
    const descriptor = Object.getOwnPropertyDescriptor(owner, key);
    const original: unknown = Reflect.get(owner, key);
    if (typeof original !== 'function') return;
    const value = function (this: unknown, ...args: unknown[]): unknown {
      asked.add(name);
      return Reflect.apply(original, this, args);
    };
    Object.defineProperty(owner, key, { value, configurable: true, writable: true });
    undo.push(() => {
      if (descriptor === undefined) Reflect.deleteProperty(owner, key);
      else Object.defineProperty(owner, key, descriptor);
    });
  };
  try {
    watch(Math, 'random', 'Math.random');
    watch(performance, 'now', 'performance.now');
    watch(crypto, 'randomUUID', 'crypto.randomUUID');
    watch(crypto, 'getRandomValues', 'crypto.getRandomValues');
    watch(process, 'cwd', 'process.cwd');
    watch(process, 'hrtime', 'process.hrtime');
    watch(globalThis, 'fetch', 'fetch');
    watch(globalThis, 'setTimeout', 'setTimeout');
    undo.push(watchDate(asked));
    return { value: work(), asked: [...asked] };
  } finally {
    for (const one of undo.reverse()) one();
  }
}

/** A date of given parts is pure; one of now is not. */
function watchDate(asked: Set<string>): () => void {
  const Original = globalThis.Date;
  globalThis.Date = new Proxy(Original, {
    construct(target, args: unknown[], newTarget) {
      if (args.length === 0) asked.add('new Date()');
      // A Proxy's trap is typed to give an object, which a Date is.
      return Reflect.construct(target, args, newTarget) as object;
    },
    apply(target, self, args: unknown[]) {
      asked.add('Date()');
      return Reflect.apply(target, self, args as []);
    },
    get(target, key, receiver): unknown {
      if (key === 'now') asked.add('Date.now');
      return Reflect.get(target, key, receiver);
    },
  });
  return () => {
    globalThis.Date = Original;
  };
}
