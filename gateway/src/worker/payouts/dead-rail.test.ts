import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payout-deliveries.ts';
import { REFERENCE_KEY } from '../../../test/support/reference-key.ts';
import { scriptedRail } from '../../../test/support/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/stored-payouts.ts';
import type { PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import { createRailChoice } from '../../domain/payouts/rail-choice.ts';
import type { Route } from '../../domain/routing/route.ts';
import { MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';

let bench: PayoutBench;
let scenes = 0;

before(async () => {
  bench = await openPayoutBench();
  await bench.fund('m', 1_000_000n);
});

after(() => bench.verifyAndClose());

const PAYOUTS = 20;
const MINUTES = 20;

/** How often payouts were taken in hand and moved, each of them, while `first` and `second` were down for twenty minutes. */
async function whileDown(
  down: { readonly first: boolean; readonly second: boolean },
  routesOf: (first: string, second: string) => Route[] = () => [],
) {
  const { store, clock, database } = bench;
  const [first, second] = [scriptedRail(`dead-first${++scenes}`), scriptedRail(`dead-second${scenes}`)];
  const rails = [first.rail, second.rail];
  const isUp = { first: !down.first, second: !down.second };
  const fails = async () => ({ kind: 'not_taken', reason: 'no connection' }) as const;
  first.script.send = () => (isUp.first ? Promise.resolve({ kind: 'executed' }) : fails());
  second.script.send = () => (isUp.second ? Promise.resolve({ kind: 'executed' }) : fails());
  const routes = routesOf(first.rail.name, second.rail.name);
  const choice = createRailChoice({ rails, table: async () => ({ routes, hours: [] }), pauses: async () => [], clock });
  const counted = { claims: 0, moves: 0, claiming: 0 };
  const back = new Set<string>();
  const stored = createPayoutJobStore(database, { ...clock, sleep: () => new Promise(setImmediate) }, REFERENCE_KEY);
  const jobs: PayoutJobStore = {
    ...stored,
    async claim(wanted) {
      counted.claiming += 1;
      const claims = await stored.claim(wanted).finally(() => {
        counted.claiming -= 1;
      });
      counted.claims += claims.length;
      return claims;
    },
    reroute(rerouting) {
      counted.moves += 1;
      return stored.reroute(rerouting);
    },
    railIsBack(rail, dueAt) {
      back.add(rail);
      return stored.railIsBack(rail, dueAt);
    },
  };
  const { delivery, problems } = deliverStored(bench, rails, [], { ...choice, jobs });
  const step = async (ms: number) => {
    clock.advance(ms);
    // A machine that is busy has to be done with what is in hand, or seconds go by between a claim and its sending.
    do await new Promise((resolve) => setTimeout(resolve, 4));
    while (counted.claiming > 0 || [...delivery.railStates().values()].some(({ underWay }) => underWay > 0));
  };
  const ids = Array.from({ length: PAYOUTS }, (_, index) => `dead${scenes}-${index}`);
  for (const payoutId of ids) await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: first.rail.name }));
  const ended = async () => {
    const payouts = await Promise.all(ids.map((payoutId) => store.find({ merchantId: 'm', payoutId })));
    return payouts.every((payout) => payout?.state === 'success');
  };
  delivery.start();
  try {
    for (let seconds = 0; seconds < MINUTES * 60; seconds++) await step(SECOND_MS);
    const perPayout = { claims: counted.claims / PAYOUTS, moves: counted.moves / PAYOUTS };
    isUp.first = true;
    const upAt = clock.now();
    while (!(await ended())) await step(SECOND_MS);
    const isFirstBack = back.has(first.rail.name);
    return {
      ...perPayout,
      isFirstBack,
      endedAfterMs: clock.now() - upAt,
      sent: first.sent.length + second.sent.length,
    };
  } finally {
    const stopped = delivery.stop();
    for (let steps = 0; steps < 50; steps++) await step(SECOND_MS);
    await stopped;
    assert.deepEqual(problems, []);
  }
}

function limitedTo(maxAmount: bigint) {
  const open = { method: 9, merchantId: null, weight: null, minAmount: null, costFixed: 0n, costPercent: 0n };
  return (first: string, second: string): Route[] => [
    { ...open, rail: first, place: 1, maxAmount: null },
    { ...open, rail: second, place: 2, maxAmount },
  ];
}

it('a rail that is down is tried with one payout after the other, and the rest are left alone', async () => {
  const { claims, moves, sent } = await whileDown({ first: true, second: true }, (first) =>
    limitedTo(1n)(first, 'none').slice(0, 1),
  );
  assert.equal(moves, 0);
  // Each minute one, and those under way when it went down.
  assert.ok(claims * PAYOUTS < MINUTES + 2 * PAYOUTS, `${claims * PAYOUTS} claims`);
  assert.ok(sent < MINUTES + 3 * PAYOUTS, `${sent} sent`);
});

it('two rails that are down do not hand each other all that waits', async () => {
  const { claims, moves } = await whileDown({ first: true, second: true });
  assert.ok(claims < 15, `${claims} claims of each`);
  assert.ok(moves < 8, `${moves} moves of each`);
});

it('what finds no other rail looks for one less and less often, and is due when its own is back', async () => {
  const { claims, moves, isFirstBack, endedAfterMs } = await whileDown({ first: true, second: false }, limitedTo(5n));
  assert.equal(moves, 0);
  assert.ok(claims < 30, `${claims} claims of each`);
  assert.ok(endedAfterMs < 7 * MINUTE_MS, `${endedAfterMs} ms`);
  assert.ok(isFirstBack);
});

it('what may go by a rail that works leaves at once', async () => {
  const { claims, moves } = await whileDown({ first: true, second: false }, limitedTo(10n));
  assert.ok(claims <= 2 && moves === 1, `${claims} claims and ${moves} moves of each`);
});
