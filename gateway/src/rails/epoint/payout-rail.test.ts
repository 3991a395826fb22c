/**
 * Runs payouts against Epoint's simulator, which pays a repeated request twice. Its book proves that no payout was
 * executed twice.
 */
import assert from 'node:assert/strict';
import { appendFile, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, beforeEach, describe, it } from 'node:test';
import { deadlineAfter, noDeadline } from '../../../test/support/tools/deadlines.ts';
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { CARD, type EpointUnderTest, openEpointUnderTest, UNREGISTERED_CARD } from './rail-under-test.ts';
import { cardHash, findCardId } from './registered-cards.ts';

describe('payouts over Epoint', () => {
  let bench: EpointUnderTest;
  before(async () => {
    bench = await openEpointUnderTest();
  });
  beforeEach(() => bench.reset());
  after(() => bench.close());

  const send = (order: PayoutOrder, deadline = noDeadline()) => bench.rail.send(order, deadline);
  const ask = (order: PayoutOrder) => bench.rail.ask(order, noDeadline());
  const executed = { kind: 'executed' };

  async function assertExecuted(times: number): Promise<void> {
    const { executions, executed_over_once } = await bench.control('summary');
    assert.deepEqual([executions, executed_over_once], [times, []]);
  }

  it('an Epoint payout by each method is executed, and a status query confirms it', async () => {
    assert.deepEqual([...bench.rail.methods], [11, 17]);
    for (const method of bench.rail.methods) {
      const order = bench.order({ method });
      assert.deepEqual(await send(order), executed);
      assert.deepEqual(await ask(order), executed);
    }
    await assertExecuted(2);
  });

  it('a payout to an unregistered card is declined without a request to Epoint', async () => {
    const order = bench.order({ beneficiary: { account: new Secret(UNREGISTERED_CARD) } });
    const reason = 'account: the card is not registered with Epoint for payouts';
    assert.deepEqual(await send(order), { kind: 'declined', blockedReason: 'invalid_beneficiary', reason });
    assert.equal((await bench.control('summary'))['payouts'], 0);
  });

  it('an Epoint payout under another card’s card_id is not treated as executed', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'epoint-'));
    const cardsFile = join(folder, 'cards');
    const { entries } = (await bench.control('book')) as { entries: { cardId: string }[] };
    const key = new Secret('d3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d');
    await writeFile(cardsFile, `${cardHash(UNREGISTERED_CARD, key)} ${entries[0]?.cardId}\n`);
    const wrong = bench.connect({ cardsFile });
    const order = bench.order({ beneficiary: { account: new Secret(UNREGISTERED_CARD) } });
    const another = { kind: 'unknown', reason: 'Epoint sent another card' };
    assert.deepEqual(await wrong.rail.send(order, noDeadline()), another);
    await wrong.close();
    await rm(folder, { recursive: true });
  });

  it('an Epoint payout is not accepted if the file of registered cards is unreadable', async () => {
    const lost = bench.connect({ cardsFile: '/nowhere/cards' });
    assert.equal((await lost.rail.send(bench.order(), noDeadline())).kind, 'not_accepted');
    await lost.close();
  });

  for (const [bankCode, blockedReason] of [
    ['116', 'bank_declined'],
    ['111', 'invalid_beneficiary'],
    ['121', 'limit_or_risk'],
    ['', 'unspecified'],
  ])
    it(`an Epoint payout with bank code ${bankCode || '(none)'} is declined as ${blockedReason}`, async () => {
      await bench.faults({ payouts: 'fail', code: bankCode });
      const order = bench.order();
      for (const answer of [await send(order), await ask(order)])
        assert.equal(answer.kind === 'declined' && answer.blockedReason, blockedReason);
      await assertExecuted(0);
    });

  for (const [payouts, end] of [
    ['pay_later', 'executed'],
    ['fail_later', 'declined'],
  ])
    it(`a slow Epoint payout is pending and then ${end}`, async () => {
      await bench.faults({ payouts });
      const order = bench.order();
      assert.deepEqual(await send(order), { kind: 'pending' });
      assert.deepEqual(await ask(order), { kind: 'pending' });
      bench.clock.advance(2 * SECOND_MS);
      assert.equal((await ask(order)).kind, end);
    });

  it('a payout that Epoint returns later is reversed', async () => {
    await bench.faults({ payouts: 'return_later' });
    const order = bench.order();
    assert.deepEqual(await send(order), executed);
    bench.clock.advance(5 * SECOND_MS);
    assert.deepEqual(await ask(order), { kind: 'reversed', reason: 'returned to us by Epoint' });
  });

  for (const payouts of ['pay_unanswered', 'pay_500', 'pay_and_answer_error'])
    it(`a payout that was executed without a response has an unknown outcome until Epoint finds it by our reference (${payouts})`, async () => {
      await bench.faults({ payouts, status: 'by_transaction' });
      const order = bench.order();
      assert.equal((await send(order, deadlineAfter(150))).kind, 'unknown');
      assert.equal((await ask(order)).kind, 'unknown');
      await bench.faults({ status: 'by_either' });
      assert.deepEqual(await ask(order), executed);
      await assertExecuted(1);
    });

  for (const payouts of ['lose', 'answer_error', 'server_error'])
    it(`a payout that never reached Epoint stays unknown, because no response proves it (${payouts})`, async () => {
      await bench.faults({ payouts });
      const order = bench.order();
      assert.equal((await send(order, deadlineAfter(150))).kind, 'unknown');
      assert.equal((await ask(order)).kind, 'unknown');
      await assertExecuted(0);
    });

  it('an Epoint payout under an invalid key is not accepted, and the rail reports the credential', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'epoint-'));
    const cardsFile = join(folder, 'cards');
    const privateKey = new Secret('another');
    await appendFile(cardsFile, `${cardHash(CARD, privateKey)} ce000000001\n`);
    const wrong = bench.connect({ privateKey, cardsFile });
    const order = bench.order();
    const reason = 'Epoint refuses our signature: check EPOINT_PRIVATE_KEY';
    assert.deepEqual(await wrong.rail.send(order, noDeadline()), { kind: 'not_accepted', reason });
    assert.deepEqual(await wrong.rail.ask(order, noDeadline()), { kind: 'unknown', reason });
    assert.deepEqual(wrong.refusedCredentials, ['epoint', 'epoint']);
    await wrong.close();
    await rm(folder, { recursive: true });
  });

  it('a dropped connection leaves the outcome of an Epoint payout unknown; a refused connection means that Epoint did not accept it', async () => {
    await bench.faults({ down: true });
    assert.equal((await send(bench.order())).kind, 'unknown');
    assert.equal((await ask(bench.order())).kind, 'unknown');
    const nobody = bench.connect({ url: 'http://127.0.0.1:1/api/1' });
    const reason = 'no connection: ECONNREFUSED';
    assert.deepEqual(await nobody.rail.send(bench.order(), noDeadline()), { kind: 'not_accepted', reason });
    await nobody.close();
  });

  describe('Epoint’s callbacks about payouts', () => {
    async function paid(faults: object): Promise<PayoutOrder> {
      await bench.faults({ callbacks: 'on', ...faults });
      const order = bench.order();
      await send(order);
      bench.clock.advance(100);
      return order;
    }
    const executedNews = ({ reference, money }: PayoutOrder) => [{ kind: 'executed', reference, money }];

    for (const callbacks of ['on', 'multipart'])
      it(`an Epoint callback reports a final payout (${callbacks})`, async () => {
        const order = await paid({ callbacks });
        assert.deepEqual(await bench.untilNotified(1), [executedNews(order)]);
      });

    it('callbacks report a failed and a returned Epoint payout', async () => {
      const failed = await paid({ payouts: 'fail', code: '123' });
      await bench.untilNotified(1);
      const back = await paid({ payouts: 'return_later' });
      await bench.untilNotified(2);
      bench.clock.advance(5 * SECOND_MS);
      const about = ({ reference, money }: PayoutOrder) => ({ reference, money });
      const reason = 'Epoint reports 123: too many operations with the card';
      assert.deepEqual(await bench.untilNotified(3), [
        [{ kind: 'declined', blockedReason: 'limit_or_risk', reason, ...about(failed) }],
        executedNews(back),
        [{ kind: 'reversed', reason: 'returned to us by Epoint', ...about(back) }],
      ]);
    });

    it('an Epoint callback may arrive before the response, or twice', async () => {
      const first = await paid({ payouts: 'pay_notified_first' });
      await bench.untilNotified(1);
      const second = await paid({ payouts: 'pay', callbacks: 'twice' });
      assert.deepEqual(await bench.untilNotified(3), [executedNews(first), executedNews(second), executedNews(second)]);
    });

    it('an Epoint callback under another key is unauthentic', async () => {
      await paid({ callbacks: 'forged' });
      assert.deepEqual(await bench.untilNotified(1), [{ failure: 'unauthentic' }]);
    });
  });
});

describe('registered Epoint cards', () => {
  let folder = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'epoint-'));
  });
  after(() => rm(folder, { recursive: true }));

  it('a card’s Epoint id is found only under our key, and the last line for the card wins', async () => {
    const privateKey = new Secret('key');
    const cardsFile = join(folder, 'cards');
    const [hash, other] = [cardHash(CARD, privateKey), cardHash(CARD, new Secret('another'))];
    const lines = ['# a remark', '', `${other} ce1`, `${hash} ce2`, `${hash} ce3  `, `${hash} ce 4`, `${hash}`];
    await writeFile(cardsFile, lines.join('\r\n'));
    assert.deepEqual(await findCardId(CARD, { cardsFile, privateKey }), { ok: true, value: 'ce3' });
    assert.deepEqual(await findCardId(UNREGISTERED_CARD, { cardsFile, privateKey }), { ok: true, value: undefined });
    assert.equal((await findCardId(CARD, { cardsFile: folder, privateKey })).ok, false);
  });

  it('the hash of an Epoint card is computed as the operators’ page documents', () => {
    // printf %s 4111111111111111 | openssl dgst -sha256 -hmac key
    assert.match(cardHash(CARD, new Secret('key')), /^[0-9a-f]{64}$/);
    assert.equal(
      cardHash('The quick brown fox jumps over the lazy dog', new Secret('key')).slice(0, 16),
      'f7bc83f430538424',
    );
  });
});
