/**
 * A merchant: orders payouts, repeats requests without a response, receives callbacks and remembers every response of the
 * gateway. Two different final results of one payout are a violation.
 */

import { type Instant, SECOND_MS } from '../../src/foundation/clock.ts';
import { fullySigned, payoutRequest, type RequestFields } from '../../test/support/payouts/payout-request.ts';
import type { Answer } from '../world/answer.ts';
import type { Drawn } from '../world/drawn.ts';
import type { World } from '../world/world.ts';
import { createDepositShop, type DepositShop, type ShopKeys, type ShopParts } from './deposit-shop.ts';

export interface MerchantPayout {
  readonly payoutId: string;
  readonly method: number;
  readonly orderedAt: Instant;
  readonly currency: string;
  readonly fields: RequestFields;
  /** The status in the gateway's last response. Undefined before the first response. */
  said: string | undefined;
  /** The time at which the merchant received the final result. */
  endedAt: Instant | undefined;
  /** The time at which the merchant received the acceptance. From then on the payout must exist. */
  acceptedAt: Instant | undefined;
  /** True if the gateway reported that the only request had no effect. */
  isRefused: boolean;
}

export interface SimulatedMerchant {
  readonly id: string;
  readonly key: string;
  readonly payouts: ReadonlyMap<string, MerchantPayout>;
  order(method: number, amount: string): void;
  readonly shop: DepositShop;
  /**
   * Called after the database lost all payouts since that time, including the gateway's responses about them. The merchant
   * repeats some payouts that did not fail. Returns their ids.
   */
  forget(since: Instant): readonly string[];
  /** Queries the status of an earlier payout. */
  look(): void;
  receiveCallback(payload: Readonly<Record<string, string>>): void;
}

const FINAL: ReadonlySet<string> = new Set(['Success', 'Blocked']);
const SEND = '/merchant/api/payout_send';
const STATUS = '/merchant/api/payout_status';
const MOST_REQUESTS = 8;
const REPEATS = 0.5;

interface MerchantParts extends ShopParts {
  readonly world: World;
  /** True if the operator disabled the method at or before `since` and has not enabled it again. */
  readonly isDisabled: (method: number, since: Instant) => boolean;
}

export function createSimulatedMerchant(keys: ShopKeys, parts: MerchantParts): SimulatedMerchant {
  const { id, key } = keys;
  const { world, door, violated, isDisabled } = parts;
  const drawn: Drawn = world.drawn.apart(`merchant ${id}`);
  const payouts = new Map<string, MerchantPayout>();
  /** Ignore responses to earlier requests: they come from a database that no longer exists. */
  let restoredAt = -Infinity;

  /** Records a status that the gateway returned at `askedAt` or later. */
  function note(payout: MerchantPayout, status: string, askedAt: Instant, where: string): void {
    const before = payout.said;
    const isOvertaken = status === 'Pending' && payout.endedAt !== undefined && askedAt <= payout.endedAt;
    if (isOvertaken) return;
    if (before !== undefined && FINAL.has(before) && status !== before)
      violated(`${id}/${payout.payoutId} was ${before} and is ${status} (${where})`);
    if (status === 'Error') return;
    payout.said = status;
    if (payout.acceptedAt === undefined && isDisabled(payout.method, payout.orderedAt))
      violated(`${id}/${payout.payoutId} was accepted although method ${payout.method} is disabled (${where})`);
    if (FINAL.has(status)) payout.endedAt ??= world.now();
    payout.acceptedAt ??= world.now();
    payout.isRefused = false;
  }

  /** `isOnly` is true if the merchant sent no other request for this payout. */
  function hearReply(payout: MerchantPayout, askedAt: Instant, answer: Answer, isOnly = false): boolean {
    if (answer === 'lost' || answer.status !== 200 || askedAt < restoredAt) return false;
    const { status = '', description = '' } = JSON.parse(answer.body) as Record<string, string>;
    if (status === 'Error' && TEMPORARY.has(description)) return false;
    if (status === 'Error' && isOnly) payout.isRefused = true;
    if (status !== 'Error') note(payout, status, askedAt, 'reply');
    else if (payout.acceptedAt !== undefined && askedAt > payout.acceptedAt)
      violated(`${id}/${payout.payoutId} was accepted and is refused: ${description}`);
    return true;
  }

  /** `isKnown` is true if an earlier request may already have created the payout. */
  async function send(payout: MerchantPayout, isKnown = false): Promise<void> {
    const post = () => door.post(SEND, payout.fields);
    for (let requests = 0; requests < MOST_REQUESTS; requests++) {
      const isTwice = drawn.chance(0.05);
      const isOnly = requests === 0 && !isTwice && !isKnown;
      const askedAt = world.now();
      const answers = await Promise.all([post(), ...(isTwice ? [post()] : [])]);
      if (answers.map((answer) => hearReply(payout, askedAt, answer, isOnly)).every(Boolean)) return;
      await new Promise<void>((resolve) => world.after(SECOND_MS * drawn.between(1, 60), resolve));
    }
  }

  return {
    id,
    key,
    payouts,
    shop: createDepositShop(keys, parts),
    order(method, amount) {
      const payoutId = `p${payouts.size}`;
      const payout = newPayout(keys, { payoutId, method, amount }, world.now());
      payouts.set(payoutId, payout);
      void send(payout);
    },
    forget(since) {
      restoredAt = world.now();
      return forgetPayouts(payouts, since, (payout) => {
        if (drawn.chance(REPEATS)) world.after(SECOND_MS * drawn.between(1, 7_200), () => void send(payout, true));
      });
    },
    look() {
      const payout = payouts.get(`p${drawn.between(0, payouts.size - 1)}`);
      if (payout?.acceptedAt === undefined) return;
      const askedAt = world.now();
      void door
        .post(STATUS, fullySigned({ merchant: id, payout_id: payout.payoutId }, key))
        .then((answer) => hearReply(payout, askedAt, answer));
    },
    receiveCallback({ payout_id = '', status = '' }) {
      const payout = payouts.get(payout_id);
      if (!payout) return violated(`${id} was called back about ${payout_id}, which it never ordered`);
      if (!FINAL.has(status)) return violated(`${id}/${payout_id}: a callback says ${status}`);
      note(payout, status, world.now(), 'callback');
    },
  };
}

/** The state of a payout about which the gateway has not responded, or whose record it lost. */
const NOTHING_SAID = { said: undefined, endedAt: undefined, acceptedAt: undefined, isRefused: false };

const TEMPORARY: ReadonlySet<string> = new Set(['Temporary error', 'Too many requests']);

interface Wanted {
  readonly payoutId: string;
  readonly method: number;
  readonly amount: string;
}

function newPayout({ id, key }: ShopKeys, { payoutId, method, amount }: Wanted, orderedAt: Instant): MerchantPayout {
  const fields = payoutRequest({ merchant: id, key, method, payoutId, change: { amount } });
  const currency = String(fields['currency']);
  return { payoutId, method, fields, currency, orderedAt, ...NOTHING_SAID };
}

/** Calls `repeat` with the payouts that, as far as the merchant knows, have not failed. */
function forgetPayouts(
  payouts: ReadonlyMap<string, MerchantPayout>,
  since: Instant,
  repeat: (payout: MerchantPayout) => void,
): string[] {
  const forgotten = [...payouts.values()].filter(({ orderedAt }) => orderedAt >= since);
  for (const payout of forgotten) {
    const { said } = payout;
    Object.assign(payout, NOTHING_SAID);
    if (said !== undefined && said !== 'Blocked') repeat(payout);
  }
  return forgotten.map(({ payoutId }) => payoutId);
}
