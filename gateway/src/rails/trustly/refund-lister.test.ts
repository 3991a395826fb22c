/** Reads Trustly's reports of daily settlements from its simulator over HTTP, on a clock that the test moves. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { openTrustlyUnderTest, type TrustlyUnderTest } from './rail-under-test.ts';
import { readSettlement } from './refund-lister.ts';

const REFERENCE = `P${'1'.repeat(28)}`;

describe('Trustly’s report of refunds', () => {
  let bench: TrustlyUnderTest;
  before(async () => {
    bench = await openTrustlyUnderTest();
  });
  after(() => bench.close());

  const list = (day: string, { lister }: Pick<TrustlyUnderTest, 'lister'> = bench) =>
    lister.payoutsOf(day, new AbortController().signal);

  it('the Trustly settlement after a day lists only its refunds, by our references', async () => {
    const order = bench.order();
    const opened = await bench.rail.start(order, null, noDeadline());
    assert.ok(opened.kind === 'step');
    const payment = { ...order, providerReference: opened.providerReference };
    await bench.control('act', { messageid: order.reference, behaviour: 'pay' });
    const money = { currency: 'EUR', minor: 4_000n } as const;
    const refund = { payment, reference: REFERENCE, money, startedAt: bench.clock.now() };
    assert.deepEqual(await bench.rail.refund?.(refund, noDeadline()), { kind: 'refunded' });
    const day = new Date(bench.clock.now()).toISOString().slice(0, 10);
    await assert.rejects(list(day), /Trustly returned 620/);
    bench.clock.advance(DAY_MS);
    const { providerReference: providerId } = payment;
    assert.deepEqual(await list(day), {
      payouts: [{ reference: REFERENCE, providerId, money, state: 'executed' }],
      unreadable: [],
    });
    bench.clock.advance(DAY_MS);
    assert.deepEqual((await list(new Date(bench.clock.now() - DAY_MS).toISOString().slice(0, 10))).payouts, []);
  });

  it('a response that Trustly did not sign is not a list', async () => {
    const stranger = bench.connect({ password: new Secret('wrong') });
    await assert.rejects(list('2026-11-19', stranger), /Trustly returned 616/);
    await stranger.close();
    const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/1' });
    await assert.rejects(list('2026-11-19', nobody));
    await nobody.close();
  });

  it('a Trustly refund made by hand has no reference of ours', () => {
    const header = 'datestamp,accountname,currency,amount,orderid,ordertype,externalreference';
    const rows = [
      'x,BANK_WITHDRAWAL_QUEUED,EUR,-1.50,1,Refund,by hand',
      `x,BANK_WITHDRAWAL_QUEUED,EUR,2.00,2,Refund,${REFERENCE}`,
      'x,BANK_WITHDRAWAL_QUEUED,EUR,,3,Refund,',
      'x,BANK_WITHDRAWAL_QUEUED,EUR,-9.00,4,AccountPayout,',
    ];
    const read = readSettlement({ view_automatic_settlement_details: [header, ...rows].join('\n') });
    const eur = (minor: bigint) => ({ currency: 'EUR', minor });
    assert.deepEqual(read.ok && read.value, {
      payouts: [
        { reference: null, providerId: '1', money: eur(150n), state: 'executed' },
        { reference: REFERENCE, providerId: '2', money: eur(200n), state: 'reversed' },
      ],
      unreadable: ['refund of order 3 without an amount'],
    });
    assert.equal(readSettlement(null).ok, false);
  });
});
