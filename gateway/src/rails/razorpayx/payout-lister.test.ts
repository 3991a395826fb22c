/** RazorpayX's list of a day, and the balance of our account there. */
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { HOUR_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createRazorpayXPayoutLister } from './payout-lister.ts';
import { openRazorpayXUnderTest, type RazorpayXUnderTest } from './rail-under-test.ts';

const anySignal = () => new AbortController().signal;

describe('RazorpayX’s list of a day’s payouts', () => {
  let bench: RazorpayXUnderTest;
  before(async () => {
    bench = await openRazorpayXUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const today = () => bench.lister.payoutsOf(bench.lister.dayOf(bench.clock.now()), anySignal());

  it('the RazorpayX list’s days are in Indian time', () => {
    const { dayOf } = bench.lister;
    assert.equal(dayOf(Date.UTC(2026, 10, 20, 18, 29, 59)), '2026-11-20');
    assert.equal(dayOf(Date.UTC(2026, 10, 20, 18, 30)), '2026-11-21');
  });

  it('the RazorpayX list contains each payout with its state', async () => {
    for (const payouts of ['process', 'fail', 'reverse', 'hold']) {
      await bench.control('faults', { payouts });
      await bench.rail.send(bench.order(), noDeadline());
    }
    bench.clock.advance(2 * SECOND_MS);
    bench.clock.advance(3 * SECOND_MS);
    const { payouts, unreadable } = await today();
    assert.deepEqual(unreadable, []);
    assert.deepEqual(payouts.map(({ state }) => state).sort(), ['declined', 'executed', 'pending', 'reversed']);
    for (const { reference, money, providerId, remittance } of payouts) {
      assert.equal(remittance, 'M1/A_17', 'whole, as the narration is not');
      assert.match(reference ?? '', /^\d+-AbCd1234$/);
      assert.deepEqual(money, { currency: 'INR', minor: 10_025n });
      assert.match(providerId, /^pout_\d{14}$/);
    }
  });

  it('the RazorpayX list contains exactly the payouts of its day', async () => {
    for (let count = 0; count < 101; count++) await bench.rail.send(bench.order(), noDeadline());
    bench.clock.advance(24 * HOUR_MS);
    const last = bench.order();
    await bench.rail.send(last, noDeadline());
    assert.deepEqual(
      (await today()).payouts.map(({ reference }) => reference),
      [last.reference],
    );
    const { payouts } = await bench.lister.payoutsOf('2026-11-20', anySignal());
    assert.equal(new Set(payouts.map(({ reference }) => reference)).size, 101);
    assert.equal(payouts.length, 101);
    assert.deepEqual((await bench.lister.payoutsOf('2026-11-19', anySignal())).payouts, []);
  });

  it('the list is rejected if RazorpayX does not return all of it', async () => {
    for (const lists of ['throttle', 'answer_500']) {
      await bench.control('faults', { lists });
      await assert.rejects(today(), /RazorpayX rejects our requests by its rate limit|HTTP 500/);
    }
  });

  it('RazorpayX’s list contains payouts that we did not send', async () => {
    const row = { entity: 'payout', amount: 100, currency: 'INR', created_at: 1_763_600_000 };
    const items = [
      { ...row, id: 'pout_1', reference_id: 'salary of June', status: 'processed' },
      { ...row, id: 'pout_1', reference_id: 'salary of June', status: 'processed' },
      { ...row, id: 'pout_2', reference_id: null, status: 'a_new_one' },
      { ...row, id: 'pout_3', amount: -1, status: 'processed' },
      { ...row, id: 'pout_4', created_at: 1, status: 'processed' },
    ].map(texts);
    const fields = { entity: 'collection', items };
    const lister = createRazorpayXPayoutLister({ accountNumber: '1' }, { get: async () => ({ kind: 'done', fields }) });
    const day = lister.dayOf(1_763_600_000_000);
    assert.deepEqual(await lister.payoutsOf(day, anySignal()), {
      payouts: [
        {
          reference: null,
          providerId: 'pout_1',
          money: { currency: 'INR', minor: 100n },
          state: 'executed',
          remittance: '',
        },
      ],
      unreadable: ['a row that is not a payout', 'pout_2 has the status a_new_one'],
    });
  });

  it('a RazorpayX payout reduces the account’s balance', async () => {
    const available = async () => {
      const read = await bench.float.read(noDeadline());
      assert.ok(read.ok);
      assert.equal(read.value[0]?.currency, 'INR');
      return read.value[0]?.minor ?? 0n;
    };
    const before = await available();
    await bench.rail.send(bench.order(), noDeadline());
    assert.equal(await available(), before - 10_025n - 590n);
  });

  it('the RazorpayX balance is an error for another account, or if RazorpayX fails', async () => {
    const elsewhere = bench.connect({ accountNumber: '123456' });
    assert.deepEqual(await elsewhere.float.read(noDeadline()), {
      ok: false,
      error: 'RazorpayX does not list a balance for our account',
    });
    await elsewhere.close();
    await bench.control('faults', { answer_500: 1 });
    assert.deepEqual(await bench.float.read(noDeadline()), { ok: false, error: 'HTTP 500' });
  });
});

/** Converts a row to the form that provider-json.ts reads: numbers as strings. */
function texts(row: Readonly<Record<string, string | number | null>>): Readonly<Record<string, string | null>> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [name, typeof value === 'number' ? String(value) : value]),
  );
}
