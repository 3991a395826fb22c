import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { deliverStored } from '../../../test/support/payouts/payout-deliveries.ts';
import { scriptedRail } from '../../../test/support/payouts/scripted-rail.ts';
import { openPayoutBench, type PayoutBench } from '../../../test/support/payouts/stored-payouts.ts';
import { REFERENCE_KEY } from '../../../test/support/tools/reference-key.ts';
import { stopAsTimeGoesBy } from '../../../test/support/tools/time-goes-by.ts';
import type { PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import { createRailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import type { Route } from '../../domain/routing/route-store.ts';
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
/** The breaker of a rail that stays down pauses for a minute, and its payouts are claimed at longer intervals. */
const STEP_MS = 5 * SECOND_MS;

/** Counts the claims and moves of each payout while the chosen rails are down for twenty minutes. */
async function whileDown(
  down: { readonly first: boolean; readonly second: boolean },
  routesOf: (first: string, second: string) => Route[] = () => [],
) {
  const { store, clock, database } = bench;
  const [first, second] = [scriptedRail(`dead-first${++scenes}`), scriptedRail(`dead-second${scenes}`)];
  const rails = [first.rail, second.rail];
  const isUp = { first: !down.first, second: !down.second };
  const fails = async () => ({ kind: 'not_accepted', reason: 'no connection' }) as const;
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
    // A busy machine must finish the current claims first. Otherwise seconds of the clock pass between a claim and its send.
    do await new Promise((resolve) => setTimeout(resolve, 4));
    while (counted.claiming > 0 || [...delivery.railStates().values()].some(({ inFlight }) => inFlight > 0));
  };
  const ids = Array.from({ length: PAYOUTS }, (_, index) => `dead${scenes}-${index}`);
  for (const payoutId of ids) await store.accept(await bench.newPayout('m', payoutId, 10n, { rail: first.rail.name }));
  const ended = async () => {
    const payouts = await Promise.all(ids.map((payoutId) => store.find({ merchantId: 'm', payoutId })));
    return payouts.every((payout) => payout?.state === 'success');
  };
  delivery.start();
  try {
    for (let passed = 0; passed < MINUTES * MINUTE_MS; passed += STEP_MS) await step(STEP_MS);
    const perPayout = { claims: counted.claims / PAYOUTS, moves: counted.moves / PAYOUTS };
    isUp.first = true;
    const upAt = clock.now();
    while (!(await ended())) await step(STEP_MS);
    const isFirstBack = back.has(first.rail.name);
    return {
      ...perPayout,
      isFirstBack,
      endedAfterMs: clock.now() - upAt,
      sent: first.sent.length + second.sent.length,
    };
  } finally {
    await stopAsTimeGoesBy(clock, delivery);
    assert.deepEqual(problems, []);
  }
}

function limitedTo(maxAmount: bigint) {
  const open = { method: 9, merchantId: null, weight: null, minAmount: null, costFixed: 0n, costPercent: 0n };
  return (first: string, second: string): Route[] => [
    { ...open, rail: first, rank: 1, maxAmount: null },
    { ...open, rail: second, rank: 2, maxAmount },
  ];
}

it('a worker probes a failing rail with one payout at a time and leaves the other payouts queued', async () => {
  const { claims, moves, sent } = await whileDown({ first: true, second: true }, (first) =>
    limitedTo(1n)(first, 'none').slice(0, 1),
  );
  assert.equal(moves, 0);
  // One probe per minute, plus the payouts in flight when the rail went down.
  assert.ok(claims * PAYOUTS < MINUTES + 2 * PAYOUTS, `${claims * PAYOUTS} claims in total`);
  assert.ok(sent < MINUTES + 3 * PAYOUTS, `${sent} sent`);
});

it('two rails that are down do not move their backlogs back and forth', async () => {
  const { claims, moves } = await whileDown({ first: true, second: true });
  assert.ok(claims < 15, `${claims} claims per payout`);
  assert.ok(moves < 8, `${moves} moves per payout`);
});

it('a queued payout without another rail is claimed at growing intervals, and immediately when its rail works again', async () => {
  const { claims, moves, isFirstBack, endedAfterMs } = await whileDown({ first: true, second: false }, limitedTo(5n));
  assert.equal(moves, 0);
  assert.ok(claims < 30, `${claims} claims per payout`);
  assert.ok(endedAfterMs < 7 * MINUTE_MS, `${endedAfterMs} ms`);
  assert.ok(isFirstBack);
});

it('a queued payout immediately leaves a rail that is down if its route allows a working rail', async () => {
  const { claims, moves } = await whileDown({ first: true, second: false }, limitedTo(10n));
  assert.ok(claims <= 2 && moves === 1, `${claims} claims and ${moves} moves per payout`);
});
