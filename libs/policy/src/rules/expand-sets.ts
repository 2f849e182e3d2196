/** A document's own sets, by name. */
export type SetTable = ReadonlyMap<string, readonly string[]>;

const PREFIX = 'set:';
const BUILT_IN = 'readOnlyCommands';

export function readSets(
  sets: Readonly<Record<string, readonly string[]>> | undefined,
  fail: (field: string, problem: string) => never,
): SetTable {
  const table: SetTable = new Map(Object.entries(sets ?? {}));
  if (table.has(BUILT_IN))
    fail(`sets/${BUILT_IN}`, 'the name of a built-in set cannot be given to another one');
  // Resolved once here, so that a set nobody uses yet cannot hide a mistake until somebody does.
  for (const [name, members] of table) {
    expandSets(members, table, (problem) => fail(`sets/${name}`, problem));
  }
  return table;
}

/** A list with every `set:name` in it replaced by the members of that set, which may name sets in turn. */
export function expandSets(
  values: readonly string[],
  sets: SetTable,
  fail: (problem: string) => never,
  within: readonly string[] = [],
): readonly string[] {
  if (!values.some((value) => value.startsWith(PREFIX))) return values;
  return values.flatMap((value) => {
    if (!value.startsWith(PREFIX)) return [value];
    const name = value.slice(PREFIX.length);
    if (name === BUILT_IN)
      return fail(`${value} stands for commands: use it as the first word of command.argv`);
    if (within.includes(name)) return fail(`set ${name} contains itself`);
    const members = sets.get(name);
    if (members === undefined) return fail(`there is no set ${name} in this document`);
    return expandSets(members, sets, fail, [...within, name]);
  });
}
