/**
 * Searches for a joined string that two messages could share. The search is exact over a pool of values: it assigns values
 * field by field in both messages and backtracks where the strings differ. The rest depends only on the remaining fields and
 * on the surplus of one string, so each such state is visited once.
 */
import type { Key, SignedMessage } from './messages.ts';

export type Keys = Readonly<Record<Key, string>>;

/** The values from which a message's string is built. */
export interface Values {
  /**
   * The accepted values of each field in order of its name, then of the key, split at their colons. For example, a field that
   * accepts `a:b` and `c` has the step `[['a', 'b'], ['c']]`.
   */
  readonly steps: readonly (readonly (readonly string[])[])[];
}

/** `merchant` is the owner of the signing keys. */
export function valuesOf(
  { fields, key }: SignedMessage,
  pool: readonly string[],
  merchant: string,
  keys: Keys,
): Values {
  const inOrder = Object.entries(fields).sort(([left], [right]) => (left < right ? -1 : 1));
  const steps = inOrder.map(([, holds]) =>
    [...new Set([...pool, merchant])].filter((text) => holds(text, merchant)).map((text) => text.split(':')),
  );
  return { steps: [...steps, [keys[key].split(':')]] };
}

/** Returns the shared string, or undefined if there is none. */
export function sharedText(left: Values, right: Values): string | undefined {
  const walked = new Set<string>();

  /** `ahead` contains the parts of `leading` that `trailing` has not matched yet. */
  function walk(
    leading: Values,
    trailing: Values,
    at: readonly [number, number],
    ahead: readonly string[],
  ): string[] | undefined {
    const [leads, trails] = at;
    if (ahead.length === 0 && leads === leading.steps.length && trails === trailing.steps.length) return [];
    const state = JSON.stringify([leading === left, at, ahead]);
    if (walked.has(state)) return undefined;
    walked.add(state);
    for (const parts of trailing.steps[trails] ?? []) {
      const common = Math.min(parts.length, ahead.length);
      if (parts.slice(0, common).some((part, index) => part !== ahead[index])) continue;
      const rest =
        parts.length > ahead.length
          ? walk(trailing, leading, [trails + 1, leads], parts.slice(common))
          : walk(leading, trailing, [leads, trails + 1], ahead.slice(common));
      if (rest) return [parts.join(':'), ...rest];
    }
    return undefined;
  }

  return walk(right, left, [0, 0], [])?.join(' | ');
}
