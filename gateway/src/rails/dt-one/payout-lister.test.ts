/** DT One's list of a day, and the balance of our accounts there. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { readJson } from '../kit/provider-json.ts';
import { createDtOnePayoutLister } from './payout-lister.ts';
import { type DtOneUnderTest, openDtOneUnderTest } from './rail-under-test.ts';

const anySignal = () => new AbortController().signal;

describe('DT One’s list of a day’s payouts', () => {
  let bench: DtOneUnderTest;
  before(async () => {
    bench = await openDtOneUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const today = () => bench.lister.payoutsOf(bench.lister.dayOf(bench.clock.now()), anySignal());

  it('the DT One list’s days are in UTC', () => {
    const { dayOf } = bench.lister;
    assert.equal(dayOf(Date.UTC(2026, 10, 20, 23, 59, 59)), '2026-11-20');
    assert.equal(dayOf(Date.UTC(2026, 10, 21)), '2026-11-21');
  });

  it('the DT One list contains each payout with its state and the recipient’s amount', async () => {
    for (const transactions of ['complete', 'decline', 'reverse', 'hold', 'reject_at_once']) {
      await bench.control('faults', { transactions });
      await bench.rail.send(bench.order(), noDeadline());
    }
    for (let step = 0; step < 6; step++) bench.clock.advance(SECOND_MS);
    const { payouts, unreadable } = await today();
    assert.deepEqual(unreadable, []);
    assert.deepEqual(
      payouts.map(({ state }) => state),
      ['executed', 'declined', 'reversed', 'pending', 'declined'],
    );
    for (const { reference, money, providerId } of payouts) {
      assert.match(reference ?? '', /^\d+-AbCd1234$/);
      assert.deepEqual(money, { currency: 'KZT', minor: 100_025n });
      assert.match(providerId, /^\d{10}$/);
    }
  });

  it('the DT One list contains exactly the payouts of its day', async () => {
    for (let count = 0; count < 101; count++) await bench.rail.send(bench.order(), noDeadline());
    bench.clock.advance(12 * HOUR_MS);
    const atMidnight = bench.order();
    await bench.rail.send(atMidnight, noDeadline());
    assert.deepEqual(
      (await today()).payouts.map(({ reference }) => reference),
      [atMidnight.reference],
    );
    const { payouts } = await bench.lister.payoutsOf('2026-11-20', anySignal());
    assert.equal(new Set(payouts.map(({ reference }) => reference)).size, 101);
    assert.equal(payouts.length, 101);
  });

  it('the list is rejected if DT One does not return all of it', async () => {
    for (const queries of ['throttle', 'answer_500']) {
      await bench.control('faults', { queries });
      await assert.rejects(today(), /DT One rejects our requests by its rate limit|HTTP 500/);
    }
  });

  it('DT One’s list contains payouts that we did not send', async () => {
    const row = {
      creation_date: '2026-11-20T20:05:05.883561000Z',
      external_id: 'EX12345',
      status: { class: { id: 7 } },
      requested_values: { destination: { amount: 5, unit: 'KZT' } },
    };
    const rows = [
      { ...row, id: 1 },
      { ...row, id: 1 },
      { ...row, id: 2, status: { class: { id: 6 } } },
      { ...row, id: 3, requested_values: null },
      { ...row, id: 'x' },
      { ...row, id: 5, creation_date: '2026-11-21T00:00:00.000000000Z' },
    ];
    const answer = readJson(JSON.stringify(rows)) ?? null;
    const lister = createDtOnePayoutLister({ get: async () => ({ kind: 'done', answer }) });
    assert.deepEqual(await lister.payoutsOf('2026-11-20', anySignal()), {
      payouts: [{ reference: null, providerId: '1', money: { currency: 'KZT', minor: 500n }, state: 'executed' }],
      unreadable: ['a row that is not a transaction', '2 is of class 6', '3 does not contain an amount in KZT'],
    });
  });

  it('a DT One payout reduces the account’s balance in the account’s own currency', async () => {
    assert.deepEqual(await bench.float.read(noDeadline()), {
      ok: true,
      value: [{ currency: 'USD', minor: 1_000_000n }],
    });
    await bench.rail.send(bench.order(), noDeadline());
    assert.deepEqual(await bench.float.read(noDeadline()), {
      ok: true,
      value: [{ currency: 'USD', minor: 999_799n }],
    });
    await bench.control('faults', { answer_500: 1 });
    assert.deepEqual(await bench.float.read(noDeadline()), { ok: false, error: 'HTTP 500' });
  });
});
