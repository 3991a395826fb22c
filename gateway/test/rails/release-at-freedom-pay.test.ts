/**
 * Freedom Pay pays a repeated order again. Therefore a released payout that Freedom Pay executed before a restore must not be
 * sent: the gateway queries again, whatever evidence the operator gave. The simulator's book counts the payments.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { freePort, startGateway } from '../support/gateway/running-gateway.ts';
import { createTestDatabase, type TestDatabase } from '../support/postgres/postgres.ts';
import { paidIn, startPayoutProvider } from '../support/rails/payout-providers.ts';
import { SHORT_PATIENCE } from '../support/rails/payout-trial.ts';
import { until } from '../support/tools/until.ts';

const METHOD = 12;
const PAID = { account: '4671593866478252' };
const WORDS = { by: 'Ann', evidence: 'it is not in the cabinet' };
const RECOVERY = {
  by: 'Ann',
  reason: 'the backup of 10:00',
  knownUntil: null,
  skip: { transactionIds: 1_000, addresses: 0 },
} as const;

test('a payout that Freedom Pay executed is not sent again when the operator releases it after a restore', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'release-'));
  const PORT = String(await freePort());
  const surroundings = { notifications: `http://127.0.0.1:${PORT}/rail-notifications`, folder };
  const delays = { settleMs: 300, notifyMs: 30, lateMs: 500, holdMs: 30_000 };
  const bank = await startPayoutProvider('freedom-pay', surroundings, { delays });
  const variables = { PORT, ...bank.variables };
  const open = (database: TestDatabase) =>
    startGateway({ withoutBank: true, database, variables, pace: SHORT_PATIENCE });
  const paid = async () => paidIn('freedom-pay', await bank.book()).length;
  const lost = await createTestDatabase();
  const first = await open(lost);
  const merchant = await first.merchant({ funds: { KZT: '100.00' } });
  await first.stop();
  const backup = await createTestDatabase(lost);
  const before = await open(lost);
  await merchant.pay(METHOD, 'A1', PAID);
  assert.equal((await merchant.final('A1'))['status'], 'Success');
  await before.stop();
  const restored = await open(backup);
  try {
    const { recovery, payouts } = restored.operations;
    assert((await recovery.begin(RECOVERY)).ok);
    await bank.faults({ statuses: 'answer_error' });
    assert.equal((await merchant.pay(METHOD, 'A1', PAID))['status'], 'Pending');
    const key = { merchantId: merchant.id, payoutId: 'A1' };
    await until('Freedom Pay was asked', async () => /does not say/.test((await payouts.find(key))?.job?.note ?? ''));
    await bank.faults({ statuses: 'answer' });
    const released = await recovery.release(key, WORDS);
    // A worker may query first. The payout is then at its bank, and cannot be released.
    assert(
      !released.ok && ['bank_has_it', 'nothing_to_release'].includes(released.error.kind),
      JSON.stringify(released),
    );
    assert.equal((await merchant.final('A1'))['status'], 'Success');
    assert.equal(await paid(), 1);
    await restored.verify();
  } finally {
    await restored.stop();
    await bank.close();
    await lost.close();
    await backup.close();
    await rm(folder, { recursive: true });
  }
});
