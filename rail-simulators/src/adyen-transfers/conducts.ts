/**
 * The conducts of a transfer, as a table: the sequence of statuses after its receipt, each immediate or delayed, with its
 * effect on the balance account.
 */

export type Status = 'received' | 'authorised' | 'booked' | 'refused' | 'failed' | 'returned' | 'cancelled';

export interface Step {
  readonly status: Status;
  /** False if the transfer reaches the status before the response to the request. */
  readonly isLater: boolean;
}

const now = (status: Status): Step => ({ status, isLater: false });
const later = (status: Status): Step => ({ status, isLater: true });

export const CONDUCTS = {
  book: [now('authorised'), later('booked')],
  book_at_once: [now('authorised'), now('booked')],
  receive_first: [later('authorised'), later('booked')],
  stay: [now('authorised')],
  refuse: [now('refused')],
  refuse_later: [later('refused')],
  fail: [now('authorised'), later('failed')],
  fail_after_booking: [now('authorised'), later('booked'), later('failed')],
  return: [now('authorised'), later('booked'), later('returned')],
  cancel: [now('authorised'), later('cancelled')],
} as const satisfies Readonly<Record<string, readonly Step[]>>;

export type Conduct = keyof typeof CONDUCTS;

/** Returns the step after `done` steps, or undefined at the end. */
export function stepAfter(conduct: Conduct, done: number): Step | undefined {
  const steps: readonly Step[] = CONDUCTS[conduct];
  return steps[done];
}

/** Returns how many steps precede the response to the request. */
export function stepsAtOnce(conduct: Conduct): number {
  return CONDUCTS[conduct].filter(({ isLater }) => !isLater).length;
}

export interface Mutation {
  readonly currency: string;
  readonly received?: number;
  readonly reserved?: number;
  readonly balance?: number;
}

/** Returns the effect of a change of status on the balances, for a transfer of `value`. */
export function mutationOf(from: Status | undefined, to: Status, currency: string, value: number): Mutation {
  switch (to) {
    case 'received':
      return { currency, received: -value };
    case 'authorised':
      return { currency, received: value, reserved: -value };
    case 'booked':
      return { currency, balance: -value, received: 0, reserved: value };
    case 'refused':
      return { currency, received: value };
    default:
      return from === 'booked' ? { currency, balance: value } : { currency, reserved: value };
  }
}
