/**
 * The commit that accepts payouts: each is accepted completely or not at all. The unique key prevents a duplicate payout. The
 * balance under the merchant's lock prevents a double reservation of money. The normal batch uses the statement of
 * accept-at-once.ts, and any other the statements of accept-carefully.ts.
 */
import type { AcceptOutcome, NewPayout } from '../../../domain/payouts/payout-store.ts';
import { invariant } from '../../../foundation/invariant.ts';
import type { Database } from '../../core/database.ts';
import { keyText } from '../payout-rows.ts';
import { type PayoutElements, payoutElements } from './accept-at-once.ts';
import { acceptCarefully, CREATED } from './accept-carefully.ts';

/** A payout with its rows as strings. */
export interface SerializedPayout extends NewPayout {
  readonly elements: PayoutElements | undefined;
}

export function serializePayout(accepted: NewPayout): SerializedPayout {
  return { ...accepted, elements: payoutElements(accepted) };
}

/**
 * Accepts each of `items` and gives the outcomes in the same order. Safe to run again with the same items. `acceptAtOnce` tries
 * the normal case first.
 */
export async function acceptPayouts(
  database: Database,
  items: readonly SerializedPayout[],
  acceptAtOnce: (items: readonly SerializedPayout[]) => Promise<boolean>,
): Promise<AcceptOutcome[]> {
  const outcomes = new Map<SerializedPayout, AcceptOutcome>();
  // After a payout is rejected for a short balance, a repeat of its id becomes the first of that id and may be affordable. The
  // cheapest repeat goes first: if it is rejected, so are all others, and repeats do not delay the rest of the batch.
  for (let waiting = [...items]; waiting.length > 0; waiting = cheapestFirst(waiting, outcomes)) {
    const first = new Map<string, SerializedPayout>();
    for (const item of waiting) if (!first.has(keyText(item.payout))) first.set(keyText(item.payout), item);
    const leaders = [...first.values()];
    const areCreated = waiting.length === items.length && (await acceptAtOnce(leaders));
    const accepted = areCreated ? createdOf(leaders) : await acceptCarefully(database, leaders);
    for (const item of waiting) {
      const leader = first.get(keyText(item.payout));
      const outcome = accepted.get(keyText(item.payout));
      invariant(leader && outcome, 'accepted batch has no outcome for one of its payouts');
      const answer = item === leader ? outcome : answerBehind(item, leader, outcome);
      if (answer) outcomes.set(item, answer);
    }
  }
  return items.map((item) => outcomes.get(item) as AcceptOutcome);
}

function cheapestFirst(
  items: readonly SerializedPayout[],
  answered: ReadonlyMap<SerializedPayout, AcceptOutcome>,
): SerializedPayout[] {
  const left = items.filter((item) => !answered.has(item));
  return left.sort((one, other) => Number(costOf(one) - costOf(other)));
}

/** Responds to a payout that repeats the leader's id in the same batch. Returns undefined if this payout may be affordable. */
function answerBehind(
  item: SerializedPayout,
  leader: SerializedPayout,
  outcome: AcceptOutcome,
): AcceptOutcome | undefined {
  if (outcome.kind === 'exists') return outcome;
  if (outcome.kind === 'created') return { kind: 'exists', payout: leader.payout };
  const isSameCurrency = item.payout.money.currency === leader.payout.money.currency;
  return isSameCurrency && costOf(item) >= costOf(leader) ? outcome : undefined;
}

const costOf = ({ payout: { money, fee } }: SerializedPayout) => money.minor + fee;

function createdOf(items: readonly SerializedPayout[]): Map<string, AcceptOutcome> {
  return new Map(items.map(({ payout }) => [keyText(payout), CREATED]));
}
