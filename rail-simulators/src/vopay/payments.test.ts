/** Payers, their pages, what the client is told, and what the book keeps. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { aWhile, eventually } from '../kernel/inbox-under-test.ts';
import { account, request, sha1, startVoPayUnderTest } from './vopay-under-test.ts';

const minuteMs = 60_000;
const dayMs = 24 * 60 * minuteMs;

describe('a payer', () => {
  it('is sent a message, accepts, and has paid once', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    await vopay.control('act', { id, behaviour: 'accept' });
    assert.equal(await vopay.statusOf(id), 'request fulfilled');
    vopay.clock.advance(1_000);
    assert.equal(await vopay.statusOf(id), 'successful');
    assert.equal((await vopay.control('act', { id, behaviour: 'accept' })).status, 409);
    const { credits, credited_amount, charged_over_once } = await vopay.summary();
    assert.deepEqual([credits, credited_amount, charged_over_once], [1, '12.34', []]);
  });

  const endings: readonly (readonly [behaviour: string, status: string, reason: string])[] = [
    ['decline', 'failed', '1 - Recipient declined the transfer'],
    ['expire', 'cancelled', '3 - Reached cancellation cut-off without being deposited'],
    ['undeliverable', 'failed', '5 - Unable to deliver email notice'],
    ['accept_without_funds', 'failed', '901 - NSF'],
  ];
  for (const [behaviour, status, reason] of endings)
    it(`who does not pay (${behaviour}) leaves it ${status}`, async (t) => {
      const vopay = await startVoPayUnderTest(t);
      const id = await vopay.sent();
      await vopay.control('act', { id, behaviour });
      vopay.clock.advance(1_000);
      const { body } = await vopay.get('interac/money-request/transaction', { TransactionID: String(id) });
      assert.deepEqual([body['TransactionStatus'], body['FailureReason']], [status, reason]);
      assert.equal((await vopay.summary())['credits'], 0);
    });

  it('who does nothing for 30 days can’t any more', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    vopay.clock.advance(30 * dayMs);
    assert.equal(await vopay.statusOf(id), 'cancelled');
  });

  it('may send another amount', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    for (const [behaviour, amount] of [
      ['accept_less', '11.34'],
      ['accept_more', '13.34'],
    ] as const) {
      const id = await vopay.sent();
      await vopay.control('act', { id, behaviour });
      vopay.clock.advance(1_000);
      const { body } = await vopay.get('interac/money-request/transaction', { TransactionID: String(id) });
      assert.equal(body['Amount'], amount);
    }
  });
});

describe('the payer’s inbox', () => {
  it('shows what was sent to an address, and that it is a simulator', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const { EmailAddress = '', ...rest } = request();
    const id = await vopay.sent({ EmailAddress, ...rest });
    const other = await vopay.sent();
    const { text } = await vopay.page(`/inbox?${new URLSearchParams({ email: EmailAddress.toUpperCase() })}`);
    assert.ok(text.includes(`/inbox/message?id=${id}`) && !text.includes(`id=${other}`));
    assert.ok((await vopay.page('/')).text.includes(`id=${other}`));
    const message = await vopay.page(`/inbox/message?id=${id}`);
    assert.match(message.text, /A simulator for development: no money moves/);
    assert.match(message.text, /Maple Shop &lt;b&gt;: Order 17/);
    for (const { text } of [await vopay.page('/inbox'), message]) {
      assert.doesNotMatch(text, /<script|https?:\/\/|<b>/);
      assert.match(text, /<html lang="en">.*name="viewport"/s);
    }
  });

  it('has nothing of what was not sent yet', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.moneyRequest();
    assert.equal((await vopay.page(`/inbox/message?id=${id}`)).status, 404);
    for (const asked of ['1', 'x', '']) assert.equal((await vopay.page(`/inbox/message?id=${asked}`)).status, 404);
  });

  it('lets the payer accept, decline, or let it expire, each once', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    for (const [behaviour, status] of [
      ['accept', 'successful'],
      ['accept_without_funds', 'failed'],
      ['decline', 'failed'],
      ['expire', 'cancelled'],
    ] as const) {
      const id = String(await vopay.sent());
      const { status: shown, text } = await vopay.page('/inbox/message', { id, behaviour });
      assert.equal(shown, 200);
      assert.match(text, /role="status"/);
      vopay.clock.advance(1_000);
      assert.equal(await vopay.statusOf(Number(id)), status);
      assert.equal((await vopay.page('/inbox/message', { id, behaviour })).status, 409);
    }
    const id = String(await vopay.sent());
    for (const behaviour of ['', 'accept_less', 'sing'])
      assert.equal((await vopay.page('/inbox/message', { id, behaviour })).status, 400);
    assert.equal(await vopay.statusOf(Number(id)), 'requested');
  });

  it('asks who is sent a refund for the answer', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const { body } = await vopay.post('account/transactions/refund', { TransactionID: String(await vopay.paid()) });
    const id = String(body['TransactionID']);
    vopay.clock.advance(500);
    const wrong = await vopay.page('/inbox/message', { id, answer: 'x' });
    assert.match(wrong.text, /That is not the answer/);
    const right = await vopay.page('/inbox/message', { id, answer: String(body['InteracQuestionAnswer']) });
    assert.match(right.text, /done/);
    assert.equal((await vopay.summary())['refunds_deposited'], 1);
  });

  it('lets a refund lie until it comes back', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const { body } = await vopay.post('account/transactions/refund', { TransactionID: String(await vopay.paid()) });
    await vopay.page('/inbox/message', { id: String(body['TransactionID']), behaviour: 'expire' });
    vopay.clock.advance(500);
    await vopay.page('/inbox/message', { id: String(body['TransactionID']), behaviour: 'expire' });
    assert.equal((await vopay.summary())['balance'], '12.34');
  });
});

describe('a webhook', () => {
  const tells = (vopay: Awaited<ReturnType<typeof startVoPayUnderTest>>, count: number) =>
    eventually(`${count} webhooks`, () => vopay.inbox.received.length === count);

  it('tells each change of where a transaction stands, under a key of its number', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const id = await vopay.sent();
    await tells(vopay, 1);
    await vopay.control('act', { id, behaviour: 'accept' });
    await tells(vopay, 2);
    vopay.clock.advance(1_000);
    await tells(vopay, 3);
    assert.deepEqual(vopay.told(), [`requested ${id}`, `request fulfilled ${id}`, `successful ${id}`]);
    const [{ body } = assert.fail()] = vopay.inbox.received;
    assert.equal(body['ValidationKey'], sha1(`${account.sharedSecret}${id}`));
    assert.deepEqual([body['TransactionAmount'], body['TransactionType']], ['12.34', 'Interac Money Request']);
  });

  it('is tried three times, five minutes apart', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    vopay.inbox.answer = () => ({ status: 500, body: '' });
    await vopay.sent();
    for (const count of [1, 2, 3, 3]) {
      await tells(vopay, count);
      await aWhile();
      vopay.clock.advance(5 * minuteMs);
    }
    assert.match(vopay.log.at(-1) ?? '', /given up/);
  });

  it('may say what is wrong', async (t) => {
    const vopay = await startVoPayUnderTest(t);
    const first = async (notifications: string) => {
      await vopay.faults({ notifications });
      vopay.inbox.received.length = 0;
      const id = await vopay.sent();
      await tells(vopay, 1);
      const [{ body } = assert.fail()] = vopay.inbox.received;
      return { id, body };
    };
    assert.equal((await first('wrong_amount')).body['TransactionAmount'], '999999.99');
    const forged = await first('forged');
    assert.notEqual(forged.body['ValidationKey'], sha1(`${account.sharedSecret}${forged.id}`));
    const foreign = await first('foreign_reference');
    assert.equal(foreign.body['ClientReferenceNumber'], '99-FoReIgN1');
  });
});

describe('VoPay’s book', () => {
  it('survives the end of the process, with what was still to happen', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'vopay-book-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const bookPath = join(folder, 'book.jsonl');
    const before = await startVoPayUnderTest(t, { bookPath });
    const id = await before.sent();
    await before.control('act', { id, behaviour: 'accept' });
    assert.equal((await before.control('reset', {})).status, 409);
    await before.close();
    const after = await startVoPayUnderTest(t, { bookPath, clock: before.clock });
    after.clock.advance(1_000);
    assert.equal(await after.statusOf(id), 'successful');
    assert.equal((await after.summary())['credits'], 1);
    const { body } = await after.control('book?after=1&limit=1');
    assert.deepEqual(
      (body['entries'] as { seq: number }[]).map(({ seq }) => seq),
      [2],
    );
  });
});
