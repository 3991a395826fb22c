/** The demo’s two weeks of payments, for tests of the pages as a user sees them. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDemoMerchant } from '../../../../demo/src/demo-merchant.ts';
import { readDemoSettings } from '../../../../demo/src/demo-settings.ts';
import { makeHistory } from '../../../../demo/src/history/make-history.ts';
import { SIMULATOR_PORTS } from '../../../../demo/test/demo-run.ts';
import type { Gateway } from '../../../src/main/compose/compose.ts';
import { freePort, MASTER_KEY } from '../../support/gateway/running-gateway.ts';
import type { TestDatabase } from '../../support/postgres/postgres.ts';
import { until } from '../../support/tools/until.ts';

/** Fills the database and returns the id of the demo’s merchant. */
export async function inventHistory(database: TestDatabase): Promise<string> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pictures-'));
  const ports = ['PORT', 'MANAGE_PORT', 'METRICS_PORT', ...SIMULATOR_PORTS].map((name) => [name, '0'] as const);
  const { config } = await readDemoSettings({
    ...Object.fromEntries(ports),
    PORT: String(await freePort()),
    GATEWAY_DATA_DIR: dataDir,
    DATABASE_URL: database.connectionString,
    GATEWAY_MASTER_KEY: MASTER_KEY,
  });
  let merchantId = '';
  await makeHistory({
    config,
    logTo: { write: () => {} },
    async openMerchant(operations: Gateway['operations']) {
      const merchant = await openDemoMerchant(operations, dataDir, 'http://127.0.0.1:9');
      merchantId = merchant.merchantId;
      return merchant;
    },
    until: Date.now(),
  });
  return merchantId;
}

/** Closes the ledger hours, as a running gateway would have: charts show only closed hours. */
export async function untilCounted({ pool }: Pick<TestDatabase, 'pool'>): Promise<void> {
  await until('the hours of the history are closed', async () => {
    const { rows } = await pool.query('select from payment_volumes where hour > now() - $1::interval', ['2 days']);
    return rows.length > 0 || undefined;
  });
}
