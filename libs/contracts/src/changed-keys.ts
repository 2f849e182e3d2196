/**
 * The names of an object's members after a change such as masking, in their order. They stay distinct: two members whose
 * names become the same are told apart by a number (`***`, `*** (2)`), as losing one of them would hide that it was there.
 * A name that the change leaves alone is never taken by another one.
 */
export function changedKeys(keys: readonly string[], change: (key: string) => string): readonly string[] {
  const changed = keys.map((key) => change(key));
  const taken = new Set(keys.filter((key, index) => changed[index] === key));
  return changed.map((name, index) => {
    if (name === keys[index]) return name;
    let free = name;
    for (let count = 2; taken.has(free); count += 1) free = `${name} (${count})`;
    taken.add(free);
    return free;
  });
}
