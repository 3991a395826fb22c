/** Combines concurrent single-key lookups into one lookup of many keys. It does not cache. */

/**
 * Runs one lookup at a time. Keys that arrive while a lookup is in flight join the next lookup. A failure rejects only the
 * callers of that lookup.
 */
export function gatherLookups<Key, Value>(
  lookUp: (keys: readonly Key[]) => Promise<ReadonlyMap<Key, Value>>,
): (key: Key) => Promise<Value | undefined> {
  let latest: Promise<unknown> = Promise.resolve();
  let next: { readonly keys: Key[]; readonly answer: Promise<ReadonlyMap<Key, Value>> } | undefined;

  function begin() {
    const keys: Key[] = [];
    const begun = () => {
      next = undefined;
      return lookUp(keys);
    };
    const answer = latest.then(begun, begun);
    latest = answer;
    return { keys, answer };
  }

  return async (key) => {
    next ??= begin();
    next.keys.push(key);
    return (await next.answer).get(key);
  };
}
