/** What a client asks of Adyen about transfers, and what it is answered. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { apiKey, balanceAccount, holder, startAdyenTransfersUnderTest, toCard } from './adyen-transfers-under-test.ts';

const card = { number: '4321123456788765' };

describe('a transfer', () => {
  it('is taken, masked, and booked after a while', async (t) => {
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

  it('is taken only from who is known and may', async (t) => {
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
  for (const [field, change] of faulty) {
    it(`is refused for ${field}: ${JSON.stringify(change).slice(0, 60)}`, async (t) => {
      const adyen = await startAdyenTransfersUnderTest(t);
      const { status, body } = await adyen.submit(change);
      assert.equal(status, 422);
      assert.deepEqual(
        (body['invalidFields'] as { name: string }[]).map(({ name }) => name),
        [field],
      );
      assert.equal((await adyen.summary())['transfers'], 0);
    });
  }

  it('may bring a whole address', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const whole = { ...atHome, postalCode: '94107' };
    assert.equal((await adyen.submit(toCard(holder({ address: whole, dateOfBirth: '1988-02-29' }), card))).status, 202);
  });

  it('under one key is one, answered as the first time; under two keys it is two', async (t) => {
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

  it('is refused with 202 when the money is gone', async (t) => {
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
  for (const [transfers, answered, end, left] of ends) {
    it(`that is to ${transfers} is ${answered}, and ${end} in the end`, async (t) => {
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
  }

  it('that was booked can come back', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    await adyen.submit();
    assert.equal((await adyen.control('return', { reference: '1-AbCd1234' })).status, 400);
    adyen.clock.advance(2_000);
    const { body } = await adyen.control('return', { reference: '1-AbCd1234', reason: 'counterpartyAccountClosed' });
    assert.deepEqual([body['status'], body['reason']], ['returned', 'counterpartyAccountClosed']);
    assert.deepEqual((await adyen.summary())['paid_out'], {});
  });

  const modes: readonly (readonly [answers: string, status: number | 'none', taken: number])[] = [
    ['take_unanswered', 'none', 1],
    ['lose', 'none', 0],
    ['take_500', 500, 1],
    ['at_work', 422, 0],
  ];
  for (const [answers, status, taken] of modes) {
    it(`is answered ${status} when told to ${answers}`, async (t) => {
      const adyen = await startAdyenTransfersUnderTest(t);
      await adyen.faults({ answers });
      const answered = await adyen.submit({}, {}, AbortSignal.timeout(2_000)).catch(() => undefined);
      assert.equal(answered?.status ?? 'none', status);
      assert.equal((await adyen.summary())['transfers'], taken);
    });
  }
});

describe('the balance account', () => {
  it('has what is left after what was reserved, booked and given back', async (t) => {
    const adyen = await startAdyenTransfersUnderTest(t);
    const left = async () => {
      const headers = { 'x-api-key': apiKey };
      const response = await fetch(`${adyen.url}/bcl/v2/balanceAccounts/${balanceAccount}`, { headers });
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
    const nobody = await fetch(`${adyen.url}/bcl/v2/balanceAccounts/BA1`, { headers: { 'x-api-key': apiKey } });
    assert.equal(nobody.status, 422);
  });
});

describe('the list of transfers', () => {
  it('is found by reference, newest first where that is asked for, and in pages', async (t) => {
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

  it('needs a span of at most six months, and the account', async (t) => {
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
