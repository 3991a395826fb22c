/** Payouts of a merchant through a whole gateway, from payout_send to the callback that proves their end. */
import assert from 'node:assert/strict';
import { type Arrival, assertGenuine } from './callback-receiver.ts';
import type { RequestFields } from './payout-request.ts';
import type { RunningGateway } from './running-gateway.ts';
import type { Reply, TestMerchant } from './test-merchant.ts';
import { until } from './until.ts';

export const SUCCESS = { status: 'Success', code: '0', description: 'Completed' };
export const DECLINED = { status: 'Blocked', code: '51', description: 'Declined by the bank' };

export interface PayoutAsked {
  readonly merchant: TestMerchant;
  readonly method: number;
  readonly payoutId: string;
  /** `amount` first of all: by it a simulator's book tells payouts apart. */
  readonly change: RequestFields & { readonly amount: string };
}

export async function askForPayout({ merchant, method, payoutId, change }: PayoutAsked): Promise<void> {
  const { status, description } = await merchant.pay(method, payoutId, change);
  assert.equal(status, 'Pending', description ?? '');
}

/** Waits for the end, which must be this one, told once and under the merchant's key. */
export async function assertEnd(
  gateway: RunningGateway,
  { merchant, payoutId, change }: PayoutAsked,
  end: Reply,
): Promise<void> {
  assert.deepEqual(await merchant.final(payoutId), { ...end, payout_id: payoutId });
  const { fields } = await onlyArrival(gateway, merchant, payoutId, 'callback');
  const told = { status: fields['status'], code: fields['code'], amount: fields['amount'] };
  assert.deepEqual(told, { status: end['status'], code: end['code'], amount: change.amount });
}

/** Told at `event_url` what a bank changed later; the payout's own end stays. */
export async function assertReversed(gateway: RunningGateway, { merchant, payoutId }: PayoutAsked): Promise<void> {
  const { fields } = await onlyArrival(gateway, merchant, payoutId, 'event');
  assert.equal(fields['type'], 'payout.reversed');
  assert.equal((await merchant.status(payoutId))['status'], 'Success');
}

async function onlyArrival(
  gateway: RunningGateway,
  merchant: TestMerchant,
  payoutId: string,
  kind: 'callback' | 'event',
): Promise<Arrival> {
  const find = () => gateway.receiver.about(merchant.id, payoutId, kind);
  const arrival = await until(`the ${kind} about ${payoutId}`, () => find()[0]);
  assertGenuine(arrival, merchant.key);
  assert.equal(find().length, 1);
  return arrival;
}

/** Waits until the bank was told once, and that ended so. */
export function firstAttempt(
  { operations }: RunningGateway,
  { merchant, payoutId }: PayoutAsked,
  outcome: 'unknown' | 'not_taken' | 'pending',
): Promise<unknown> {
  return until(`an attempt of ${payoutId} that is ${outcome}`, async () => {
    const found = await operations.payouts.find({ merchantId: merchant.id, payoutId });
    return found?.attempts.some((attempt) => attempt.outcome === outcome);
  });
}
