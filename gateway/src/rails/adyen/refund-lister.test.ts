/** Reads the daily report of Adyen's simulator over HTTP, on a clock that the test moves. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { REPORT_USER } from '../../../../rail-simulators/src/adyen/reports.ts';
import { startAdyen } from '../../../../rail-simulators/src/adyen/server.ts';
import type { ProviderServer } from '../../../../rail-simulators/src/kernel/start-provider.ts';
import { ManualClock } from '../../../../rail-simulators/src/manual-clock.ts';
import { simulatorAt } from '../../../test/support/rails/simulator-control.ts';
import { noDeadline } from '../../../test/support/tools/deadlines.ts';
import { until } from '../../../test/support/tools/until.ts';
import type { PaymentOrder } from '../../domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createProviderHttp } from '../kit/provider-http.ts';
import { ADYEN_CLIENT, type AdyenConnection, adyenOrder, connectToAdyen, paymentCard } from './rail-under-test.ts';
import { createAdyenRefundLister, readRefunds } from './refund-lister.ts';

const DAY = '2026-11-20';
const HEADER =
  'Merchant Account,Record Type,Main Currency,Main Amount,Modification Psp Reference,Modification Merchant Reference';

let clock: ManualClock;
let adyen: ProviderServer;
let connection: AdyenConnection;
let refunds = 0;

before(async () => {
  clock = new ManualClock(Date.parse(`${DAY}T12:00:00Z`));
  const edge = { host: '127.0.0.1', port: 0, secret: 'control', control: true, log: () => {} };
  adyen = await startAdyen({ ...edge, ...ADYEN_CLIENT, clock, webhookUrl: 'http://127.0.0.1:1/' });
  connection = connectToAdyen(adyen.url);
});
after(async () => {
  await connection.close();
  await adyen.close();
});

const control = (what: string, body?: object) => simulatorAt({ url: adyen.url, secret: 'control' })(what, body);

async function list(day: string, password: string = REPORT_USER.password) {
  const http = createProviderHttp({ baseUrl: adyen.url, connections: 1 });
  const reports = { user: REPORT_USER.user, password: new Secret(password) };
  const lister = createAdyenRefundLister(ADYEN_CLIENT, reports, http);
  return lister.payoutsOf(day, new AbortController().signal).finally(() => http.close());
}

async function paid(): Promise<PaymentOrder> {
  const order = adyenOrder();
  const answer = await connection.rail.start(order, paymentCard('4111111111111111'), noDeadline());
  assert.ok(answer.kind === 'paid', answer.kind);
  return { ...order, providerReference: answer.providerReference };
}

async function refund(payment: PaymentOrder, reference: string, minor: bigint): Promise<void> {
  const order = { payment, reference, money: { currency: 'EUR', minor }, startedAt: clock.now() } as const;
  assert.deepEqual(await connection.rail.refund?.(order, noDeadline()), { kind: 'pending' });
  await decided(++refunds);
}

/** Lets Adyen decide on refunds. */
async function decided(count: number): Promise<void> {
  clock.advance(10_000);
  await until('Adyen made the refund', async () => (await control('summary'))['refunds'] === count);
}

describe('Adyen’s report of refunds', () => {
  const [first, second] = [`P${'1'.repeat(28)}`, `P${'2'.repeat(28)}`] as const;

  it('Adyen’s report lists each refund of the day once', async () => {
    const payment = await paid();
    await refund(payment, first, 400n);
    await control('faults', { refunds: 'fail_later' });
    await refund(payment, second, 150n);
    await control('faults', { refunds: 'succeed' });
    await control('refund', { reference: payment.reference, value: 100 });
    await decided(3);
    await assert.rejects(list(DAY), /HTTP 404/);
    clock.advance(DAY_MS - HOUR_MS);
    const { payouts, unreadable } = await list(DAY);
    const listed = payouts.map(({ reference, money, state }) => [reference, money.minor, state]);
    assert.deepEqual(
      [listed, unreadable],
      [
        [
          [first, 400n, 'executed'],
          [second, 150n, 'reversed'],
        ],
        [],
      ],
    );
    assert.deepEqual((await list('2026-11-19')).payouts, []);
  });

  it('Adyen’s list of refunds is rejected when the password of the report is incorrect', () =>
    assert.rejects(list(DAY, 'another'), /HTTP 401/));

  it('Adyen’s report is rejected without a needed column, and a refund without an amount is unreadable', () => {
    const read = (text: string) => readRefunds(Buffer.from(text), 'M');
    const short = read(HEADER.replace(',Modification Merchant Reference', ''));
    assert.ok(!short.ok && short.error.endsWith('Modification Merchant Reference'), JSON.stringify(short));
    const rows = [`M,Refunded,EUR,,PSP1,1-AbCd1234/${first}`, `Other,Refunded,EUR,1.00,PSP2,1-AbCd1234/${second}`];
    const list = read([HEADER, ...rows].join('\n'));
    assert.deepEqual(list.ok && list.value, {
      payouts: [],
      unreadable: ['refund PSP1 without a readable amount'],
    });
    assert.equal(read('').ok, false);
  });
});
