/** What a client asks of VoPay, and what it is answered. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { aWhile } from '../kernel/inbox-under-test.ts';
import { credentials, request, startVoPayUnderTest } from './vopay-under-test.ts';

const minuteMs = 60_000;

describe('a request to VoPay', () => {
  it('is taken only from who is known, for the day that it is', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const yesterday = credentials(vopay.clock.now() - 24 * 60 * minuteMs)['Signature'] ?? '';
    const wrong = [{ AccountID: 'x' }, { Key: 'x' }, { Signature: 'x' }, { Signature: '' }, { Signature: yesterday }];
    for (const fields of wrong) {
      const { status, body } = await vopay.post('interac/money-request', { ...request(), ...fields });
      assert.deepEqual([status, body['Success'], body['ErrorCode']], [200, false, '1000']);
    }
    assert.equal((await vopay.summary())['money_requests'], 0);
  });

  it('may be signed for another day where VoPay’s clock is elsewhere', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    await vopay.faults({ day_shift_min: -13 * 60 });
    assert.equal((await vopay.post('interac/money-request', request())).body['Success'], false);
    const { Signature = '' } = credentials(vopay.clock.now() - 24 * 60 * minuteMs);
    assert.equal((await vopay.post('interac/money-request', { ...request(), Signature })).body['Success'], true);
  });

  it('is refused by HTTP 200, with a number or without', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const faulty: readonly (readonly [fields: Readonly<Record<string, string>>, code: string])[] = [
      [{ Amount: '' }, '2000'],
      [{ EmailAddress: '' }, '2000'],
      [{ RecipientName: '' }, '2000'],
      [{ Amount: '0' }, '2001'],
      [{ Amount: '1.234' }, '2001'],
      [{ Currency: 'USD' }, '2001'],
      [{ EmailAddress: 'nobody' }, '2001'],
    ];
    for (const [fields, code] of faulty) {
      const { status, body } = await vopay.post('interac/money-request', { ...request(), ...fields });
      assert.deepEqual([status, body['Success'], body['ErrorCode']], [200, false, code]);
    }
    await vopay.faults({ numbered: false });
    const { body } = await vopay.post('interac/money-request', { ...request(), Key: 'x' });
    assert.deepEqual([body['ErrorCode'], /^Invalid Login/.test(String(body['ErrorMessage']))], [undefined, true]);
  });
});

describe('a money request', () => {
  it('is taken as pending, and found by either number', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const fields = request();
    const { body } = await vopay.post('interac/money-request', fields);
    assert.deepEqual([body['Success'], body['TransactionStatus'], 'Flagged' in body], [true, 'pending', false]);
    for (const by of [
      { TransactionID: String(body['TransactionID']) },
      { ClientReferenceNumber: fields['ClientReferenceNumber'] ?? '' },
    ]) {
      const { body: found } = await vopay.get('interac/money-request/transaction', by);
      assert.deepEqual(
        ['Success', 'Amount', 'Currency', 'Email', 'ClientReferenceNumber'].map((name) => found[name]),
        [true, '12.34', 'CAD', fields['EmailAddress'], fields['ClientReferenceNumber']],
      );
    }
    const nothing = await vopay.get('interac/money-request/transaction', { ClientReferenceNumber: '0-ZzZz9999' });
    assert.equal(nothing.body['ErrorCode'], '2002');
  });

  it('under one key is one, answered as the first time or refused', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const fields = request();
    const first = await vopay.post('interac/money-request', fields);
    vopay.clock.advance(500);
    assert.deepEqual(await vopay.post('interac/money-request', fields), first);
    await vopay.faults({ repetitions: 'refuse' });
    assert.equal((await vopay.post('interac/money-request', fields)).body['ErrorCode'], '2003');
    assert.equal((await vopay.summary())['money_requests'], 1);
  });

  it('like another of the last three hours is flagged, and waits to be confirmed', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const fields = request();
    await vopay.post('interac/money-request', fields);
    const like = { ...fields, ClientReferenceNumber: 'b', IdempotencyKey: 'b' };
    const { body } = await vopay.post('interac/money-request', like);
    assert.match(String(body['Flagged']), /potential duplicate/);
    const TransactionID = String(body['TransactionID']);
    vopay.clock.advance(minuteMs);
    assert.equal(await vopay.statusOf(Number(TransactionID)), 'pending');
    const confirmed = await vopay.post('account/transaction/confirm', { TransactionID });
    assert.equal(confirmed.body['TransactionConfirmed'], true);
    vopay.clock.advance(minuteMs);
    assert.equal(await vopay.statusOf(Number(TransactionID)), 'requested');
    assert.equal((await vopay.post('account/transaction/confirm', { TransactionID })).body['ErrorCode'], '2005');
    vopay.clock.advance(181 * minuteMs);
    const later = { ...fields, ClientReferenceNumber: 'c', IdempotencyKey: 'c' };
    assert.equal('Flagged' in (await vopay.post('interac/money-request', later)).body, false);
  });

  it('is cancelled before it is sent, called back after, and neither once it is accepted', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const cancel = (id: number) => vopay.post('account/transactions/cancel', { TransactionID: String(id) });
    const callBack = (id: number) =>
      vopay.post('interac/money-request/transaction/request-cancellation', { TransactionID: String(id) });
    const fresh = await vopay.moneyRequest();
    assert.equal((await callBack(fresh)).body['ErrorCode'], '2006');
    assert.equal((await cancel(fresh)).body['TransactionStatus'], 'cancelled');
    const waiting = await vopay.sent();
    assert.equal((await cancel(waiting)).body['ErrorCode'], '2006');
    assert.equal((await callBack(waiting)).body['TransactionStatus'], 'cancellation requested');
    vopay.clock.advance(2_000);
    assert.equal(await vopay.statusOf(waiting), 'cancelled');
    const accepted = await vopay.sent();
    await vopay.control('act', { id: accepted, behaviour: 'accept' });
    assert.equal((await callBack(accepted)).body['ErrorCode'], '2006');
    assert.equal((await callBack(1)).body['ErrorCode'], '2002');
  });

  const modes: readonly (readonly [mode: string, count: number])[] = [
    ['take_500', 1],
    ['take_and_say_no', 1],
    ['say_no', 0],
    ['refuse', 0],
    ['over_limit', 0],
    ['not_enabled', 0],
  ];
  for (const [money_requests, count] of modes)
    it(`is${count === 0 ? ' not' : ''} taken with the fault ${money_requests}, which answers no success`, async (t) => {
      const vopay = await startVoPayUnderTest(t);
      await vopay.faults({ money_requests });
      const { body } = await vopay.post('interac/money-request', request());
      assert.notEqual(body['Success'], true);
      assert.equal((await vopay.summary())['money_requests'], count);
    });
});

describe('a refund', () => {
  const refund = (vopay: Awaited<ReturnType<typeof startVoPayUnderTest>>, id: number, more = {}) =>
    vopay.post('account/transactions/refund', { TransactionID: String(id), ...more });

  it('is of what was paid, at most all of it, and stands in the list beside it', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    assert.equal((await refund(vopay, await vopay.sent())).body['ErrorCode'], '2006');
    const id = await vopay.paid();
    assert.equal((await refund(vopay, id, { Amount: '12.35' })).body['ErrorCode'], '2001');
    const { body } = await refund(vopay, id, { Amount: '2.34', Notes: 'ours', IdempotencyKey: 'r' });
    assert.match(String(body['InteracQuestionAnswer']), /^[0-9a-f]{10}$/);
    assert.deepEqual((await refund(vopay, id, { Amount: '2.34', Notes: 'ours', IdempotencyKey: 'r' })).body, body);
    assert.equal((await refund(vopay, id)).body['ErrorCode'], '2001');
    const span = { StartDateTime: '2026-11-01', EndDateTime: '2026-12-01', TransactionID: String(id) };
    const { Transactions, NumberOfRecords } = (await vopay.get('account/transactions', span)).body as {
      Transactions: Record<string, Record<string, unknown>>;
      NumberOfRecords: number;
    };
    assert.equal(NumberOfRecords, 2);
    assert.deepEqual(
      ['TransactionID', 'ParentTransactionID', 'Notes', 'DebitAmount'].map((name) => Transactions['1']?.[name]),
      [String(body['TransactionID']), String(id), 'ours', '2.34'],
    );
    assert.equal((await vopay.get('account/transactions', {})).body['ErrorCode'], '2000');
  });

  it('is deposited by who knows the answer, and fails after three wrong ones', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const made = await Promise.all([await vopay.paid(), await vopay.paid()].map((id) => refund(vopay, id)));
    const [known, unknown] = made.map(({ body }) => Number(body['TransactionID']));
    assert.equal((await vopay.control('deposit', { id: known })).body['status'], 'successful');
    assert.equal((await vopay.control('deposit', { id: known })).status, 409);
    for (const status of ['requested', 'requested', 'failed'])
      assert.equal((await vopay.control('deposit', { id: unknown, answer: 'x' })).body['status'], status);
    const { refunds, refunds_deposited, balance } = await vopay.summary();
    assert.deepEqual([refunds, refunds_deposited, balance], [2, 1, '12.34']);
  });
});

describe('VoPay’s control surface', () => {
  it('is there for who has its secret, where it is on', async (t) => {
    const open = await startVoPayUnderTest(t);
    assert.equal((await fetch(`${open.url}/control/book`)).status, 401);
    const shut = await startVoPayUnderTest(t, { control: false });
    assert.equal((await shut.control('book')).status, 404);
  });

  it('refuses what it does not know', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    assert.equal((await vopay.faults({ typo: 1 })).status, 400);
    assert.equal((await vopay.faults({ day_shift_min: 2_000 })).status, 400);
    const id = await vopay.sent();
    assert.equal((await vopay.control('act', { id, behaviour: 'sing' })).status, 400);
    assert.equal((await vopay.control('act', { id: 1, behaviour: 'accept' })).status, 400);
    assert.equal((await vopay.control('deposit', { id })).status, 400);
    assert.equal((await vopay.control('made-up-webhook', {})).status, 400);
  });

  it('forgets all at once, with what was still to happen', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    await vopay.control('act', { id, behaviour: 'accept' });
    await vopay.control('reset', {});
    vopay.inbox.received.length = 0;
    vopay.clock.advance(minuteMs);
    await aWhile();
    assert.deepEqual([vopay.told(), (await vopay.summary())['money_requests']], [[], 0]);
  });
});
