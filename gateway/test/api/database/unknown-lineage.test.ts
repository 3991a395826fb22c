/**
 * A gateway that starts on a database with a different server or timeline, as after a restore that the operator has not
 * declared.
 */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import { SKIPPED_NUMBERS } from '../../../src/domain/recovery/begin-recovery.ts';
import { type RunningGateway, startGateway } from '../../support/gateway/running-gateway.ts';
import type { TestMerchant } from '../../support/merchants/test-merchant.ts';
import { createTestDatabase, type TestDatabase } from '../../support/postgres/postgres.ts';
import { until } from '../../support/tools/until.ts';

let database: TestDatabase;
let gateway: RunningGateway;
let merchant: TestMerchant;

before(async () => {
  database = await createTestDatabase();
  await becomeUnknown();
  gateway = await startGateway({ database });
  merchant = await gateway.merchant();
});
after(async () => {
  await gateway.verifyAndStop();
  await database.close();
});

/** Makes the database contain only the lineages of the lost server. */
async function becomeUnknown(): Promise<void> {
  await database.pool.query('truncate database_lineages, rail_health');
  await database.pool.query(
    `insert into database_lineages values ('7/00000001', now(), 'worker 1', 'it is the first worker')`,
  );
}

const isSaid = () => gateway.log.filter((line) => line.includes('another server or timeline')).length;

it('a gateway on a database of unknown lineage does not send any payout', async () => {
  const accepted = await merchant.pay(1, 'waits');
  assert.equal(accepted['status'], 'Pending');
  await until('the worker reports the unknown lineage', () => isSaid() > 0);
  const { rows } = await database.pool.query(`select stage, attempts from payout_jobs where payout_id = 'waits'`);
  assert.deepEqual(rows, [{ stage: 'queued', attempts: 0 }]);
  const reports = await database.pool.query('select 1 from rail_health');
  assert.equal(reports.rowCount, 0, 'a report would count as the time of the backup');
  const asked = await gateway.operations.payouts.cancel({ merchantId: merchant.id, payoutId: 'waits' }, 'not wanted');
  assert.deepEqual(asked, { ok: false, error: 'recovering' });
});

it('payouts are sent once the operator confirms that no data is lost', async () => {
  const words = { by: 'Ann', reason: 'a planned failover' };
  assert.deepEqual(await gateway.operations.recovery.notNeeded(words), { ok: true, value: 'confirmed' });
  assert.deepEqual(await gateway.operations.recovery.notNeeded(words), { ok: true, value: 'known_already' });
  await merchant.final('waits');
});

it('a declared restore makes its lineage known', async () => {
  await becomeUnknown();
  assert.equal((await gateway.operations.recovery.lineage()).isKnown, false);
  const begun = await gateway.operations.recovery.begin({
    by: 'Ann',
    reason: 'backup of 03:00',
    knownUntil: null,
    skip: SKIPPED_NUMBERS,
  });
  assert.ok(begun.ok);
  assert.equal((await gateway.operations.recovery.lineage()).isKnown, true);
});
