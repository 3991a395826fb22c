/**
 * Two providers through one gateway, and one of them hangs: it takes connections and answers nothing, with its places all taken
 * and many more payouts waiting for it. Those of the other end while its calls still hang. Once it is back, each of its own has
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
/** Who waited for a call that hangs would not even end the first of them. */
const BESIDE = 4;
const TIMEOUT_MS = 8_000;
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

/** The calls to the rail that hang, each under a lease that ends later than anything that only waits for its turn. */
async function callsOf({ database }: RunningGateway): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ call: string }>(
    `select payout_id || ' ' || fence as call from payout_jobs
     where rail = '${HANGING}' and stage <> 'queued' and due_at > now() + interval '2 seconds' order by call`,
  );
  return rows.map(({ call }) => call);
}

/** Payouts by the other rail, whose replies wait for their ends, end before any of the calls that hang. */
async function assertEndBeside(gateway: RunningGateway, merchant: TestMerchant, when: string): Promise<void> {
  const isTaken = async () => {
    const calls = await callsOf(gateway);
    return calls.length === PLACES && calls;
  };
  const hanging = await until(`all places of the rail are taken ${when}`, isTaken);
  for (let number = 0; number < BESIDE; number++) {
    const { status } = await merchant.pay(OTHER_METHOD, `${when}-${number}`);
    assert.equal(status, 'Success');
  }
  assert.deepEqual(await callsOf(gateway), hanging, `${when}: the other rail waited for a call that hangs`);
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
    await hangs(true);
    for (let number = 0; number < PLACES; number++) await merchant.pay(HANGING_METHOD, `asked-${number}`);
    await until('the outcome of each is unknown', async () => (await count(`stage = 'unknown'`)) === PLACES);
    await assertEndBeside(gateway, beside, 'asking');
    await hangs(false);
    await allEnded();

    await acceptForHanging(gateway, merchant);
    await hangs(true);
    // Those before the worker knew of the pause were sent at once.
    const waiting = (await count('true')) ?? 0;
    assert.ok(waiting > WAITING / 2);
    await gateway.operations.pauses.resume('rail', HANGING);
    await assertEndBeside(gateway, beside, 'sending');
    assert.equal(await count('true'), waiting, 'none of its own has ended meanwhile');

    await hangs(false);
    await allEnded();
    const { rows } = await gateway.database.pool.query(
      `select rail, state, count(*)::int as payouts from payouts where method = ${HANGING_METHOD} group by rail, state`,
    );
    assert.deepEqual(rows, [{ rail: HANGING, state: 'success', payouts: EXECUTED }]);
    const book = await summary();
    assert.deepEqual([book['executions'], book['executed_over_once']], [EXECUTED, []]);
  } finally {
    await close();
  }
});
