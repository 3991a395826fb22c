/** Adyen's transfers: requests, lists, webhooks, the book, and each magic amount. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { aWhile, eachOf, eventually, type Received } from '../kernel/inbox-under-test.ts';
import { entriesOf, type Play, playOut, type Row, testCourses } from '../kernel/magic-amounts-under-test.ts';
import { assertUnanswered } from '../kernel/simulator-under-test.ts';
import { MAGIC_AMOUNTS } from './magic-amounts.ts';
import { signatureOf } from './notifications.ts';
import {
  type AdyenTransfersUnderTest,
  API_KEY,
  BALANCE_ACCOUNT,
  HMAC_KEY,
  holder,
  startAdyenTransfersUnderTest,
  toCard,
} from './under-test.ts';

const card = { number: '4321123456788765' };

describe('a transfer at Adyen', () => {
  it('an Adyen transfer is booked after a delay', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const { status, body } = await adyen.submit();
    assert.equal(status, 202);
    assert.deepEqual(
      ['status', 'reason', 'reference', 'direction', 'category', 'amount'].map((name) => body[name]),
      ['authorised', 'approved', '1-AbCd1234', 'outgoing', 'card', { currency: 'USD', value: 10_000 }],
    );
    assert.match(JSON.stringify(body), /"number":"432112\*{6}8765"/);
    adyen.clock.advance(2_000);
    const { body: listed } = await adyen.list();
    const [data] = listed['data'] as Record<string, unknown>[];
    assert.deepEqual([data?.['status'], data?.['sequenceNumber']], ['booked', 3]);
    assert.deepEqual(data?.['balances'], [{ currency: 'USD', received: 0, reserved: 0, balance: -10_000 }]);
    assert.deepEqual((await adyen.summary())['paid_out'], { USD: 10_000 });
  });

  it('an Adyen transfer is accepted only with a valid API key that has the permission', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const unknown = await adyen.submit({}, { 'x-api-key': 'another' });
    assert.deepEqual([unknown.status, unknown.body['status'], unknown.body['errorType']], [401, 401, 'security']);
    await adyen.faults({ answers: 'forbidden' });
    assert.equal((await adyen.submit()).status, 403);
    assert.equal((await adyen.summary())['transfers'], 0);
  });

  const abroad = { country: 'DE', city: 'Koeln', line1: '7', line2: 'Lange Strasse' };
  const atHome = { country: 'US', city: 'San Francisco', line1: '274', line2: 'Brannan St', stateOrProvince: 'CA' };
  const faulty: readonly (readonly [field: string, change: Record<string, unknown>])[] = [
    ['category', { category: 'bank' }],
    ['amount.value', { amount: { value: 0, currency: 'USD' } }],
    ['amount.value', { amount: { value: 1.5, currency: 'USD' } }],
    ['amount.currency', { amount: { value: 1, currency: 'usd' } }],
    ['balanceAccountId', { balanceAccountId: 'BA1' }],
    ['reference', { reference: 'x'.repeat(81) }],
    ['description', { description: 'ä' }],
    ['counterparty.card.cardHolder.type', toCard(holder({ type: 'organization' }), card)],
    ['counterparty.card.cardHolder.firstName', toCard(holder({ firstName: 'José' }), card)],
    ['counterparty.card.cardHolder.lastName', toCard(holder({ lastName: '' }), card)],
    ['counterparty.card.cardHolder.address.city', toCard(holder({ address: { ...abroad, city: 'Ko' } }), card)],
    ['counterparty.card.cardHolder.address.line2', toCard(holder({ address: { ...abroad, line2: '' } }), card)],
    ['counterparty.card.cardHolder.address.postalCode', toCard(holder({ address: atHome }), card)],
    ['counterparty.card.cardIdentification.number', toCard(holder(), { number: '432' })],
    ['counterparty.card.cardIdentification.expiryMonth', toCard(holder(), { ...card, expiryMonth: '3' })],
  ];
  it('an Adyen transfer with an invalid field is rejected with the field’s name', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await eachOf(faulty, async ([field, change]) => {
      const { status, body } = await adyen.submit(change);
      assert.equal(status, 422);
      assert.deepEqual(
        (body['invalidFields'] as { name: string }[]).map(({ name }) => name),
        [field],
      );
      assert.equal((await adyen.summary())['transfers'], 0);
    });
  });

  it('an Adyen transfer may include a complete address', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const whole = { ...atHome, postalCode: '94107' };
    assert.equal((await adyen.submit(toCard(holder({ address: whole, dateOfBirth: '1988-02-29' }), card))).status, 202);
  });

  it('Adyen creates one transfer for each idempotency key, and repeats its response', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const key = { 'idempotency-key': 'the same' };
    const first = await adyen.submit({}, key);
    adyen.clock.advance(2_000);
    assert.deepEqual(await adyen.submit({}, key), first);
    const other = await adyen.submit({ amount: { value: 1, currency: 'USD' } }, key);
    assert.deepEqual([other.status, other.body['invalidFields']], [422, undefined]);
    assert.equal((await adyen.submit({}, { 'idempotency-key': 'k'.repeat(65) })).status, 422);
    assert.deepEqual((await adyen.summary())['paid_over_once'], []);
    await adyen.submit({}, { 'idempotency-key': 'another' });
    adyen.clock.advance(2_000);
    const summary = await adyen.summary();
    assert.deepEqual([summary['booked'], summary['paid_over_once']], [2, ['1-AbCd1234']]);
  });

  it('Adyen returns 202 for a transfer above the available funds and then declines it', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ funds: 'none' });
    const { status, body } = await adyen.submit();
    assert.deepEqual([status, body['status'], body['reason']], [202, 'refused', 'notEnoughBalance']);
  });

  const ends: readonly (readonly [conduct: string, answered: string, end: string, left: object])[] = [
    ['book_at_once', 'booked', 'booked', { USD: 10_000 }],
    ['receive_first', 'received', 'booked', { USD: 10_000 }],
    ['stay', 'authorised', 'authorised', {}],
    ['refuse', 'refused', 'refused', {}],
    ['refuse_later', 'received', 'refused', {}],
    ['fail', 'authorised', 'failed', {}],
    ['fail_after_booking', 'authorised', 'failed', {}],
    ['return', 'authorised', 'returned', {}],
    ['cancel', 'authorised', 'cancelled', {}],
  ];
  it('an Adyen transfer ends in the status that the simulator’s “transfers” fault sets', async (t) => {
    await eachOf(ends, async ([transfers, answered, end, left]) => {
      const adyen = await startAdyenTransfersUnderTest(t);
      await adyen.faults({ transfers, reason: 'doNotHonor' });
      assert.equal((await adyen.submit()).body['status'], answered);
      adyen.clock.advance(2_000);
      await adyen.list();
      adyen.clock.advance(2_000);
      const { body } = await adyen.list();
      const [data] = body['data'] as { status: string; balances: { received: number; reserved: number }[] }[];
      assert.equal(data?.status, end);
      if (end !== 'authorised') assert.deepEqual([data?.balances[0]?.received, data?.balances[0]?.reserved], [0, 0]);
      assert.deepEqual((await adyen.summary())['paid_out'], left);
    });
  });

  it('a booked Adyen transfer can be returned', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.submit();
    assert.equal((await adyen.control('return', { reference: '1-AbCd1234' })).status, 400);
    adyen.clock.advance(2_000);
    const { body } = await adyen.control('return', { reference: '1-AbCd1234', reason: 'counterpartyAccountClosed' });
    assert.deepEqual([body['status'], body['reason']], ['returned', 'counterpartyAccountClosed']);
    assert.deepEqual((await adyen.summary())['paid_out'], {});
  });

  const modes: readonly (readonly [answers: string, status: number | 'none', accepted: number])[] = [
    ['accept_unanswered', 'none', 1],
    ['lose', 'none', 0],
    ['accept_500', 500, 1],
    ['at_work', 422, 0],
  ];
  it('the fault “answers” decides the status of Adyen’s response, and whether the transfer exists', async (t) => {
    await eachOf(modes, async ([answers, status, accepted]) => {
      const adyen = await startAdyenTransfersUnderTest(t);
      await adyen.faults({ answers });
      if (status === 'none') await assertUnanswered(adyen, adyen.submit());
      else assert.equal((await adyen.submit()).status, status);
      assert.equal((await adyen.summary())['transfers'], accepted);
    });
  });
});

describe('the balance account at Adyen', () => {
  it('the Adyen balance account shows the funds after each reservation, booking and return', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const left = async () => {
      const headers = { 'x-api-key': API_KEY };
      const response = await fetch(`${adyen.url}/bcl/v2/balanceAccounts/${BALANCE_ACCOUNT}`, { headers });
      const { balances } = (await response.json()) as { balances: { balance: number; available: number }[] };
      return balances.map(({ balance, available }) => [balance, available]);
    };
    const full = 100_000_000;
    assert.deepEqual(await left(), [
      [full, full],
      [full, full],
    ]);
    await adyen.submit();
    assert.deepEqual(await left(), [
      [full, full],
      [full, full - 10_000],
    ]);
    adyen.clock.advance(2_000);
    await adyen.list();
    assert.deepEqual(await left(), [
      [full, full],
      [full - 10_000, full - 10_000],
    ]);
    await adyen.control('return', { reference: '1-AbCd1234' });
    assert.deepEqual(await left(), [
      [full, full],
      [full, full],
    ]);
    await adyen.faults({ funds: 'none' });
    assert.deepEqual(
      (await left()).map(([, available]) => available),
      [0, 0],
    );
    const nobody = await fetch(`${adyen.url}/bcl/v2/balanceAccounts/BA1`, { headers: { 'x-api-key': API_KEY } });
    assert.equal(nobody.status, 422);
  });
});

describe('the list of transfers at Adyen', () => {
  it('the Adyen list finds transfers by reference, in either order and in pages', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    for (const reference of ['a', 'b', 'a']) await adyen.submit({ reference });
    const idsOf = (body: Readonly<Record<string, unknown>>) => (body['data'] as { id: string }[]).map(({ id }) => id);
    const all = await adyen.list();
    assert.equal(idsOf(all.body).length, 3);
    assert.deepEqual(all.body['_links'], {});
    const ofA = await adyen.list({ reference: 'a', sortOrder: 'desc', limit: '1' });
    const { href } = (ofA.body['_links'] as { next: { href: string } }).next;
    const cursor = new URL(href).searchParams.get('cursor') ?? '';
    const rest = await adyen.list({ reference: 'a', sortOrder: 'desc', limit: '1', cursor });
    assert.deepEqual([...idsOf(ofA.body), ...idsOf(rest.body)], [idsOf(all.body)[2], idsOf(all.body)[0]]);
    assert.deepEqual(idsOf((await adyen.list({ reference: 'c' })).body), []);
    await adyen.faults({ lists: 'not_yet' });
    assert.deepEqual(idsOf((await adyen.list()).body), []);
  });

  it('the Adyen list requires the account and a range of at most six months', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const wrong = [
      { createdSince: '' },
      { createdUntil: 'x' },
      { createdSince: '2025-01-01T00:00:00Z' },
      { balanceAccountId: 'BA1' },
      { limit: '101' },
    ];
    for (const query of wrong) assert.equal((await adyen.list(query)).status, 422, JSON.stringify(query));
  });
});

interface Data {
  readonly status: string;
  readonly sequenceNumber: number;
  readonly amount: { readonly value: number };
}

const dataOf = ({ body }: Received) => body['data'] as Data;

const isSigned = ({ raw, headers }: Received) => headers['hmacsignature'] === signatureOf(raw, HMAC_KEY);

async function notified(adyen: AdyenTransfersUnderTest, count: number): Promise<readonly Received[]> {
  await eventually(`${count} webhooks`, () => adyen.inbox.received.length >= count);
  await aWhile();
  assert.equal(adyen.inbox.received.length, count);
  return adyen.inbox.received;
}

describe('a webhook about an Adyen transfer', () => {
  it('an Adyen transfer webhook is sent for every status in order', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.submit();
    adyen.clock.advance(2_000);
    const received = await notified(adyen, 3);
    assert.deepEqual(
      received.map(dataOf).map(({ status, sequenceNumber }) => `${sequenceNumber} ${status}`),
      ['1 received', '2 authorised', '3 booked'],
    );
    assert.deepEqual(
      received.map(({ body }) => body['type']),
      ['created', 'updated', 'updated'].map((what) => `balancePlatform.transfer.${what}`),
    );
    assert.ok(received.every(isSigned));
    assert.doesNotMatch(JSON.stringify(received), /4321123456788765/);
  });

  it('an Adyen transfer webhook about the booking can arrive before the response to the request', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ webhooks: 'before_reply' });
    assert.equal((await adyen.submit()).body['status'], 'authorised');
    const statuses = adyen.inbox.received.map((message) => dataOf(message).status);
    assert.deepEqual(statuses, ['received', 'authorised', 'booked']);
  });

  it('faults put a different amount into an Adyen transfer webhook, or forge it with the opposite status', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.faults({ webhooks: 'wrong_amount', transfers: 'refuse' });
    await adyen.submit();
    const wrong = await notified(adyen, 2);
    assert.ok(wrong.every((message) => isSigned(message) && dataOf(message).amount.value === 99_999_999));
    adyen.inbox.received.length = 0;
    await adyen.faults({ webhooks: 'forged' });
    await adyen.submit();
    const received = await notified(adyen, 4);
    const forged = received.filter((message) => !isSigned(message)).map((message) => dataOf(message).status);
    assert.deepEqual(forged, ['booked', 'booked']);
  });
});

function newBookPath(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'adyen-transfers-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return join(folder, 'data', 'book.jsonl');
}

describe('the book of Adyen transfers on disk', () => {
  it('after a restart the Adyen simulator keeps acknowledged transfers, completes pending transfers and recognises repeats', async (t) => {
    const bookPath = newBookPath(t);
    const before = await startAdyenTransfersUnderTest(t, { bookPath });
    const key = { 'idempotency-key': 'the same' };
    const first = await before.submit({}, key);
    await before.close();
    const { clock, inbox } = before;
    const after = await startAdyenTransfersUnderTest(t, { bookPath, clock, inbox });
    assert.deepEqual(await after.submit({}, key), first);
    clock.advance(2_000);
    const { body } = await after.list();
    assert.deepEqual(
      (body['data'] as { status: string }[]).map(({ status }) => status),
      ['booked'],
    );
    assert.equal((await after.control('reset', {})).status, 409);
  });

  it('the Adyen transfers book does not contain a card number', async (t) => {
    const bookPath = newBookPath(t);
    const adyen = await startAdyenTransfersUnderTest(t, { bookPath });
    await adyen.submit();
    const text = readFileSync(bookPath, 'utf8');
    assert.match(text, /432112\*{6}8765/);
    assert.doesNotMatch(text, /4321123456788765/);
  });
});

async function start(t: TestContext, amount: string): Promise<Play> {
  const adyen = await startAdyenTransfersUnderTest(t);
  return {
    clock: adyen.clock,
    async send() {
      const value = Number(amount.replace('.', ''));
      const { status, body } = await adyen.submit({ amount: { value, currency: 'EUR' } });
      return status === 202 ? body['status'] : status;
    },
    async book() {
      const entries = entriesOf(await adyen.control('book'));
      return entries.map(({ status, reason }) => `${status} ${reason}`.replace(/ (?:pending|approved)$/, ''));
    },
    notified: () => adyen.inbox.received.map(({ body }) => (body['data'] as { status: string }).status),
  };
}

const paid = 'received, authorised, booked';

const refused = 'received, refused';

const rows: readonly Row[] = [
  ['40', 'authorised', paid, paid],
  ['41', 'received', `${refused} declined`, refused],
  ['42', 'authorised', paid],
  ['44', 'never', paid, paid],
  ['45', 'never', ''],
  ['50', 500, paid, paid],
  ['51', 'refused', `${refused} declined`, refused],
  ['52', 'refused', `${refused} invalidCard`, refused],
  ['53', 'refused', `${refused} amountLimitExceeded`, refused],
  ['60', 'authorised', `${paid}, returned counterpartyAccountClosed`, `${paid}, returned`],
  ['62', 'booked', paid, paid],
  ['63', 'authorised', paid, 'received ×2, authorised ×2, booked ×2', paid],
];

describe('magic amounts at Adyen', { concurrency: true }, () => {
  testCourses(rows, MAGIC_AMOUNTS, start);

  it('Adyen sends the webhooks of a transfer with .62 before its response', async (t) => {
    assert.equal((await playOut(await start(t, '10.62'))).notifiedFirst.join(', '), paid);
  });
});
