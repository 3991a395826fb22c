/**
 * The faults that every simulator can be told to have, and the check of what a test or a demonstration asks for. Only
 * the control surface changes them; without it they stay as they start.
 */

export interface EdgeFaults {
  /** Every connection is dropped without an answer, before anything is taken. */
  down: boolean;
  /** Wait before a request is looked at. */
  latency_ms: number;
  /** How many of the next requests are answered 500, before anything is taken. */
  answer_500: number;
}

export const noEdgeFaults: Readonly<EdgeFaults> = { down: false, latency_ms: 0, answer_500: 0 };

type Check = (value: unknown) => boolean;

export const isBoolean: Check = (value) => typeof value === 'boolean';

export function isCountUpTo(most: number): Check {
  return (value) => Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;
}

export function isOneOf(values: readonly unknown[]): Check {
  return (value) => values.includes(value);
}

export const edgeFaultChecks: Readonly<Record<keyof EdgeFaults, Check>> = {
  down: isBoolean,
  latency_ms: isCountUpTo(600_000),
  answer_500: isCountUpTo(1_000_000),
};

export type ParsedFaults<Faults> = { readonly faults: Partial<Faults> } | { readonly invalidField: string };

/**
 * Checks a change of faults; what it doesn't name stays as it is. An unknown name is refused: a test that misspells a
 * fault must not pass.
 */
export function parseFaults<Faults>(
  value: unknown,
  checks: Readonly<Record<keyof Faults & string, Check>>,
): ParsedFaults<Faults> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { invalidField: 'body' };
  const isFault = (name: string): name is keyof Faults & string => Object.hasOwn(checks, name);
  const invalid = Object.entries(value).find(([name, wanted]) => !isFault(name) || !checks[name](wanted));
  return invalid === undefined ? { faults: value as Partial<Faults> } : { invalidField: invalid[0] };
}
