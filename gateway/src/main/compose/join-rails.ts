/**
 * Merges rails of the same name into one. The worker claims payouts by rail name, so two rails with one name would claim each
 * other's payouts. A provider that pays out and also refunds has two ports and one rail.
 */
import { DECIDES_WITHIN_MS } from '../../domain/payments/attempts/payment-deadline.ts';
import { carries, type PayoutOrder, type PayoutRail, type RailStatus } from '../../domain/payouts/payout-rail.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';

/** Each part keeps its methods and purposes. The longest times apply; everything else comes from the first part. */
export function joinRails(rails: readonly PayoutRail[]): PayoutRail[] {
  const byName = Map.groupBy(rails, ({ name }) => name);
  return [...byName.values()].map((parts) => parts.reduce(join));
}

const decidesWithin = ({ decidesWithinMs = DECIDES_WITHIN_MS }: PayoutRail) => decidesWithinMs;

function join(one: PayoutRail, other: PayoutRail): PayoutRail {
  const own = { one: one.ownPurposes ?? new Set(), other: other.ownPurposes ?? new Set() };
  const isTwice = [...other.methods].some((method) => one.methods.has(method));
  invariant(!isTwice, `two rails named ${one.name} carry the same method`);
  invariant(
    ![...own.other].some((purpose) => own.one.has(purpose)),
    `two rails named ${one.name} carry the same purpose`,
  );
  invariant(one.simulated === other.simulated, `only one of two rails named ${one.name} is simulated`);
  const partOf = (order: PayoutOrder) => (carries(one, order) ? one : other);
  return {
    ...one,
    methods: new Set([...one.methods, ...other.methods]),
    ownPurposes: new Set([...own.one, ...own.other]),
    notifies: one.notifies || other.notifies,
    timeoutMs: Math.max(one.timeoutMs, other.timeoutMs),
    notFoundProofMs: Math.max(one.notFoundProofMs, other.notFoundProofMs),
    decidesWithinMs: Math.max(decidesWithin(one), decidesWithin(other)),
    send: (order, deadline) => partOf(order).send(order, deadline),
    ask: (order, deadline) => partOf(order).ask(order, deadline),
    ...(one.repeat || other.repeat ? { repeat: (order, deadline) => repeatAt(partOf(order), order, deadline) } : {}),
  };
}

/** One part may repeat its payouts while the other part serves queries. */
function repeatAt(part: PayoutRail, order: PayoutOrder, deadline: Deadline): Promise<RailStatus> {
  return part.repeat ? part.repeat(order, deadline) : part.ask(order, deadline);
}
