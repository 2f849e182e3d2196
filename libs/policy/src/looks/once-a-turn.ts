/**
 * One look for all who ask the same in one turn of the event loop. It begins after the last of them has asked, so nobody is given an
 * answer older than their question; and a busy server looks once for many calls instead of once for each.
 */
export function onceATurn<Key, Found>(look: (key: Key) => Promise<Found>): (key: Key) => Promise<Found> {
  const asked = new Map<Key, Promise<Found>>();
  return (key) => {
    const known = asked.get(key);
    if (known !== undefined) return known;
    const found = endOfTurn().then(() => {
      asked.delete(key);
      return look(key);
    });
    asked.set(key, found);
    return found;
  };
}

function endOfTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
