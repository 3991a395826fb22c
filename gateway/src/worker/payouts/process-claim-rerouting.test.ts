import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { merchantNamed } from '../../../test/support/merchants/merchant-named.ts';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import {
  openPayoutBench,
  type PayoutBench,
  plainCallbacks,
  reportOf,
} from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { stopAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import { balanceOf } from '../../domain/ledger/transfer.ts';
import { payoutReference } from '../../domain/payouts/payout-order.ts';
import type { PayoutRail, RailAnswer } from '../../domain/payouts/payout-rail.ts';
import type { SettlementFacts } from '../../domain/payouts/payout-store.ts';
import { planSettlement } from '../../domain/payouts/plan-settlement.ts';
import { createRailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import { closedUntil, readOpeningHours } from '../../domain/routing/opening-hours.ts';
import type { Pause } from '../../domain/routing/pause-store.ts';
import type { RouteTable } from '../../domain/routing/route-store.ts';
import { SECOND_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';

let bench: PayoutBench;
let pairs = 0;

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});

after(() => bench.verifyAndClose());

type Scripted = ReturnType<typeof scriptedRail>;

interface Scene {
  readonly first: Scripted;
  readonly second: Scripted;
  /** Accepts a payout for the first rail. */
  accept(payoutId: string): Promise<void>;
  /** Advances the clock until the payout is final. Returns its state and rail. */
  ended(payoutId: string): Promise<{ state: string; rail: string }>;
  /** Advances the clock by ten seconds. */
  pass(): Promise<void>;
}

interface Circumstances {
  readonly pauses?: (first: string) => Pause[];
  readonly hours?: (first: string) => RouteTable['hours'];
  readonly change?: Partial<PayoutRail>;
}

async function betweenTwoRails(work: (scene: Scene) => Promise<void>, circumstances: Circumstances = {}) {
  const { store, clock } = bench;
  const [first, second] = [scriptedRail(`first${++pairs}`, circumstances.change), scriptedRail(`second${pairs}`)];
  const rails = [first.rail, second.rail];
  const hours = circumstances.hours?.(first.rail.name) ?? [];
  const pauses = circumstances.pauses?.(first.rail.name) ?? [];
  const choice = createRailChoice({
    rails,
    table: async () => ({ routes: [], hours }),
    pauses: async () => pauses,
    clock,
  });
  const { delivery, problems } = deliverStored(bench, rails, pauses, {
    closedUntil: async (rail) => closedUntil(hours, rail, clock.now()),
    nextRail: choice.nextRail,
    canReroute: choice.canReroute,
  });
  const step = async (ms: number) => {
    clock.advance(ms);
    await new Promise((resolve) => setTimeout(resolve, 5));
  };
  delivery.start();
  try {
    await work({
      ...{ first, second },
      async accept(payoutId) {
        await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: first.rail.name }));
        delivery.nudge(first.rail.name);
      },
      async ended(payoutId) {
        for (let steps = 0; steps < 2_000; steps++) {
          const payout = await store.find({ merchantId: 'm', payoutId });
          if (payout && payout.state !== 'pending') return { state: payout.state, rail: payout.rail };
          await step(100);
        }
        return assert.fail(`${payoutId} never ended`);
      },
      async pass() {
        for (let steps = 0; steps < 10; steps++) await step(SECOND_MS);
      },
    });
  } finally {
    await stopAsTimeGoesBy(clock, delivery);
  }
  assert.deepEqual(problems, []);
}

const answers = (...kinds: RailAnswer[]) => {
  let next = 0;
  return async (): Promise<RailAnswer> => kinds[Math.min(next++, kinds.length - 1)] ?? { kind: 'unknown', reason: '' };
};

const NOT_ACCEPTED: RailAnswer = { kind: 'not_accepted', reason: 'no connection' };

async function historyOf(payoutId: string) {
  const record = await createPayoutRecordStore(bench.database).record({ merchantId: 'm', payoutId });
  return record?.history.map(({ event, detail, reasons }) => [event, detail, ...reasons]);
}

describe('a payout that its rail did not accept', () => {
  it('a payout that its rail did not accept moves immediately to the next rail', async () => {
    await betweenTwoRails(async ({ first, second, accept, ended }) => {
      first.script.send = answers(NOT_ACCEPTED);
      await accept('moved');
      assert.deepEqual(await ended('moved'), { state: 'success', rail: second.rail.name });
      assert.deepEqual([first.sent.length, second.sent.length], [1, 1]);
      for (const { sent, rail } of [first, second]) {
        const key = { merchantId: 'm', payoutId: 'moved', rail: rail.name };
        assert.equal(sent[0]?.reference, payoutReference(REFERENCE_KEY, key));
      }
      assert.deepEqual(await historyOf('moved'), [
        ['accepted', '', ['first_rail', first.rail.name]],
        ['rerouted', '', ['rerouted', first.rail.name, second.rail.name, 'no connection']],
        ['executed', ''],
      ]);
      const balances = await bench.ledger.balances('m', 'EUR');
      assert.equal(balanceOf(balances, `clearing:${second.rail.name}`), 10n);
    });
  });

  it('a payout returns to its first rail after a while when the second rail did not accept it either', async () => {
    await betweenTwoRails(async ({ first, second, accept, ended }) => {
      first.script.send = answers(NOT_ACCEPTED, { kind: 'executed' });
      second.script.send = answers(NOT_ACCEPTED);
      await accept('back');
      assert.deepEqual(await ended('back'), { state: 'success', rail: first.rail.name });
      assert.deepEqual([first.sent.length, second.sent.length], [2, 1]);
    });
  });

  it('a payout moves to another rail once its first bank provably never received it', async () => {
    await betweenTwoRails(async ({ first, second, accept, ended }) => {
      first.script.send = answers({ kind: 'unknown', reason: 'no response in time' });
      await accept('lost');
      assert.deepEqual(await ended('lost'), { state: 'success', rail: second.rail.name });
      assert.ok(first.asked.length > 0);
    });
  });

  for (const [kind, answer] of [
    ['unknown', { kind: 'unknown', reason: 'HTTP 502' }],
    ['pending', { kind: 'pending' }],
  ] as const) {
    it(`a payout stays at its rail while its outcome is ${kind}`, async () => {
      await betweenTwoRails(async ({ first, second, accept, ended, pass }) => {
        first.script.send = answers(answer);
        first.script.ask = async () => ({ kind: 'pending' });
        await accept(`kept-${kind}`);
        await pass();
        assert.equal(second.sent.length, 0);
        first.script.ask = async () => ({ kind: 'executed' });
        assert.deepEqual(await ended(`kept-${kind}`), { state: 'success', rail: first.rail.name });
        assert.equal(second.sent.length, 0);
      });
    });
  }
});

describe('a payout whose rail is paused, closed or failing', () => {
  it('a queued payout moves to the next rail when its rail is paused', async () => {
    const pauses = (target: string): Pause[] => [{ scope: 'rail', target, since: 0, reason: 'maintenance' }];
    await betweenTwoRails(
      async ({ first, second, accept, ended }) => {
        await accept('paused');
        assert.deepEqual(await ended('paused'), { state: 'success', rail: second.rail.name });
        assert.equal(first.sent.length, 0);
      },
      { pauses },
    );
  });

  it('a queued payout moves to the next rail when its rail is closed', async () => {
    const hours = readOpeningHours('Mon-Sun 23:58-23:59 UTC');
    invariant(hours, 'hours that can be read');
    await betweenTwoRails(
      async ({ first, second, accept, ended }) => {
        await accept('closed');
        assert.deepEqual(await ended('closed'), { state: 'success', rail: second.rail.name });
        assert.equal(first.sent.length, 0);
      },
      { hours: (rail) => [{ rail, hours }] },
    );
  });

  it('a queued payout moves to the next rail when its rail keeps failing', async () => {
    await betweenTwoRails(
      async ({ first, second, accept, ended }) => {
        first.script.send = answers({ kind: 'unknown', reason: 'HTTP 502' });
        first.script.ask = async () => ({ kind: 'unknown', reason: 'HTTP 502' });
        for (const number of [1, 2, 3, 4, 5]) await accept(`stuck${number}`);
        while (first.sent.length + first.asked.length < 5) await new Promise((resolve) => setTimeout(resolve, 5));
        const sentBefore = first.sent.length;
        for (const number of [6, 7, 8]) await accept(`stuck${number}`);
        for (const number of [6, 7, 8])
          assert.deepEqual(await ended(`stuck${number}`), { state: 'success', rail: second.rail.name });
        assert.equal(first.sent.length, sentBefore);
        first.script.ask = async () => ({ kind: 'executed' });
        for (const number of [1, 2, 3, 4, 5])
          assert.deepEqual(await ended(`stuck${number}`), { state: 'success', rail: first.rail.name });
      },
      { change: { concurrency: 64 } },
    );
  });
});

describe('a late report of an earlier rail', () => {
  const merchant = merchantNamed('m', { eventUrl: 'http://127.0.0.1:1/events' });
  const settle = (payoutId: string, event: 'executed' | 'declined' | 'reversed', rail: string) =>
    bench.store.settle({
      ...{ merchantId: 'm', payoutId, fence: null },
      plan: (facts: SettlementFacts) =>
        planSettlement(facts, reportOf(event, { rail, actor: rail }), { merchant, compose: plainCallbacks }),
    });

  async function rerouted(payoutId: string, isSent: boolean): Promise<void> {
    const { store, clock, database } = bench;
    const jobs = createPayoutJobStore(database, clock, REFERENCE_KEY);
    await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: `old-${payoutId}` }));
    const now = clock.now();
    const claimWith = { limit: 1, leaseUntil: now + 60_000 };
    const claims = await jobs.claim({
      ...{ rail: `old-${payoutId}`, now, leaseUntil: claimWith.leaseUntil, sendUntil: now, limit: 1 },
      ...{
        inDirectory: false,
        paused: { merchant: [], method: [], purpose: [], rail: [] },
        queuedOnly: false,
        asksFirstSince: null,
        restoredAt: null,
        witness: null,
      },
    });
    const [claim] = claims;
    invariant(claim, 'the payout is due');
    await jobs.reroute({ claim, at: now, dueAt: now, rail: `new-${payoutId}`, note: 'no connection' });
    if (isSent) await bench.attempt('m', payoutId);
    await jobs.drain();
  }

  const stateOf = async (payoutId: string) => {
    const payout = await bench.store.find({ merchantId: 'm', payoutId });
    return [payout?.state, payout?.rail];
  };

  it('a late execution at an earlier rail ends a payout that no other bank received', async () => {
    await rerouted('unsent', false);
    await settle('unsent', 'executed', 'old-unsent');
    assert.deepEqual(await stateOf('unsent'), ['success', 'old-unsent']);
  });

  it('a late execution at an earlier rail contradicts a payout that another bank may have paid, which stays pending', async () => {
    await rerouted('sent', true);
    const outcome = await settle('sent', 'executed', 'old-sent');
    assert.equal(outcome.kind === 'settled' && outcome.plan.adjustment?.kind, 'contradicted');
    assert.deepEqual(await stateOf('sent'), ['pending', 'new-sent']);
    assert.equal((await settle('sent', 'executed', 'old-sent')).kind, 'unchanged');
    const filter = { rail: 'old-sent', day: null, kind: null, openOnly: true };
    const kept = await createDifferenceStore(bench.database).list(filter);
    assert.deepEqual(
      kept.map(({ kind, subject, payoutId, ours }) => [kind, subject, payoutId, ours]),
      [['contradiction', 'm/sent', 'sent', 'pending, 0.10 EUR']],
    );
    await settle('sent', 'executed', 'new-sent');
    assert.deepEqual(await stateOf('sent'), ['success', 'new-sent']);
  });

  it('a late execution at an earlier rail ends the payout there after the other bank declines it', async () => {
    await rerouted('declined-there', true);
    await settle('declined-there', 'executed', 'old-declined-there');
    await settle('declined-there', 'declined', 'new-declined-there');
    assert.deepEqual(await stateOf('declined-there'), ['success', 'old-declined-there']);
  });

  it('a late execution at an earlier rail stops another send after the second bank did not accept the payout', async () => {
    await betweenTwoRails(async ({ first, second, accept, ended }) => {
      first.script.send = answers(NOT_ACCEPTED, { kind: 'executed' });
      second.script.send = async () => {
        await settle('not-again', 'executed', first.rail.name);
        return NOT_ACCEPTED;
      };
      await accept('not-again');
      assert.deepEqual(await ended('not-again'), { state: 'success', rail: first.rail.name });
      assert.deepEqual([first.sent.length, second.sent.length], [1, 1]);
    });
  });

  it('a repeated execution report has no effect after the payout returned to the earlier rail and was reversed there', async () => {
    await rerouted('undone', true);
    await settle('undone', 'executed', 'old-undone');
    const { database, clock } = bench;
    const jobs = createPayoutJobStore(database, clock, REFERENCE_KEY);
    const now = clock.now();
    const asked = { now, leaseUntil: now + 60_000, sendUntil: now, limit: 1, inDirectory: false };
    const nobody = { merchant: [], method: [], purpose: [], rail: [] };
    const [claim] = await jobs.claim({
      ...asked,
      rail: 'new-undone',
      paused: nobody,
      queuedOnly: false,
      asksFirstSince: null,
      restoredAt: null,
      witness: null,
    });
    invariant(claim, 'the other bank is asked about it');
    await jobs.reroute({ claim, at: now, dueAt: now, rail: 'old-undone', note: 'the bank never received it' });
    await settle('undone', 'reversed', 'old-undone');
    assert.deepEqual(await stateOf('undone'), ['blocked', 'old-undone']);
    await settle('undone', 'executed', 'old-undone');
    assert.equal(balanceOf(await bench.ledger.balances('m', 'EUR'), 'clearing:old-undone'), 0n);
  });

  it('a late execution at an earlier rail is recorded although the other bank reversed its own payment', async () => {
    await rerouted('both', true);
    await settle('both', 'reversed', 'new-both');
    await settle('both', 'executed', 'old-both');
    assert.equal(balanceOf(await bench.ledger.balances('m', 'EUR'), 'clearing:old-both'), 10n);
  });

  it('a reversal at the second rail does not return the money that an earlier rail paid', async () => {
    await rerouted('kept', true);
    await settle('kept', 'declined', 'new-kept');
    await settle('kept', 'executed', 'old-kept');
    await settle('kept', 'reversed', 'new-kept');
    const balances = await bench.ledger.balances('m', 'EUR');
    assert.deepEqual([balanceOf(balances, 'clearing:old-kept'), balanceOf(balances, 'clearing:new-kept')], [10n, 0n]);
  });

  it('a late decline by an earlier rail has no effect', async () => {
    await rerouted('declined', true);
    assert.equal((await settle('declined', 'declined', 'old-declined')).kind, 'unchanged');
    await settle('declined', 'executed', 'new-declined');
  });

  it('a late execution at an earlier rail debits the merchant after the other bank declined the payout', async () => {
    await rerouted('late', true);
    await settle('late', 'declined', 'new-late');
    const outcome = await settle('late', 'executed', 'old-late');
    assert.equal(outcome.kind === 'settled' && outcome.plan.adjustment?.kind, 'late_execution');
    const balances = await bench.ledger.balances('m', 'EUR');
    assert.equal(balanceOf(balances, 'clearing:old-late'), 10n);
  });
});

it('a worker that reroutes a payout after its lease expired does not leave it claimed for two rails', async () => {
  const { store, clock, database } = bench;
  const jobs = createPayoutJobStore(database, clock, REFERENCE_KEY);
  await store.accept(await bench.newPayout('m', 'moved-late', 10n, { rail: 'left-rail' }));
  const now = clock.now();
  const claim = {
    ...{ rail: 'left-rail', now, leaseUntil: now + 1_000, sendUntil: now, limit: 1 },
    ...{
      inDirectory: false,
      queuedOnly: false,
      asksFirstSince: null,
      restoredAt: null,
      witness: null,
      paused: { merchant: [], method: [], purpose: [], rail: ['left-rail'] },
    },
  };
  const [late] = await jobs.claim(claim);
  invariant(late && !late.isBegun, 'it is held back');
  clock.advance(2_000);
  const at = clock.now();
  const holder = await bench.owner.connect();
  await holder.query('begin');
  await holder.query(`select from payouts where merchant_id = 'm' and payout_id = 'moved-late' for update`);
  const moving = jobs.reroute({ claim: late, at, dueAt: at, rail: 'next-rail', note: 'paused' });
  await sleep(150);
  const claiming = jobs.claim({
    ...claim,
    now: at,
    leaseUntil: at + 60_000,
    paused: { merchant: [], method: [], purpose: [], rail: [] },
  });
  await sleep(150);
  await holder.query('commit');
  holder.release();
  await moving;
  assert.deepEqual(await claiming, []);
  await bench.attempt('m', 'moved-late');
});
