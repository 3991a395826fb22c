/**
 * One rail per name, as the worker knows them: it finds a rail's payouts by the name, so two of one name would take each
 * other's. A provider that pays out and gives payments back too is two ports of one rail.
 */
import { DECIDES_WITHIN_MS } from '../../domain/payments/payment-deadline.ts';
import type { PayoutOrder, PayoutRail } from '../../domain/payouts/payout-rail.ts';
import { invariant } from '../../foundation/invariant.ts';

/** Of the rails of one name, each keeps its methods; the longest times count, and for all else the first. */
export function joinRails(rails: readonly PayoutRail[]): PayoutRail[] {
  const byName = Map.groupBy(rails, ({ name }) => name);
  return [...byName.values()].map((parts) => parts.reduce(join));
}

const decidesWithin = ({ decidesWithinMs = DECIDES_WITHIN_MS }: PayoutRail) => decidesWithinMs;

function join(one: PayoutRail, other: PayoutRail): PayoutRail {
  const isTwice = [...other.methods].some((method) => one.methods.has(method));
  invariant(!isTwice, `two rails named ${one.name} carry one method`);
  invariant(one.simulated === other.simulated, `of two rails named ${one.name} one moves real money`);
  const partOf = ({ method }: PayoutOrder) => (one.methods.has(method) ? one : other);
  return {
    ...one,
    methods: new Set([...one.methods, ...other.methods]),
    notifies: one.notifies || other.notifies,
    timeoutMs: Math.max(one.timeoutMs, other.timeoutMs),
    notFoundProofMs: Math.max(one.notFoundProofMs, other.notFoundProofMs),
    decidesWithinMs: Math.max(decidesWithin(one), decidesWithin(other)),
    send: (order, deadline) => partOf(order).send(order, deadline),
    ask: (order, deadline) => partOf(order).ask(order, deadline),
  };
}
