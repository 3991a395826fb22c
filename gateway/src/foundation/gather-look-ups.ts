/**
 * Single questions that are asked together: where many each ask for one thing at about the same time, one look-up answers
 * them all. It remembers nothing.
 */

/** One look-up at a time: who asks while one is under way is part of the next. One that fails fails for those in it alone. */
export function gatherLookUps<Key, Value>(
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
