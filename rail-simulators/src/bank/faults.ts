/**
 * The faults a test or a demonstration can switch on in the bank, and the check of what it asks for. Only the control
 * surface changes them; without it they stay as they start.
 */

export const notificationModes = ['on', 'off', 'twice', 'wrong_signature', 'wrong_amount'] as const;
export type NotificationMode = (typeof notificationModes)[number];

export interface Faults {
  /** Every connection is dropped without an answer, before anything is taken. */
  down: boolean;
  /** Wait before a request is looked at. */
  latency_ms: number;
  /** How many of the next requests are answered 500, before anything is taken. */
  answer_500: number;
  /** False: a repeated reference executes again. */
  dedupe: boolean;
  notifications: NotificationMode;
}

export const noFaults: Readonly<Faults> = {
  down: false,
  latency_ms: 0,
  answer_500: 0,
  dedupe: true,
  notifications: 'on',
};

export type ParsedFaults = { readonly faults: Partial<Faults> } | { readonly invalidField: string };

const isBoolean = (value: unknown) => typeof value === 'boolean';
const isCountUpTo = (most: number) => (value: unknown) =>
  Number.isInteger(value) && Number(value) >= 0 && Number(value) <= most;

const checks: Readonly<Record<keyof Faults, (value: unknown) => boolean>> = {
  down: isBoolean,
  latency_ms: isCountUpTo(600_000),
  answer_500: isCountUpTo(1_000_000),
  dedupe: isBoolean,
  notifications: (value) => notificationModes.some((mode) => mode === value),
};

/**
 * Checks a change of faults; what it doesn't name stays as it is. An unknown name is refused: a test that misspells a
 * fault must not pass.
 */
export function parseFaults(value: unknown): ParsedFaults {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return { invalidField: 'body' };
  const invalid = Object.entries(value).find(([name, wanted]) => !isFault(name) || !checks[name](wanted));
  return invalid === undefined ? { faults: value } : { invalidField: invalid[0] };
}

function isFault(name: string): name is keyof Faults {
  return Object.hasOwn(checks, name);
}
