/**
 * One payout through a whole gateway and a provider's simulator: signed, sent, brought to its end, its callback verified, the
 * merchant's balance looked at. Whoever uses it says what the provider does meanwhile.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Currency } from '../../src/foundation/currency.ts';
import { type Arrival, assertGenuine } from './callback-receiver.ts';
import { EXAMPLE_PAYOUTS, type RequestFields } from './payout-request.ts';
import type { RunningGateway } from './running-gateway.ts';
import type { TestMerchant } from './test-merchant.ts';
import { until } from './until.ts';

/** The gateway's patience is shortened; its rules are not. */
export const SHORT_PATIENCE = {
  rail: { timeoutMs: 700, notFoundProofMs: 300, askAfterMs: [100, 200, 500] },
  recordingMs: 700,
} as const;

export interface PayoutTrial {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  readonly currency: Currency;
  /** As a rail's statement has it. */
  readonly remittance: string;
}

/** 10.00 of 100.00, of a merchant of its own. */
export async function beginPayout(
  gateway: RunningGateway,
  method: number,
  change: RequestFields = {},
): Promise<PayoutTrial> {
  const currency = EXAMPLE_PAYOUTS[method]?.['currency'] as Currency;
  const merchant = await gateway.merchant({ funds: { [currency]: '100.00' } });
  const payoutId = `by-${method}`;
  assert.equal((await merchant.pay(method, payoutId, change))['status'], 'Pending');
  return { merchant, payoutId, currency, remittance: `${merchant.id}/${payoutId}` };
}

function told(gateway: RunningGateway, { merchant, payoutId }: PayoutTrial, kind: 'callback' | 'event') {
  return until(`the ${kind} about ${payoutId}`, () => gateway.receiver.about(merchant.id, payoutId, kind)[0]);
}

/** `Success 0`, as the status and the one callback say alike. */
export async function endOf(gateway: RunningGateway, trial: PayoutTrial): Promise<string> {
  const { merchant, payoutId, currency } = trial;
  const { status, code } = await merchant.final(payoutId);
  const callback = await told(gateway, trial, 'callback');
  assertGenuine(callback, merchant.key);
  const { fields } = callback;
  assert.deepEqual(
    [fields['status'], fields['code'], fields['amount'], fields['currency']],
    [status, code, '10.00', currency],
  );
  return `${status} ${code}`;
}

/** The event about what a provider changed later. */
export async function eventAfter(gateway: RunningGateway, trial: PayoutTrial): Promise<Arrival> {
  const event = await told(gateway, trial, 'event');
  assertGenuine(event, trial.merchant.key);
  return event;
}

/** After all that is told late or twice: the end stands, was told once, and the merchant has what is left. */
export async function assertStands(
  gateway: RunningGateway,
  trial: PayoutTrial,
  { end, balance, events = 0 }: { readonly end: string; readonly balance: string; readonly events?: number },
): Promise<void> {
  const { merchant, payoutId, currency } = trial;
  await sleep(600);
  const { status, code } = await merchant.status(payoutId);
  assert.equal(`${status} ${code}`, end);
  const left = await merchant.balance(currency);
  assert.deepEqual([left['balance'], left['reserved']], [balance, '0.00']);
  assert.equal(gateway.receiver.about(merchant.id, payoutId).length, 1);
  assert.equal(gateway.receiver.about(merchant.id, payoutId, 'event').length, events);
}

/** What a provider without a list says of everything that ended today is what the ledger has. */
export async function assertReconciled({ operations }: RunningGateway, rail: string): Promise<void> {
  const compared = await operations.reconciliation.run(rail, new Date().toISOString().slice(0, 10));
  assert.equal(compared?.by, 'asking');
  assert.deepEqual(compared.differences, []);
  assert.ok(compared.reconciliation.matched > 0);
}
