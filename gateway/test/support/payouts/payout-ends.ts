/** The expected outcome of a payout under test, for its merchant and for the operator. */
import assert from 'node:assert/strict';
import type { PayoutRecord } from '../../../src/domain/payouts/payout-record-store.ts';
import type { RunningGateway } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import { assertGenuine } from '../servers/callback-receiver.ts';
import { until } from '../tools/until.ts';

const DESCRIPTIONS = {
  'Success 0': 'Completed',
  'Blocked 50': 'Blocked',
  'Blocked 51': 'Declined by the bank',
  'Blocked 52': 'Wrong recipient',
  'Blocked 53': 'Limit or risk',
  'Blocked 54': 'Expired',
  'Blocked 55': 'Cancelled',
} as const;

export type End = keyof typeof DESCRIPTIONS;

/** One payout with its own merchant. */
export interface Trial {
  readonly gateway: RunningGateway;
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  /** The fields of the merchant's request. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The expected state from the outcome on. */
export interface Standing {
  readonly end: End;
  readonly balance: string;
  readonly events: number;
  readonly executions: number;
}

export async function recordOf({ gateway, merchant, payoutId }: Trial): Promise<PayoutRecord> {
  return (await gateway.operations.payouts.find({ merchantId: merchant.id, payoutId })) ?? assert.fail();
}

/**
 * Waits until an attempt has this outcome. That is the first attempt, unless a slow machine missed its deadline for sending.
 */
export async function untilAttempted(trial: Trial, outcome: 'unknown' | 'not_accepted' | 'pending'): Promise<void> {
  const isSo = async () => (await recordOf(trial)).attempts.some((attempt) => attempt.outcome === outcome);
  await until(`an attempt of ${trial.merchant.id}/${trial.payoutId} is ${outcome}`, isSo);
}

export async function assertPending({ gateway, merchant, payoutId }: Trial): Promise<void> {
  assert.equal((await merchant.status(payoutId))['status'], 'Pending');
  assert.deepEqual(gateway.receiver.about(merchant.id, payoutId), []);
}

/** Waits for this outcome and for its callback. */
export async function assertCallback(trial: Trial, end: End): Promise<void> {
  const { gateway, merchant, payoutId, fields } = trial;
  const [status, code] = end.split(' ');
  const description = DESCRIPTIONS[end];
  assert.deepEqual(await merchant.final(payoutId), { status, code, payout_id: payoutId, description });
  const find = () => gateway.receiver.about(merchant.id, payoutId)[0];
  const callback = await until(`the callback about ${merchant.id}/${payoutId}`, find);
  assertGenuine(callback, merchant.key);
  const { status: calledStatus, code: calledCode, amount, currency } = callback.fields;
  assert.deepEqual([calledStatus, calledCode, amount, currency], [status, code, fields['amount'], fields['currency']]);
}

export async function assertReversalEvent({ gateway, merchant, payoutId }: Trial): Promise<void> {
  const find = () => gateway.receiver.about(merchant.id, payoutId, 'event')[0];
  const event = await until(`the event about ${merchant.id}/${payoutId}`, find);
  assertGenuine(event, merchant.key);
  assert.equal(event.fields['type'], 'payout.reversed');
}

export async function assertStands(trial: Trial, { end, balance, events }: Standing): Promise<void> {
  const { gateway, merchant, payoutId, fields } = trial;
  const { status, code } = await merchant.status(payoutId);
  const left = await merchant.balance(fields['currency'] ?? '');
  const count = (kind: 'callback' | 'event') => gateway.receiver.about(merchant.id, payoutId, kind).length;
  assert.deepEqual(
    [`${status} ${code}`, left['balance'], left['reserved'], count('callback'), count('event')],
    [end, balance, '0.00', 1, events],
    `${merchant.id}/${payoutId}`,
  );
}

export function assertUnlogged({ gateway, fields }: Trial): void {
  const { account = '', customs_card = account } = fields;
  const shown = gateway.log.filter((line) => line.includes(account) || line.includes(customs_card));
  assert.deepEqual(shown, [], 'the log contains no account');
}
