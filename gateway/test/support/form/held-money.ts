/** Money of card payments that is held, moved and returned, in the setup of later-scene.ts. */
import assert from 'node:assert/strict';
import type { PaymentAttempt } from '../../../src/domain/payments/attempts/payment-attempt.ts';
import type { PaidAnswer } from '../../../src/domain/payments/payment-rail.ts';
import { verifyInvariants } from '../../../src/storage/invariants/verify-invariants.ts';
import { ACT, PAID } from './card-payments.ts';
import type { LaterScene } from './later-scene.ts';

/** `current` returns the scene once the file's `before` hook has opened it. */
export function heldMoneyOf(current: () => LaterScene) {
  /** Creates a payment of 90.00 EUR for a deposit of 100.00 EUR, which is held as a shortfall. */
  async function held(merchantId: string): Promise<PaymentAttempt> {
    current().cards.provider.says = { ...PAID, money: { currency: 'EUR', minor: 9_000n } } as PaidAnswer;
    const tried = await current().cards.attemptOnce(current().bench.merchant(merchantId));
    assert.ok(tried.ok && tried.value.state === 'paid');
    return tried.value;
  }

  /** Creates an open deposit of 100.00 EUR. */
  async function otherDeposit(merchantId: string) {
    current().cards.provider.says = ACT;
    const tried = await current().cards.attemptOnce(current().bench.merchant(merchantId));
    assert.ok(tried.ok);
    const { deposit } = await current().record(tried.value);
    return deposit;
  }

  const transferOf = ({ rail, reference }: PaymentAttempt) => ({ rail, transferKey: reference });

  /** Credits the held money to an open deposit of this merchant. */
  async function movedTo(attempt: PaymentAttempt, merchantId: string) {
    const other = await otherDeposit(merchantId);
    const resolved = await current().bench.resolve(transferOf(attempt), other);
    assert.ok(resolved.ok, JSON.stringify(!resolved.ok && resolved.error));
    return resolved.value;
  }

  const suspense = async (merchantId: string) =>
    (await current().bench.ledger.balances(merchantId, 'EUR')).suspense ?? 0n;

  async function transferStateOf(attempt: PaymentAttempt) {
    const found = await current().bench.store.findTransfer(transferOf(attempt));
    return [found?.state, found?.kept];
  }

  const brokenNames = async () =>
    (await verifyInvariants(current().bench.database)).filter(({ holds }) => !holds).map(({ name }) => name);

  const openDifferences = async () =>
    (await current().differences.list({ rail: null, day: null, kind: null, openOnly: true })).map(
      ({ kind, subject }) => `${kind} ${subject}`,
    );

  return { held, otherDeposit, transferOf, movedTo, suspense, transferStateOf, brokenNames, openDifferences };
}
