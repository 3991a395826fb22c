/** The conducts of a transaction, as a table: the classes that it passes through automatically, each after a delay. */

import type { Acts } from '../kernel/acts.ts';

export const CLASSES = {
  CREATED: 1,
  CONFIRMED: 2,
  REJECTED: 3,
  CANCELLED: 4,
  SUBMITTED: 5,
  COMPLETED: 7,
  REVERSED: 8,
  DECLINED: 9,
} as const;

export type ClassName = keyof typeof CLASSES;

export const CONDUCTS = {
  complete: ['CONFIRMED', 'SUBMITTED', 'COMPLETED'],
  complete_at_once: ['COMPLETED'],
  decline: ['CONFIRMED', 'SUBMITTED', 'DECLINED'],
  reject: ['CONFIRMED', 'REJECTED'],
  reject_at_once: ['REJECTED'],
  reverse: ['CONFIRMED', 'SUBMITTED', 'COMPLETED', 'REVERSED'],
  hold: ['CONFIRMED'],
  /** A transaction that was created without `auto_confirm`. */
  unconfirmed: ['CREATED'],
} as const satisfies Readonly<Record<string, readonly [ClassName, ...ClassName[]]>>;

export type ConductName = keyof typeof CONDUCTS;

/** Returns undefined if no automatic step follows. */
export function stepOf(conduct: ConductName, number: number): ClassName | undefined {
  const steps: readonly ClassName[] = CONDUCTS[conduct];
  return steps[number];
}

/**
 * The reasons for a rejection or decline, as they follow the class in the message. With the empty reason, the message contains
 * only the class.
 */
export const WHYS = [
  '',
  'INVALID-CREDIT-PARTY',
  'BARRED-CREDIT-PARTY',
  'INELIGIBLE-CREDIT-PARTY',
  'LIMITATIONS-ON-CREDIT-PARTY-AMOUNT',
  'LIMITATIONS-ON-OPERATOR-QUANTITY',
  'DUPLICATED-TRANSACTION',
  'OPERATOR-CURRENTLY-UNAVAILABLE',
  'INSUFFICIENT-BALANCE',
  'EXCEPTION',
] as const;

export type Why = (typeof WHYS)[number];

/** Manual actions at DT One or a mobile operator, and the class that a transaction must have for each. */
export const ACTS = {
  complete: { from: ['CONFIRMED', 'SUBMITTED'], to: 'COMPLETED' },
  decline: { from: ['CONFIRMED', 'SUBMITTED'], to: 'DECLINED' },
  reverse: { from: ['COMPLETED'], to: 'REVERSED' },
} as const satisfies Acts<ClassName, ClassName>;
