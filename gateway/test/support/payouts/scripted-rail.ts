/** A bank that returns the responses of a test and records its calls. */

import { type PayoutAtRail, payoutReference } from '../../../src/domain/payouts/payout-order.ts';
import type { PayoutOrder, PayoutRail, RailAnswer, RailStatus } from '../../../src/domain/payouts/payout-rail.ts';
import { SECOND_MS } from '../../../src/foundation/clock.ts';
import type { Deadline } from '../../../src/foundation/deadline.ts';
import { REFERENCE_KEY } from '../tools/reference-key.ts';

/** Executes immediately and finds no payout, unless its script says otherwise. */
export function scriptedRail(name: string, change: Partial<PayoutRail> = {}) {
  const sent: PayoutOrder[] = [];
  const asked: PayoutOrder[] = [];
  const script = {
    send: (_order: PayoutOrder, _deadline: Deadline): Promise<RailAnswer> => Promise.resolve({ kind: 'executed' }),
    ask: (_order: PayoutOrder): Promise<RailStatus> => Promise.resolve({ kind: 'not_found' }),
  };
  const rail: PayoutRail = {
    name,
    methods: new Set([9]),
    simulated: true,
    notifies: false,
    timeoutMs: 10 * SECOND_MS,
    notFoundProofMs: 5 * SECOND_MS,
    askAfterMs: [1 * SECOND_MS, 60 * SECOND_MS],
    concurrency: 8,
    send(order, deadline) {
      sent.push(order);
      return script.send(order, deadline);
    },
    ask(order) {
      asked.push(order);
      return script.ask(order);
    },
    ...change,
  };
  return { rail, script, sent, asked };
}

/** A choice of rails for a delivery whose rails are always up and never replace each other. */
export const NOWHERE_ELSE = {
  recovery: async () => undefined,
  witness: () => null,
  mark: async () => {},
  unaccounted: async () => [],
  holderOf: async () => undefined,
  referenceOf: (payout: PayoutAtRail) => payoutReference(REFERENCE_KEY, payout),
  closedUntil: async () => undefined,
  nextRail: async () => undefined,
  canReroute: async () => false,
  isListed: () => false,
  sendsUnsealed: false,
};
