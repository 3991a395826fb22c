import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import type { PayoutNews } from '../../domain/notifications/rail-notification.ts';
import { Secret } from '../../foundation/secret.ts';
import type { FreedomPayAnswer, FreedomPayRequest } from './api.ts';
import { createFreedomPayNotifications } from './notifications.ts';
import { signedForm } from './signature.ts';

const SECRET = new Secret('payout-secret');
const DEADLINE = { signal: new AbortController().signal, isPast: () => false };

/** Freedom Pay's response about the payout, and the queries that it received. */
let said: FreedomPayAnswer = { kind: 'no_answer', reason: 'not asked' };
const asked: FreedomPayRequest[] = [];
const notifications = createFreedomPayNotifications(
  { payoutSecret: SECRET, notificationUrl: 'https://pay.example/rail-notifications/freedom-pay' },
  {
    async call(request) {
      asked.push(request);
      return said;
    },
  },
);

const CALLBACK = {
  pg_payment_id: '7777777777',
  pg_order_id: '1234AbCd1234',
  pg_merchant_id: '9970',
  pg_status: 'ok',
  pg_balance: '500000',
  pg_payment_amount: '1000.00',
  pg_to_pay: '1010',
  pg_payment_date: '2018-12-31 15:00:00',
  pg_card_hash: '467159-XX-XXXX-8252',
};

function form(change: Readonly<Record<string, string | undefined>> = {}, script = 'freedom-pay', secret = SECRET) {
  const fields = Object.entries({ ...CALLBACK, ...change }).filter(([, value]) => value !== undefined);
  return signedForm(script, new Map(fields as [string, string][]), 'salt', secret);
}

const read = (body: string) => notifications.read({ body: Buffer.from(body), headers: {}, clientAddress: '' });

function newsOf(body: string): PayoutNews | undefined {
  const reading = read(body);
  assert.ok(reading.ok, inspect(reading));
  assert.deepEqual(reading.value.acknowledgement, {
    status: 200,
    contentType: 'text/plain; charset=utf-8',
    body: 'OK',
  });
  return reading.value.news[0] as PayoutNews | undefined;
}

const status = (word: string, amount: string | null = '1000'): FreedomPayAnswer => ({
  kind: 'said',
  fields: new Map([
    ['pg_payment_id', '7777777777'],
    ['pg_order_id', '1234AbCd1234'],
    ['pg_status', 'ok'],
    ['pg_payment_status', word],
    ...(amount === null ? [] : [['pg_amount', amount] as const]),
  ]),
});

describe('Freedom Pay’s callbacks', () => {
  it('a Freedom Pay callback about a paid payout is reported with its amount', () => {
    const { ask, ...news } = newsOf(form()) ?? {};
    assert.deepEqual(news, {
      kind: 'executed',
      reference: '1234-AbCd1234',
      money: { currency: 'KZT', minor: 100_000n },
    });
    assert.ok(ask, 'they are asked before it is believed');
  });

  it('a Freedom Pay callback about a failed payout is reported with its reason', () => {
    const { ask: _ask, ...news } = newsOf(form({ pg_status: 'error', pg_error_code: '10001' })) ?? {};
    assert.deepEqual(news, {
      kind: 'declined',
      reference: '1234-AbCd1234',
      money: { currency: 'KZT', minor: 100_000n },
      blockedReason: 'bank_declined',
      reason: 'Freedom Pay reports 10001: refer to the card’s bank',
    });
  });

  it('a Freedom Pay callback with both statuses is read by the payout’s status, not the message’s', () => {
    assert.equal(newsOf(form({ pg_payment_status: 'error' }))?.kind, 'declined');
    assert.equal(newsOf(form({ pg_payment_status: 'success' }))?.kind, 'executed');
    assert.equal(newsOf(form({ pg_payment_status: 'process' })), undefined);
  });

  it('a Freedom Pay callback may omit the amount, but must not contain an unreadable amount', () => {
    assert.equal(newsOf(form({ pg_payment_amount: undefined }))?.money, null);
    assert.deepEqual(read(form({ pg_payment_amount: '1e3' })), {
      ok: false,
      error: { kind: 'malformed', reason: 'pg_payment_amount' },
    });
  });

  it('a Freedom Pay callback about another client’s payout is acknowledged and ignored', () => {
    assert.equal(newsOf(form({ pg_order_id: 'by hand' })), undefined);
    assert.equal(newsOf(form({ pg_order_id: undefined })), undefined);
  });

  it('a Freedom Pay callback with an invalid secret, script or value is unauthentic', () => {
    const wrong = [
      '',
      form({}, 'freedom-pay', new Secret('another')),
      form({}, 'rail-notifications'),
      `${form()}&pg_extra=1`,
      form().replace('1000.00', '1000.01'),
      form().replace(/&pg_sig=.*/, ''),
    ];
    for (const body of wrong) assert.deepEqual(read(body), { ok: false, error: { kind: 'unauthentic' } }, body);
  });

  it('a Freedom Pay callback with a repeated field or an unknown status is malformed', () => {
    assert.deepEqual(read(`${form()}&pg_status=ok`), {
      ok: false,
      error: { kind: 'malformed', reason: 'a duplicate field' },
    });
    assert.deepEqual(read(form({ pg_status: 'done' })), {
      ok: false,
      error: { kind: 'malformed', reason: 'pg_status' },
    });
  });
});

describe('the query about a Freedom Pay callback', () => {
  const confirmation = (body: string) => newsOf(body)?.ask?.({ currency: 'KZT', minor: 100_000n }, DEADLINE);

  it('a Freedom Pay callback is confirmed by a query with our reference if the response agrees', async () => {
    asked.length = 0;
    said = status('success');
    assert.deepEqual(await confirmation(form()), { kind: 'confirmed' });
    assert.deepEqual(asked, [{ path: '/api/payment_status2', fields: { pg_order_id: '1234AbCd1234' } }]);
    said = status('error');
    assert.deepEqual(await confirmation(form({ pg_status: 'error' })), { kind: 'confirmed' });
  });

  it('a Freedom Pay callback is not confirmed if its values are moved between fields or a query contradicts it', async () => {
    const failed = form({ pg_status: 'error', pg_to_pay: 'ok', pg_payment_amount: undefined });
    const renamed = failed.replace('pg_status=error', 'pg_sta=error').replace('pg_to_pay=ok', 'pg_status=ok');
    said = status('error');
    assert.equal((await confirmation(renamed))?.kind, 'unconfirmed');
    const unsaid: FreedomPayAnswer[] = [
      status('process'),
      status('error'),
      status('success', '999999.99'),
      status('success', null),
      { kind: 'error', code: '11068', isSigned: false },
      { kind: 'no_answer', reason: 'HTTP 500' },
      { kind: 'not_connected', reason: 'no connection' },
    ];
    for (const answer of unsaid) {
      said = answer;
      assert.equal((await confirmation(form()))?.kind, 'unconfirmed', JSON.stringify(answer));
    }
  });
});
