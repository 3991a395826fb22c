/**
 * Two providers through one gateway, and one of them hangs: it takes connections and answers nothing, with its places all taken
 * and many more payouts waiting for it. Those of the other end as fast as before. Once it is back, each of its own has
 * ended right, and once by its own book. Its time to hang and the gateway's patience are both shortened.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { startPayoutProvider } from '../support/payout-providers.ts';
import { freePort, type RunningGateway, startGateway } from '../support/running-gateway.ts';
import type { TestMerchant } from '../support/test-merchant.ts';
import { until } from '../support/until.ts';

const HANGING = 'razorpayx';
const HANGING_METHOD = 26;
const OTHER_METHOD = 1;
const WAITING = process.env['TEST_FULL'] ? 5_000 : 400;
const PLACES = 4;
const EXECUTED = WAITING + PLACES;
const BESIDE = 40;
const TIMEOUT_MS = 2_000;
const PACE = {
  rail: { timeoutMs: TIMEOUT_MS, notFoundProofMs: 1_000, askAfterMs: [300, 600] },
  recordingMs: 1_000,
} as const;

async function openScene() {
  const folder = await mkdtemp(join(tmpdir(), 'hanging-rail-'));
  const port = await freePort();
  const notifications = `http://127.0.0.1:${port}/rail-notifications`;
  const delays = { settleMs: 50, reverseMs: 600, lateMs: 300, holdMs: 1_000 };
  const provider = await startPayoutProvider(HANGING, { notifications, folder }, { delays });
  const gateway = await startGateway({
    variables: { ...provider.variables, PORT: String(port), RAZORPAYX_CONCURRENCY: String(PLACES) },
    pace: PACE,
  });
  return {
    gateway,
    summary: () => provider.control('summary'),
    hangs: (is: boolean) => provider.faults({ latency_ms: is ? 600_000 : 0 }),
    async close() {
      await gateway.verifyAndStop();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** How long each of some payouts by the other rail takes from its request to its end, which its reply waits for: sorted. */
async function timesBeside(merchant: TestMerchant, name: string): Promise<readonly number[]> {
  const times: number[] = [];
  for (let number = 0; number < BESIDE; number++) {
    const startedAt = performance.now();
    const { status } = await merchant.pay(OTHER_METHOD, `${name}-${number}`);
    times.push(performance.now() - startedAt);
    assert.equal(status, 'Success');
  }
  return times.sort((one, other) => one - other);
}

const medianOf = (sorted: readonly number[]) => sorted[Math.floor(sorted.length / 2)] ?? 0;

function assertAsFast(times: readonly number[], before: readonly number[], when: string): void {
  const [median, usual] = [medianOf(times), medianOf(before)];
  assert.ok(median < 2 * usual + TIMEOUT_MS / 10, `${when}: half of them took ${median} ms or more, ${usual} before`);
  // A busy machine may hold up one or two; who waited for a call that hangs would not be alone.
  const slow = times[Math.floor(times.length * 0.9)] ?? 0;
  assert.ok(slow < TIMEOUT_MS / 2, `${when}: one in ten took ${slow} ms, as if it waited for a call that hangs`);
}

async function acceptForHanging({ operations }: RunningGateway, merchant: TestMerchant): Promise<void> {
  await operations.pauses.pause('rail', HANGING, 'until all of them wait');
  let accepted = 0;
  const client = async () => {
    while (accepted < WAITING) {
      const { status, description } = await merchant.pay(HANGING_METHOD, `hangs-${accepted++}`);
      assert.equal(status, 'Pending', description);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

test('a rail that hangs delays no payout of another, and its own are all accounted for afterwards', async () => {
  const { gateway, summary, hangs, close } = await openScene();
  try {
    const merchant = await gateway.merchant({ funds: { INR: '1000000.00' } });
    const beside = await gateway.merchant({ settings: { reply_wait_ms: '10000' } });
    const count = async (condition: string) =>
      (await gateway.database.pool.query(`select from payout_jobs where rail = '${HANGING}' and ${condition}`))
        .rowCount;
    const allEnded = () => until('its own have all ended', async () => (await count('true')) === 0);
    await timesBeside(beside, 'warm');
    const before = await timesBeside(beside, 'before');

    await hangs(true);
    for (let number = 0; number < PLACES; number++) await merchant.pay(HANGING_METHOD, `asked-${number}`);
    await until('all are asked about in vain', async () => (await count('asks > 0')) === PLACES, 30_000);
    const whileAsking = await timesBeside(beside, 'asking');
    assertAsFast(whileAsking, before, 'while it is asked');
    await hangs(false);
    await allEnded();

    await acceptForHanging(gateway, merchant);
    await hangs(true);
    // Those before the worker knew of the pause were sent at once.
    const waiting = (await count('true')) ?? 0;
    assert.ok(waiting > WAITING / 2);
    await gateway.operations.pauses.resume('rail', HANGING);
    await until('all its places are taken', async () => (await count(`stage = 'sending'`)) === PLACES);
    const whileSending = await timesBeside(beside, 'sending');
    assert.equal(await count('true'), waiting, 'none of its own has ended meanwhile');
    assertAsFast(whileSending, before, 'while its places are taken');

    await hangs(false);
    await allEnded();
    const { rows } = await gateway.database.pool.query(
      `select rail, state, count(*)::int as payouts from payouts where method = ${HANGING_METHOD} group by rail, state`,
    );
    assert.deepEqual(rows, [{ rail: HANGING, state: 'success', payouts: EXECUTED }]);
    const book = await summary();
    assert.deepEqual([book['executions'], book['executed_over_once']], [EXECUTED, []]);
    console.log(
      `by the other rail, half of them within ${[before, whileAsking, whileSending].map((times) => Math.round(medianOf(times))).join(', ')} ms`,
    );
  } finally {
    await close();
  }
});
