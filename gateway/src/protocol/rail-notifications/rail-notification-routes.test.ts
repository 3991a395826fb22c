import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { FastifyInstance } from 'fastify';
import { NO_KEYS } from '../../../test/support/merchants/merchant-keys.ts';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import {
  NOON,
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
} from '../../../test/support/payouts/stored-payouts.ts';
import type { confirmTransfer } from '../../domain/deposits/confirm-transfer.ts';
import type { IncomingTransfer } from '../../domain/deposits/deposit.ts';
import { MOST_OPEN_OF_ANY_SUBJECT } from '../../domain/differences/difference.ts';
import type { RailNotificationEvent } from '../../domain/notifications/process-notification.ts';
import type { RailNotifications } from '../../domain/notifications/rail-notification.ts';
import { type SettlePayout, settlePayout } from '../../domain/payouts/settle-payout.ts';
import { OutcomeUnknown, Overloaded } from '../../foundation/commit-errors.ts';
import { ok } from '../../foundation/result.ts';
import { type WithParts, withParts } from '../../foundation/with-parts.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { errorBodyFor } from '../error-envelopes.ts';
import { createHttpServer } from '../http/http-server.ts';
import { type NewsItems, newsRail } from './news-rail-under-test.ts';
import { type RailNotificationParts, registerRailNotifications } from './rail-notification-routes.ts';

describe('a bank notification', () => {
  let bench: PayoutBench;
  let settle: SettlePayout;
  let app: FastifyInstance;
  let events: RailNotificationEvent[] = [];
  let kept: string[] = [];
  let payouts = 0;

  before(async () => {
    bench = await openPayoutBench();
    await bench.fund('M1', 1_000_000n);
    const merchant = merchantNamed('M1');
    settle = withParts(settlePayout, {
      store: bench.store,
      merchants: { find: async () => ({ merchant, keys: NO_KEYS }) as never },
      compose: plainCallbacks,
      onSettled: () => {},
    });
    app = await serve({});
  });
  afterEach(() => {
    events = [];
    kept = [];
  });
  after(async () => {
    await app.close();
    await bench.store.drain();
    await bench.close();
  });

  async function serve(change: Partial<RailNotificationParts>): Promise<FastifyInstance> {
    const server = createHttpServer({
      errorBody: errorBodyFor,
      trustedProxies: [],
      onInternalError: () => {},
      goodbyeMs: 0,
    });
    registerRailNotifications(server, {
      rails: [newsRail],
      store: bench.store,
      settle,
      confirm: async () => assert.fail('nothing has to be confirmed here'),
      processTransfer: async () => assert.fail('no money comes in here'),
      processPayment: async () => assert.fail('no payer pays here'),
      recordForgotten: async () => false,
      differences: createDifferenceStore(bench.database),
      clock: bench.clock,
      onNotification(event, isKept) {
        events.push(event);
        if (isKept && 'reference' in event) kept.push(event.reference);
      },
      ...change,
    });
    await server.listen({ host: '127.0.0.1', port: 0 });
    return server;
  }

  /** A payout that was sent to the bank, with its reference in the directory. */
  async function payoutAtBank(amount = 1_000n): Promise<string> {
    const payoutId = `n${++payouts}`;
    await bench.store.accept(await bench.newPayout('M1', payoutId, amount));
    await bench.attempt('M1', payoutId);
    await bench.owner.query('insert into rail_references values ($1, $2, $3, $4)', [
      'a_rail',
      payoutId,
      'M1',
      payoutId,
    ]);
    return payoutId;
  }

  async function notify(
    items: NewsItems | string,
    options: { rail?: string; believe?: string; asked?: string; server?: FastifyInstance } = {},
  ) {
    const { rail: to = 'a_rail', believe = 'yes', asked = '', server = app } = options;
    const response = await fetch(`${server.listeningOrigin}/rail-notifications/${to}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-believe': believe, 'x-asked': asked },
      body: typeof items === 'string' ? items : JSON.stringify(items),
    });
    return { status: response.status, body: await response.text(), headers: response.headers };
  }

  /** The open differences. A difference is kept once, however often it is reported. */
  async function differencesOf(subject: string): Promise<string[]> {
    const filter = { rail: 'a_rail', day: null, kind: null, openOnly: true };
    const all = await createDifferenceStore(bench.database).list(filter);
    return all
      .filter((each) => each.subject === subject)
      .map(({ kind, ours, theirs }) => `${kind}: ${ours} / ${theirs}`);
  }
  const stateOf = async (payoutId: string) => (await bench.store.find({ merchantId: 'M1', payoutId }))?.state;

  it('a notification of an execution without an amount does not settle the payout', async () => {
    const reference = await payoutAtBank();
    assert.equal((await notify([{ kind: 'executed', reference, minor: null }])).status, 503);
    assert.equal(await stateOf(reference), 'pending');
    assert.deepEqual(events, [
      { kind: 'unconfirmed', rail: 'a_rail', reference, reason: 'the notification does not contain an amount' },
    ]);
    assert.deepEqual([await differencesOf(reference), kept], [[], []], 'the payout itself waits');
  });

  it('a notification is acknowledged in the bank’s format after the payout is settled', async () => {
    const reference = await payoutAtBank();
    const answer = await notify([{ kind: 'executed', reference }]);
    assert.deepEqual([answer.status, answer.body, answer.headers.get('content-type')], [200, 'OK', 'text/plain']);
    assert.equal(await stateOf(reference), 'success');
    assert.deepEqual(events, [{ kind: 'recorded', rail: 'a_rail', reference, news: 'executed' }]);
    const history = await bench.owner.query(
      "select event, actor from payout_history where payout_id = $1 and event = 'executed'",
      [reference],
    );
    assert.deepEqual(history.rows, [{ event: 'executed', actor: 'a_rail' }]);
  });

  it('twenty concurrent copies of a notification settle once, call back once and are all acknowledged', async () => {
    const reference = await payoutAtBank();
    const answers = await Promise.all(Array.from({ length: 20 }, () => notify([{ kind: 'executed', reference }])));
    assert.ok(answers.every(({ status }) => status === 200));
    assert.equal(events.filter(({ kind }) => kind === 'recorded').length, 1);
    assert.equal(events.filter(({ kind }) => kind === 'known').length, 19);
    const callbacks = await bench.owner.query('select 1 from callbacks where subject_id = $1', [reference]);
    assert.equal(callbacks.rowCount, 1);
  });

  it('a notification concurrent with the recording of the send settles the payout once', async () => {
    const reference = await payoutAtBank();
    const key = { merchantId: 'M1', payoutId: reference };
    const { rows } = await bench.owner.query('select fence from payout_jobs where payout_id = $1', [reference]);
    const recording = settle(key, rows[0].fence, {
      event: 'executed',
      rail: 'a_rail',
      detail: '',
      actor: 'a_rail',
      at: NOON,
    });
    const [answer, recorded] = await Promise.all([notify([{ kind: 'executed', reference }]), recording]);
    assert.equal(answer.status, 200);
    const settledBySend = recorded.kind === 'settled';
    assert.equal(events[0]?.kind, settledBySend ? 'known' : 'recorded');
    assert.equal(await stateOf(reference), 'success');
  });

  it('a notification of a reversal after the execution records an adjustment', async () => {
    const reference = await payoutAtBank();
    await notify([
      { kind: 'executed', reference },
      { kind: 'reversed', reference },
    ]);
    assert.equal(await stateOf(reference), 'success');
    const { rows } = await bench.owner.query('select kind from payout_adjustments where payout_id = $1', [reference]);
    assert.deepEqual(rows, [{ kind: 'reversed' }]);
  });

  it('a notification of a reversal is not acknowledged while another rail has the payout', async () => {
    const reference = await payoutAtBank();
    const key = { merchantId: 'M1', payoutId: reference };
    for (const table of ['payouts', 'payout_jobs'])
      await bench.owner.query(`update ${table} set rail = 'another_rail' where payout_id = $1`, [reference]);
    const reversed: NewsItems = [{ kind: 'reversed', reference }];
    assert.equal((await notify([{ kind: 'executed', reference }])).status, 200);
    assert.equal((await notify(reversed)).status, 503);
    const declined = { event: 'declined', detail: '', at: NOON } as const;
    await settle(key, null, { ...declined, rail: 'another_rail', actor: 'another_rail' });
    assert.equal(await stateOf(reference), 'success');
    assert.equal((await notify(reversed)).status, 200);
    const { rows } = await bench.owner.query(
      "select rail from payout_adjustments where payout_id = $1 and kind = 'reversed'",
      [reference],
    );
    assert.deepEqual(rows, [{ rail: 'a_rail' }]);
  });

  it('an unconfirmed notification about a final payout opens a difference until the bank confirms it', async () => {
    const reference = await payoutAtBank();
    await notify([{ kind: 'executed', reference }]);
    const reversed: NewsItems = [{ kind: 'reversed', reference }];
    for (let times = 0; times < 2; times++)
      assert.equal((await notify(reversed, { asked: 'unconfirmed' })).status, 503);
    assert.deepEqual(await differencesOf(`${reference} reversed`), ['unconfirmed: it has none / reversed, 10.00 EUR']);
    assert.deepEqual(kept, [reference, reference], 'both raise the alert');
    assert.equal((await notify([{ kind: 'declined', reference }])).status, 200);
    assert.equal((await differencesOf(`${reference} reversed`)).length, 1, 'another report confirms nothing');
    assert.equal((await notify(reversed, { asked: 'confirmed' })).status, 200);
    assert.deepEqual(await differencesOf(`${reference} reversed`), []);
  });

  it('a notification with an unknown reference is not acknowledged, so that the bank repeats it', async () => {
    const known = await payoutAtBank();
    const answer = await notify([
      { kind: 'executed', reference: 'nobody' },
      { kind: 'executed', reference: known },
    ]);
    assert.equal(answer.status, 404);
    assert.equal(await stateOf(known), 'success', 'the other news in it is recorded all the same');
    assert.equal(events[0]?.kind, 'unknown_reference');
    await notify([{ kind: 'executed', reference: 'nobody' }]);
    assert.deepEqual(await differencesOf('nobody'), ['unknown_reference: unknown / executed, 10.00 EUR']);
    assert.ok(kept.includes('nobody'));
  });

  it('notifications with unknown references leave a bounded number of open differences', async () => {
    const named = (prefix: string, count: number): NewsItems =>
      Array.from({ length: count }, (_, index) => ({ kind: 'executed', reference: `${prefix}-${index}` }));
    const store = createDifferenceStore(bench.database);
    const filter = { rail: 'a_rail', day: null, kind: 'unknown_reference', openOnly: true } as const;
    assert.equal((await notify(named('flood', MOST_OPEN_OF_ANY_SUBJECT + 50))).status, 404);
    const open = await store.list(filter);
    assert.equal(open.length, MOST_OPEN_OF_ANY_SUBJECT);
    const unknown = events.filter(({ kind }) => kind === 'unknown_reference');
    assert.equal(unknown.length, MOST_OPEN_OF_ANY_SUBJECT + 50, 'each is logged and counted');
    const [resolved] = open;
    assert.ok(resolved && (await store.resolve(resolved, 'anna', 'forged', NOON)));
    await notify(named('later', 2));
    assert.equal((await store.list(filter)).length, MOST_OPEN_OF_ANY_SUBJECT, 'there is room for one again');
    const reference = await payoutAtBank(1_000n);
    await notify([{ kind: 'executed', reference, minor: 1 }]);
    assert.equal((await differencesOf(reference)).length, 1, 'a difference about a known payout is always kept');
  });

  it('a notification whose amount differs from the payout is rejected', async () => {
    const reference = await payoutAtBank(1_000n);
    assert.equal((await notify([{ kind: 'executed', reference, minor: 99_999 }])).status, 409);
    assert.equal(await stateOf(reference), 'pending');
    assert.deepEqual(events, [{ kind: 'wrong_amount', rail: 'a_rail', reference }]);
    assert.equal((await notify([{ kind: 'executed', reference, minor: 1_000 }])).status, 200);
    assert.deepEqual(await differencesOf(reference), ['payout_amount: another amount / executed, 999.99 EUR']);
    assert.deepEqual(kept, [reference]);
  });

  it('a notification with the same amount in another currency is rejected', async () => {
    const reference = await payoutAtBank(1_000n);
    for (const kind of ['executed', 'declined', 'reversed'] as const)
      assert.equal((await notify([{ kind, reference, minor: 1_000, currency: 'USD' }])).status, 409);
    assert.equal(await stateOf(reference), 'pending');
    assert.deepEqual(await differencesOf(reference), ['payout_amount: another amount / executed, 10.00 USD']);
  });

  it('a notification is rejected if its rail is unknown, its sender unauthentic or its body malformed', async () => {
    const reference = await payoutAtBank();
    const items: NewsItems = [{ kind: 'executed', reference }];
    assert.equal((await notify(items, { rail: 'no_rail' })).status, 404);
    assert.equal((await notify(items, { rail: '__proto__' })).status, 404);
    assert.equal((await notify(items, { believe: 'no' })).status, 401);
    assert.equal((await notify('')).status, 400);
    assert.equal((await notify(' '.repeat(64 * 1024 + 1))).status, 413);
    assert.equal(await stateOf(reference), 'pending');
    assert.deepEqual(
      events.map(({ kind }) => kind),
      ['unauthentic', 'malformed'],
    );
  });

  describe('an unsigned notification of incoming money', () => {
    const transfer: IncomingTransfer = {
      rail: 'a_rail',
      transferKey: 'K1',
      payTo: '1',
      money: { currency: 'MXN', minor: 6_000_000n },
      originator: { name: 'Ana', account: '1', institution: '2', concept: '', trackingKey: 'K1' },
      bookedAt: NOON,
    };
    const asListed = { ...transfer, bookedAt: NOON - 1 };

    /** The response and the received transfers, if the bank's confirmation ends with `answer`. */
    async function notifyAfter(answer: Awaited<ReturnType<WithParts<typeof confirmTransfer>>>) {
      const received: IncomingTransfer[] = [];
      const ask = async () => assert.fail('that is for others to do');
      const unsigned: RailNotifications = {
        ...newsRail,
        read: () =>
          ok({
            news: [{ kind: 'received', transfer, ask }],
            acknowledgement: { status: 200, contentType: 'text/plain', body: 'OK' },
          }),
      };
      const server = await serve({
        rails: [unsigned],
        async confirm(about, question) {
          assert.deepEqual([about, question], [transfer, ask]);
          return answer;
        },
        async processTransfer(transfer) {
          received.push(transfer);
          return { kind: 'recorded', isSentBack: false, money: transfer.money };
        },
      });
      const { status, headers } = await notify('[]', { server });
      await server.close();
      return { status, retryAfter: headers.get('retry-after'), received };
    }

    it('an unsigned notification of money is recorded as the bank confirms it, and acknowledged', async () => {
      const { status, received } = await notifyAfter({ kind: 'confirmed', transfer: asListed });
      assert.deepEqual([status, received], [200, [asListed]]);
      assert.deepEqual(events, [{ kind: 'recorded', rail: 'a_rail', reference: 'K1', news: 'received' }]);
    });

    it('an unsigned notification of money is deferred while the bank does not confirm it', async () => {
      const answer = await notifyAfter({ kind: 'unconfirmed', reason: 'it has none' });
      assert.deepEqual(answer, { status: 503, retryAfter: '1', received: [] });
      assert.deepEqual(events, [{ kind: 'unconfirmed', rail: 'a_rail', reference: 'K1', reason: 'it has none' }]);
      assert.deepEqual(await differencesOf('K1'), ['unconfirmed: it has none / received, 60000.00 MXN']);
      assert.deepEqual(kept, ['K1']);
      await notifyAfter({ kind: 'confirmed', transfer: asListed });
      assert.deepEqual(await differencesOf('K1'), [], 'the bank has it after all');
    });

    it('an unsigned notification of money is deferred while too many confirmations are in flight', async () => {
      assert.deepEqual(await notifyAfter({ kind: 'overloaded' }), { status: 503, retryAfter: '1', received: [] });
      assert.deepEqual(events, [{ kind: 'overloaded', rail: 'a_rail' }]);
    });
  });

  it('a notification is deferred while the database is overloaded', async () => {
    for (const failure of [new Overloaded('full'), new OutcomeUnknown('lost')]) {
      const server = await serve({ settle: () => Promise.reject(failure) });
      const answer = await notify([{ kind: 'executed', reference: await payoutAtBank() }], { server });
      assert.deepEqual([answer.status, answer.headers.get('retry-after')], [503, '1']);
      await server.close();
    }
  });

  /** A server that has as many notifications of the rail in flight as it admits, until `letGo`. */
  async function busyServer(change: Partial<RailNotificationParts> = {}) {
    const [reached, freed] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()] as const;
    const findByReference = async (name: string) =>
      void (name === 'a_rail' && (await Promise.all([reached.resolve(), freed.promise])));
    const server = await serve({ store: { findByReference }, maxInFlight: 1, ...change });
    const send = async (name = 'a_rail') =>
      (await notify([{ kind: 'executed', reference: 'x' }], { server, rail: name })).status;
    const first = send();
    await reached.promise;
    return { server, send, first, letGo: freed.resolve };
  }

  it('a notification is deferred while too many notifications of its rail are in flight', async () => {
    const { server, send, first, letGo } = await busyServer();
    assert.equal(await send(), 503);
    letGo();
    assert.deepEqual([await first, await send()], [404, 404], 'there is room again');
    await server.close();
  });

  it('a notification is accepted while too many notifications of another rail are in flight', async () => {
    const { server, send, first, letGo } = await busyServer({
      rails: [newsRail, { ...newsRail, name: 'another_rail' }],
    });
    assert.deepEqual([await send(), await send('another_rail')], [503, 404], 'the other one was looked for');
    letGo();
    await first;
    await server.close();
  });

  it('a bug during a notification returns an empty 500 and does not acknowledge the notification', async () => {
    const server = await serve({ settle: () => Promise.reject(new TypeError('a bug')) });
    const answer = await notify([{ kind: 'executed', reference: await payoutAtBank() }], { server });
    assert.deepEqual([answer.status, answer.body], [500, '']);
    await server.close();
  });
});
