/** When a look begins: after all that arrived in this turn of the event loop, or after all that goes on without waiting for anything. */
type Moment = 'turn' | 'tick';

/**
 * One look for all who ask the same in one turn of the event loop. It begins after the last of them has asked, so nobody is given an
 * answer older than their question; and a busy server looks once for many calls instead of once for each. Those who have
 * been gathered once already ask again within a tick: another turn would gather nobody else.
 */
export function onceATurn<Key, Found>(
  look: (key: Key) => Promise<Found>,
  moment: Moment = 'turn',
): (key: Key) => Promise<Found> {
  const asked = new Map<Key, Promise<Found>>();
  return (key) => {
    const known = asked.get(key);
    if (known !== undefined) return known;
    const found = endOf(moment).then(() => {
      asked.delete(key);
      return look(key);
    });
    asked.set(key, found);
    return found;
  };
}

function endOf(moment: Moment): Promise<void> {
  return new Promise((resolve) => (moment === 'turn' ? setImmediate(resolve) : process.nextTick(resolve)));
}
