import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import {
  ACT,
  type CardPayments,
  cardOf,
  openCardPayments,
  PAID,
  REFUSED,
  type Try,
  verifyAndClose,
} from '../../../../test/support/form/card-payments.ts';
import { HOUR_MS, MINUTE_MS } from '../../../foundation/clock.ts';
import { openDatabase } from '../../../storage/core/database.ts';
import { createPaymentStore } from '../../../storage/payments/payment-store.ts';
import type { Merchant } from '../../merchants/merchant.ts';
import { DEFAULT_ATTEMPT_LIMITS } from './attempt-limits.ts';

let payments: CardPayments;

before(async () => {
  payments = await openCardPayments();
});

beforeEach(() => {
  payments.provider.given.length = 0;
  payments.provider.says = REFUSED;
  payments.alerts.length = 0;
});

after(() => verifyAndClose(payments));

async function outcomesOf(times: number, merchant: Merchant, wanted: (index: number) => Try): Promise<string[]> {
  const outcomes: string[] = [];
  for (let index = 0; index < times; index++) outcomes.push(await payments.outcomeOf(merchant, wanted(index)));
  return outcomes;
}

const limited = (merchantId: string, card: number, address: number) =>
  payments.bench.merchant(merchantId, { card_attempt_limit: `${card}`, address_attempt_limit: `${address}` });
const addressOf = (index: number) => ({ ip: `198.51.100.${index}` });
const numberOf = (index: number) => ({ card: cardOf(`411111111111${1000 + index}`) });

describe('the attempt limit of a card', () => {
  it('a card is limited to the merchant’s hourly attempts, across all forms and addresses', async () => {
    const merchant = limited('by-card', 3, 0);
    assert.deepEqual(await outcomesOf(5, merchant, addressOf), [
      ...Array(3).fill('refused'),
      ...Array(2).fill('attempt_limit'),
    ]);
    assert.equal(payments.provider.given.length, 3, 'the provider gets no further attempt');
    assert.equal(await payments.outcomeOf(merchant, numberOf(1)), 'refused', 'another card has its own limit');
    assert.equal(await payments.outcomeOf(limited('by-card-2', 3, 0)), 'refused', 'another merchant has its own limit');
    payments.bench.clock.advance(HOUR_MS);
    assert.equal(await payments.outcomeOf(merchant), 'refused');
  });

  it('the attempt limit of a card holds for fifty concurrent attempts in two processes', async () => {
    payments.provider.says = PAID;
    const merchant = limited('at-once', 7, 0);
    const database = openDatabase(payments.bench.config, { poolSize: 4 });
    const processes = [payments.partsOver(), payments.partsOver(createPaymentStore(database, payments.bench.clock))];
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, (_, index) => {
        const parts = processes[index % 2];
        assert.ok(parts);
        return payments.outcomeOf(merchant, { ...addressOf(index), parts });
      }),
    );
    await database.close();
    assert.equal(outcomes.filter((outcome) => outcome === 'paid').length, 7);
    assert.equal(outcomes.filter((outcome) => outcome === 'attempt_limit').length, 43);
    assert.equal(payments.provider.given.length, 7);
  });

  it('an attempt rejected by the limit does not create a deposit, a callback or a vault record', async () => {
    const merchant = limited('nothing', 1, 0);
    await payments.outcomeOf(merchant);
    const session = await payments.openedForm(merchant);
    assert.equal(await payments.outcomeOf(merchant, { session }), 'attempt_limit');
    const { rows } = await payments.bench.owner.query(
      `select (select count(*)::int from deposits where merchant_id = 'nothing') as deposits,
        (select count(*)::int from counted_attempts where merchant_id = 'nothing') as tries,
        (select transaction_id from form_sessions where merchant_id = 'nothing' and session_id = $1) as became`,
      [session.sessionId],
    );
    assert.deepEqual(rows, [{ deposits: 1, tries: 1, became: null }]);
    assert.equal(await payments.recordsInVault('nothing'), 0);
  });

  it('a second press of the pay button during an attempt does not count against the card’s attempt limit', async () => {
    payments.provider.says = ACT;
    const merchant = limited('twice', 1, 0);
    const session = await payments.openedForm(merchant);
    assert.equal(await payments.outcomeOf(merchant, { session }), 'acting');
    assert.equal(await payments.outcomeOf(merchant, { session }), 'in_flight');
  });
});

describe('the attempt limit of an address', () => {
  it('an address is limited to the merchant’s hourly attempts, and other addresses are unaffected', async () => {
    const merchant = limited('by-address', 0, 4);
    assert.deepEqual(await outcomesOf(6, merchant, numberOf), [
      ...Array(4).fill('refused'),
      ...Array(2).fill('attempt_limit'),
    ]);
    assert.equal(await payments.outcomeOf(merchant, { ...numberOf(7), ip: '203.0.113.8' }), 'refused');
  });

  it('the attempt limit of an IPv6 address covers its /64 network', async () => {
    const merchant = limited('by-network', 0, 2);
    const from = (index: number) => ({ ...numberOf(index), ip: `2001:db8:1:2:${index}::${index}` });
    assert.deepEqual(await outcomesOf(3, merchant, from), ['refused', 'refused', 'attempt_limit']);
    assert.equal(await payments.outcomeOf(merchant, { ...numberOf(9), ip: '2001:db8:1:3::1' }), 'refused');
  });
});

describe('the attempt limits of a merchant', () => {
  it('the attempt limits do not apply in development or when set to 0', async () => {
    assert.deepEqual(DEFAULT_ATTEMPT_LIMITS, {
      development: { card: 0, target: 0, address: 0, merchant: 0 },
      production: { card: 10, target: 5, address: 30, merchant: 1_000 },
    });
    assert.equal((await outcomesOf(11, payments.bench.merchant('default'), addressOf)).at(-1), 'attempt_limit');
    assert.equal((await outcomesOf(11, limited('none', 0, 0), addressOf)).at(-1), 'refused');
  });

  it('each attempt rejected by a limit is counted, and many raise one alert', async () => {
    const merchant = limited('tested', 1, 0);
    await outcomesOf(20, merchant, addressOf);
    assert.deepEqual(payments.alerts, [], '19 refusals');
    await outcomesOf(30, merchant, addressOf);
    assert.deepEqual(payments.alerts, ['attempts_limited: tested'], 'one alert');
    payments.bench.clock.advance(10 * MINUTE_MS);
    await outcomesOf(20, merchant, addressOf);
    assert.equal(payments.alerts.length, 2, 'a second alert for further attempts');
    const count = (await payments.metrics.text()).match(
      /gateway_attempts_limited_total\{subject="target"\} (\d+)/,
    )?.[1];
    assert.ok(Number(count) >= 69, count);
  });
});
