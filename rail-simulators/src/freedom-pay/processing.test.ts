/** Freedom Pay: messages, payouts, callbacks, the book, and each magic amount. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import {
  CARDS,
  CLIENT,
  type FreedomPayUnderTest,
  fieldsOf,
  openFormInbox,
  signature,
  startFreedomPayUnderTest,
} from './under-test.ts';

describe('a message to Freedom Pay', () => {
  it('a Freedom Pay message is accepted only from a known merchant with a valid signature', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const stranger = await freedomPay.pay({ pg_merchant_id: '1' });
    assert.deepEqual([stranger['pg_error_code'], stranger['pg_sig']], ['9998', undefined]);
    for (const wrong of ['', '0'.repeat(32), signature('reg2reg', {})]) {
      const refused = await freedomPay.pay({ pg_sig: wrong });
      assert.equal(refused['pg_error_code'], '1100');
      assert.equal(refused['pg_sig'], signature('p2p2nonreg', refused), 'the refusal is signed');
    }
    assert.equal((await freedomPay.summary())['payouts'], 0);
  });

  it('a Freedom Pay message is signed over all its fields, in the order of their names', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const paid = await freedomPay.pay({ zz_extra: 'also;signed' });
    assert.equal(paid['pg_status'], 'ok');
    assert.equal(paid['pg_sig'], signature('p2p2nonreg', paid));
  });

  it('a Freedom Pay message gets an XML response with HTTP 200, even when it is invalid', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const response = await fetch(`${freedomPay.url}/g2g/p2p2nonreg`, { method: 'POST', body: 'pg_merchant_id=<>' });
    const text = await response.text();
    assert.deepEqual([response.status, fieldsOf(text)['pg_status']], [200, 'error']);
    assert.match(text, /^<\?xml version="1\.0" encoding="utf-8"\?>\n<response>.*<\/response>\n$/);
  });

  it('an error response of Freedom Pay names the invalid field', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const faulty: readonly (readonly [fields: Readonly<Record<string, string>>, code: string, about: RegExp])[] = [
      [{ pg_order_id: '' }, '9403', /pg_order_id/],
      [{ pg_order_id: '1-AbCd1234' }, '9403', /pg_order_id/],
      [{ pg_amount: '0' }, '9403', /pg_amount/],
      [{ pg_amount: '1.005' }, '9403', /pg_amount/],
      [{ pg_currency: 'USD' }, '9403', /pg_currency/],
      [{ pg_payment_to: '411111111111' }, '9403', /pg_payment_to/],
      [{ pg_post_link: 'nowhere' }, '9403', /pg_post_link/],
      [{ pg_post_link: '' }, '9993', /pg_post_link/],
    ];
    for (const [fields, code, about] of faulty) {
      const refused = await freedomPay.pay(fields);
      assert.equal(refused['pg_error_code'], code);
      assert.match(refused['pg_error_description'] ?? '', about);
    }
    assert.equal((await freedomPay.summary())['payouts'], 0);
  });
});

describe('a payout at Freedom Pay', () => {
  it('a Freedom Pay payout is paid immediately and reduces the balance', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { float: '5000.00' });
    const paid = await freedomPay.pay({ pg_order_id: '1AbCd1234' });
    assert.deepEqual(
      [paid['pg_status'], paid['pg_order_id'], paid['pg_payment_amount'], paid['pg_balance']],
      ['ok', '1AbCd1234', '1000.00', '4000.00'],
    );
    const status = await freedomPay.statusOf('1AbCd1234');
    assert.deepEqual(
      [status['pg_status'], status['pg_payment_status'], status['pg_payment_id'], status['pg_amount']],
      ['ok', 'success', paid['pg_payment_id'], '1000.00'],
    );
    const balance = await freedomPay.post('/g2g/balance_status', { pg_currency: 'KZT' });
    assert.deepEqual([balance['pg_balance'], balance['pg_currency']], ['4000.00', 'KZT']);
  });

  it('a Freedom Pay payout fails immediately, and its status query repeats the reason', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const failed = await freedomPay.pay({ pg_order_id: '2AbCd1234', pg_payment_to: CARDS.failed });
    assert.deepEqual([failed['pg_status'], failed['pg_error_code']], ['error', '10001']);
    const status = await freedomPay.statusOf('2AbCd1234');
    assert.deepEqual(
      [status['pg_status'], status['pg_payment_status'], status['pg_error_code']],
      ['ok', 'error', '10001'],
    );
    assert.equal((await freedomPay.summary())['paid'], 0);
  });

  it('a Freedom Pay payout stays pending, then is paid or declined', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    for (const [card, end] of [
      [CARDS.paidLater, 'success'],
      [CARDS.failedLater, 'error'],
    ] as const) {
      const { pg_order_id: orderId = '', pg_status: status } = await freedomPay.pay({ pg_payment_to: card });
      assert.equal(status, 'pending');
      assert.equal((await freedomPay.statusOf(orderId))['pg_payment_status'], 'process');
      freedomPay.clock.advance(2_000);
      assert.equal((await freedomPay.statusOf(orderId))['pg_payment_status'], end);
    }
  });

  it('Freedom Pay pays a repeated order number again, and its book shows both payments', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const same = { pg_order_id: '3AbCd1234', pg_description: 'M1/A3' };
    const [first, second] = [await freedomPay.pay(same), await freedomPay.pay(same)];
    assert.notEqual(first['pg_payment_id'], second['pg_payment_id']);
    assert.equal((await freedomPay.statusOf('3AbCd1234'))['pg_payment_id'], second['pg_payment_id']);
    const { paid, paid_over_once } = await freedomPay.summary();
    assert.deepEqual([paid, paid_over_once], [2, ['M1/A3']]);
  });

  it('a Freedom Pay payout above the balance is rejected', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { float: '1500.00' });
    await freedomPay.pay({ pg_payment_to: CARDS.paidLater });
    assert.equal((await freedomPay.pay())['pg_error_code'], '420');
    assert.equal((await freedomPay.pay({ pg_amount: '500.00' }))['pg_status'], 'ok');
  });

  it('a Freedom Pay query for an unknown payout returns not found, without a signature', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const { pg_error_code: code, pg_sig: sig } = await freedomPay.statusOf('4AbCd1234');
    assert.deepEqual([code, sig], ['11068', undefined]);
  });
});

describe('the faults of Freedom Pay', () => {
  it('a Freedom Pay fault hides an executed payout, or confirms a payout that was not executed', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { delays: { holdMs: 60_000 } });
    const modes: readonly (readonly [mode: string, answer: string | undefined, isPaid: boolean])[] = [
      ['accept_500', undefined, true],
      ['accept_and_answer_error', '9999', true],
      ['answer_error', '9999', false],
      ['refuse', '9403', false],
      ['not_activated', '9992', false],
    ];
    for (const [payouts, code, isPaid] of modes) {
      await freedomPay.faults({ payouts });
      const before = (await freedomPay.summary())['paid'] as number;
      assert.equal((await freedomPay.pay())['pg_error_code'], code, payouts);
      assert.equal((await freedomPay.summary())['paid'], before + (isPaid ? 1 : 0), payouts);
    }
  });

  it('a fault leaves a Freedom Pay payout unanswered, whether or not it was executed', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    for (const [payouts, paid] of [
      ['lose', 0],
      ['accept_unanswered', 1],
    ] as const) {
      await freedomPay.faults({ payouts });
      await assertUnanswered(freedomPay, freedomPay.pay());
      assert.equal((await freedomPay.summary())['paid'], paid);
    }
  });

  it('faults make a Freedom Pay status query return nothing, an invalid number or an error', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    const { pg_order_id: orderId = '' } = await freedomPay.pay();
    await freedomPay.faults({ statuses: 'not_yet' });
    assert.equal((await freedomPay.statusOf(orderId))['pg_error_code'], '11068');
    await freedomPay.faults({ statuses: 'answer_error' });
    assert.equal((await freedomPay.statusOf(orderId))['pg_error_code'], '9999');
    await freedomPay.faults({ statuses: 'number_zero' });
    assert.equal((await freedomPay.statusOf('5AbCd1234'))['pg_payment_id'], '0');
    assert.equal((await freedomPay.statusOf(orderId))['pg_payment_status'], 'success');
  });

  it('a Freedom Pay fault changes or removes the signature of responses', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ signatures: 'wrong', wording: 'list' });
    const wrong = await freedomPay.pay();
    assert.deepEqual(
      [wrong['pg_status'], wrong['pg_sig'] === signature('p2p2nonreg', wrong, `not ${CLIENT.payoutSecret}`)],
      ['success', true],
    );
    await freedomPay.faults({ signatures: 'none' });
    assert.equal((await freedomPay.pay())['pg_sig'], undefined);
  });

  it('the fault “empty” makes the Freedom Pay balance zero', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ empty: true });
    assert.equal((await freedomPay.pay())['pg_error_code'], '420');
    assert.equal((await freedomPay.post('/g2g/balance_status', { pg_currency: 'KZT' }))['pg_balance'], '0');
  });
});

type Fields = Readonly<Record<string, string>>;

const notified = ({ inbox }: FreedomPayUnderTest) => inbox.received.map(({ body }) => body as Fields);

const untilNotifiedOf = (freedomPay: FreedomPayUnderTest, count: number) =>
  eventually(`${count} callbacks`, () => freedomPay.inbox.received.length === count);

async function paidAndNotified(freedomPay: FreedomPayUnderTest, fields: Fields = {}): Promise<void> {
  const count = freedomPay.inbox.received.length;
  await freedomPay.pay(fields);
  freedomPay.clock.advance(200);
  await untilNotifiedOf(freedomPay, count + 1);
}

describe('a callback of Freedom Pay', () => {
  it('a Freedom Pay callback goes to the payout’s own URL', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await paidAndNotified(freedomPay, { pg_order_id: '11AbCd1234' });
    const [callback = {}] = notified(freedomPay);
    assert.deepEqual(
      [callback['pg_order_id'], callback['pg_status'], callback['pg_payment_amount'], callback['pg_card_hash']],
      ['11AbCd1234', 'ok', '1000.00', '467159****8252'],
    );
    assert.equal(callback['pg_sig'], signature('rail-notifications', callback));
    const [message] = freedomPay.inbox.received;
    assert.equal(message?.headers['content-type'], 'application/x-www-form-urlencoded');
  });

  it('a Freedom Pay callback follows a slow payout, and a failed payout only when enabled', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.pay({ pg_payment_to: CARDS.failed });
    await freedomPay.pay({ pg_payment_to: CARDS.failedLater });
    await freedomPay.pay({ pg_payment_to: CARDS.paidLater, pg_order_id: '12AbCd1234' });
    freedomPay.clock.advance(2_000);
    await aWhile();
    freedomPay.clock.advance(200);
    await untilNotifiedOf(freedomPay, 1);
    await aWhile();
    assert.deepEqual(
      notified(freedomPay).map((fields) => fields['pg_order_id']),
      ['12AbCd1234'],
    );
    await freedomPay.faults({ notify_failures: true });
    await paidAndNotified(freedomPay, { pg_payment_to: CARDS.failed });
    assert.deepEqual(
      notified(freedomPay).map((fields) => [fields['pg_status'], fields['pg_error_code']]),
      [
        ['ok', undefined],
        ['error', '10001'],
      ],
    );
  });

  it('faults make Freedom Pay send a callback early, twice, late or not at all', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ payouts: 'notified_before_reply' });
    await freedomPay.pay();
    assert.equal(freedomPay.inbox.received.length, 1);
    await freedomPay.faults({ payouts: 'accept', notifications: 'twice' });
    await freedomPay.pay();
    freedomPay.clock.advance(200);
    await untilNotifiedOf(freedomPay, 3);
    await freedomPay.faults({ notifications: 'late' });
    await freedomPay.pay();
    freedomPay.clock.advance(200);
    await aWhile();
    assert.equal(freedomPay.inbox.received.length, 3);
    freedomPay.clock.advance(10_000);
    await untilNotifiedOf(freedomPay, 4);
    await freedomPay.faults({ notifications: 'off' });
    await freedomPay.pay();
    freedomPay.clock.advance(20_000);
    await aWhile();
    assert.equal(freedomPay.inbox.received.length, 4);
  });

  it('faults put a different amount or another client’s signature into a Freedom Pay callback', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t);
    await freedomPay.faults({ notifications: 'wrong_amount' });
    await paidAndNotified(freedomPay);
    await freedomPay.faults({ notifications: 'forged' });
    await paidAndNotified(freedomPay);
    const [lie = {}, forged = {}] = notified(freedomPay);
    assert.deepEqual(
      [lie['pg_payment_amount'], lie['pg_sig'] === signature('rail-notifications', lie)],
      ['999999.99', true],
    );
    assert.equal(forged['pg_sig'], signature('rail-notifications', forged, `not ${CLIENT.payoutSecret}`));
  });
});

function bookFile(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'freedom-pay-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'book.jsonl');
}

describe('the book of Freedom Pay', () => {
  it('the Freedom Pay book records the paid and declined payouts and the balance', async (t) => {
    const freedomPay = await startFreedomPayUnderTest(t, { float: '10000.00' });
    await freedomPay.pay({ pg_amount: '12.50' });
    await freedomPay.pay({ pg_payment_to: CARDS.failed });
    await freedomPay.pay({ pg_payment_to: CARDS.paidLater, pg_amount: '100' });
    assert.deepEqual(await freedomPay.summary(), {
      payouts: 3,
      waiting: 1,
      refused: 1,
      paid: 1,
      paid_amount: '12.50',
      balance: '9887.50',
      paid_over_once: [],
    });
  });

  it('the Freedom Pay book does not contain a card number', async (t) => {
    const bookPath = bookFile(t);
    const freedomPay = await startFreedomPayUnderTest(t, { bookPath });
    await freedomPay.pay({ pg_payment_to: CARDS.paid });
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /467159\*\*\*\*8252/);
    assert.ok(!text.includes(CARDS.paid));
  });

  it('after a restart Freedom Pay decides pending payouts and repeats unaccepted callbacks', async (t) => {
    const bookPath = bookFile(t);
    const inbox = await openFormInbox(t);
    const first = await startFreedomPayUnderTest(t, { bookPath, inbox });
    const { pg_order_id: paid = '' } = await first.pay();
    const { pg_order_id: waiting = '' } = await first.pay({ pg_payment_to: CARDS.failedLater });
    await first.close();
    const second = await startFreedomPayUnderTest(t, { bookPath, inbox, clock: first.clock });
    second.clock.advance(2_000);
    await eventually('it is notified', () => inbox.received.length === 1);
    assert.equal(inbox.received[0]?.body['pg_order_id'], paid);
    assert.equal((await second.statusOf(waiting))['pg_payment_status'], 'error');
    assert.equal((await second.control('reset', {})).status, 409);
  });
});

async function start(t: TestContext, amount: string, card: string = CARDS.paid): Promise<Play> {
  const freedomPay = await startFreedomPayUnderTest(t);
  await freedomPay.faults({ notify_failures: true });
  return {
    clock: freedomPay.clock,
    async send() {
      const { pg_status, pg_error_code = '' } = await freedomPay.pay({ pg_amount: amount, pg_payment_to: card });
      return `${pg_status} ${pg_error_code}`.trim();
    },
    async book() {
      const entries = entriesOf(await freedomPay.control('book')).filter(({ kind }) => kind !== 'acknowledged');
      return entries.map(({ kind, code }) => `${kind} ${code}`.trim());
    },
    notified: () => freedomPay.inbox.received.map(({ body }) => body['pg_status']),
  };
}

const rows: readonly Row[] = [
  ['40', 'pending', 'accepted, paid', 'ok'],
  ['41', 'pending', 'accepted, refused 10001', 'error'],
  ['42', 'pending', 'accepted, paid'],
  ['44', 'never', 'paid', 'ok'],
  ['45', 'never', ''],
  ['50', 'undefined', 'paid', 'ok'],
  ['51', 'error 10001', 'refused 10001', 'error'],
  ['52', 'error 10005', 'refused 10005', 'error'],
  ['53', 'error 10006', 'refused 10006', 'error'],
  ['62', 'ok', 'paid', 'ok'],
  ['63', 'pending', 'accepted, paid', 'ok ×2', 'ok'],
];

describe('magic amounts at Freedom Pay', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('Freedom Pay sends the callback of a payout with .62 before its response', async (t) => {
    assert.deepEqual((await playOut(await start(t, '10.62'))).notifiedFirst, ['ok']);
  });

  it('a Freedom Pay magic amount overrides the test card, which decides every other amount', async (t) => {
    assert.equal((await playOut(await start(t, '10.50', CARDS.failed))).book, 'paid');
    assert.equal((await playOut(await start(t, '40', CARDS.failed))).answered, 'error 10001');
  });
});
