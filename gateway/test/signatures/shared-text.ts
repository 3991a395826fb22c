/**
 * Looks for one joined text that two messages could both have. Exact over a pool of values: every assignment of values to the
 * fields of both messages is walked, a field at a time, and given up where the texts part. What lies ahead depends only on the
 * fields that are left and on what one text has more than the other, so each such state is walked once.
 */
import type { Key, SignedMessage } from './messages.ts';

export type Keys = Readonly<Record<Key, string>>;

/** What the text of a message may be made of. */
export interface Values {
  /** For each field in the order of its name, then for the key: the values that it may hold, cut at their colons. */
  readonly steps: readonly (readonly (readonly string[])[])[];
}

/** `merchant`: whose keys sign it. */
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

/** The text, or undefined where none exists. */
export function sharedText(left: Values, right: Values): string | undefined {
  const walked = new Set<string>();

  /** `ahead`: the parts of `leading` that `trailing` has not matched yet. */
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
