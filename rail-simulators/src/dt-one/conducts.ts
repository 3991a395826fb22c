/** What becomes of a transaction, as a table: the classes that it passes through by itself, each after a while. */

import type { Acts } from '../kernel/acts.ts';

export const classes = {
  CREATED: 1,
  CONFIRMED: 2,
  REJECTED: 3,
  CANCELLED: 4,
  SUBMITTED: 5,
  COMPLETED: 7,
  REVERSED: 8,
  DECLINED: 9,
} as const;

export type ClassName = keyof typeof classes;

export const conducts = {
  complete: ['CONFIRMED', 'SUBMITTED', 'COMPLETED'],
  complete_at_once: ['COMPLETED'],
  decline: ['CONFIRMED', 'SUBMITTED', 'DECLINED'],
  reject: ['CONFIRMED', 'REJECTED'],
  reject_at_once: ['REJECTED'],
  reverse: ['CONFIRMED', 'SUBMITTED', 'COMPLETED', 'REVERSED'],
  hold: ['CONFIRMED'],
  /** Made without `auto_confirm`. */
  unconfirmed: ['CREATED'],
} as const satisfies Readonly<Record<string, readonly [ClassName, ...ClassName[]]>>;

export type ConductName = keyof typeof conducts;

/** Undefined where nothing follows by itself. */
export function stepOf(conduct: ConductName, number: number): ClassName | undefined {
  const steps: readonly ClassName[] = conducts[conduct];
  return steps[number];
}

/** Why one is rejected or declined, as it stands behind the class in its message; empty: no more than the class. */
export const whys = [
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

export type Why = (typeof whys)[number];

/** What people do at DT One or at an operator, and where a transaction has to stand for it. */
export const acts = {
  complete: { from: ['CONFIRMED', 'SUBMITTED'], to: 'COMPLETED' },
  decline: { from: ['CONFIRMED', 'SUBMITTED'], to: 'DECLINED' },
  reverse: { from: ['COMPLETED'], to: 'REVERSED' },
} as const satisfies Acts<ClassName, ClassName>;
