/**
 * Two providers behind one gateway. One hangs: it accepts connections and never responds. It has as many payouts in flight as
 * its concurrency allows, and many more wait. The other provider's payouts must complete meanwhile. Once the first provider is
 * back, its book must show each payout executed once. The gateway's timeout is longer than the test, so a call hangs until the
 * test releases it, however slow the machine is.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import { untilPaused } from '../../support/gateway/until-paused.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { startPayoutProvider } from '../../support/rails/payout-providers.ts';
import { until } from '../../support/tools/until.ts';

const HANGING = 'razorpayx';
const HANGING_METHOD = 26;
const OTHER_METHOD = 1;
const WAITING = process.env['TEST_FULL'] ? 5_000 : 200;
const PLACES = 4;
/** The number of payouts on the other rail. If they waited for a hanging call, not even the first would complete. */
const BESIDE = 4;
const HANGS_MS = 600_000;
const PACE = { rail: { timeoutMs: HANGS_MS, notFoundProofMs: 1_000, askAfterMs: [300, 600] } } as const;
/** The provider executes each payout, returns 500 to it and to queries about it, and sends no notification. */
const OUTCOME_UNKNOWN = {
  calls: 'accept_500',
  payouts: 'process_at_once',
  lists: 'answer_500',
  notifications: 'off',
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
    hidesOutcomes: () => provider.faults(OUTCOME_UNKNOWN),
    hangs: (is: boolean) => provider.faults({ latency_ms: is ? HANGS_MS : 0 }),
    async close() {
      await provider.faults();
      await gateway.verifyAndStop();
      await provider.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Returns the hanging calls to the rail. Each has a lease for the entire timeout; a payout between two calls waits less. */
async function callsOf({ database }: RunningGateway): Promise<readonly string[]> {
  const { rows } = await database.pool.query<{ call: string }>(
    `select payout_id || ' ' || fence as call from payout_jobs
     where rail = '${HANGING}' and stage <> 'queued' and due_at > now() + interval '1 minute' order by call`,
  );
  return rows.map(({ call }) => call);
}

/** Asserts that payouts on the other rail complete before any hanging call does. */
async function assertEndBeside(gateway: RunningGateway, merchant: TestMerchant, when: string): Promise<void> {
  const isTaken = async () => {
    const calls = await callsOf(gateway);
    return calls.length === PLACES && calls;
  };
  const hanging = await until(`all places of the rail are taken ${when}`, isTaken);
  for (let number = 0; number < BESIDE; number++) {
    await merchant.pay(OTHER_METHOD, `${when}-${number}`);
    assert.equal((await merchant.final(`${when}-${number}`))['status'], 'Success');
  }
  assert.deepEqual(await callsOf(gateway), hanging, `${when}: the other rail waited for a hanging call`);
}

async function acceptForHanging(merchant: TestMerchant): Promise<void> {
  let accepted = 0;
  const client = async () => {
    while (accepted < WAITING) {
      const { status, description } = await merchant.pay(HANGING_METHOD, `hangs-${accepted++}`);
      assert.equal(status, 'Pending', description);
    }
  };
  await Promise.all(Array.from({ length: 16 }, client));
}

test('a hanging rail does not delay a payout on another rail', async () => {
  const { gateway, summary, hidesOutcomes, hangs, close } = await openScene();
  try {
    const merchant = await gateway.merchant({ funds: { INR: '1000000.00' } });
    const beside = await gateway.merchant();
    const count = async (condition: string) =>
      (await gateway.database.pool.query(`select from payout_jobs where rail = '${HANGING}' and ${condition}`))
        .rowCount;
    const allEnded = () => until('all payouts of the hanging rail are final', async () => (await count('true')) === 0);
    await hidesOutcomes();
    for (let number = 0; number < PLACES; number++) await merchant.pay(HANGING_METHOD, `asked-${number}`);
    await until('the outcome of each is unknown', async () => (await count(`stage = 'unknown'`)) === PLACES);
    await hangs(true);
    await assertEndBeside(gateway, beside, 'asking');
    await hangs(false);
    await allEnded();

    await gateway.operations.pauses.pause('rail', HANGING, 'until all of them wait');
    const sent = await untilPaused(gateway, merchant, HANGING_METHOD);
    await acceptForHanging(merchant);
    // Includes the payout that detected the pause.
    const waiting = WAITING + 1;
    assert.equal(await count('true'), waiting);
    await hangs(true);
    await gateway.operations.pauses.resume('rail', HANGING);
    await assertEndBeside(gateway, beside, 'sending');
    assert.equal(await count('true'), waiting, 'no payout of the hanging rail ended meanwhile');

    await hangs(false);
    await allEnded();
    const { rows } = await gateway.database.pool.query(
      `select rail, state, count(*)::int as payouts from payouts where method = ${HANGING_METHOD} group by rail, state`,
    );
    const executed = PLACES + sent + waiting;
    assert.deepEqual(rows, [{ rail: HANGING, state: 'success', payouts: executed }]);
    const book = await summary();
    assert.deepEqual([book['executions'], book['executed_over_once']], [executed, []]);
  } finally {
    await close();
  }
});
