/**
 * The setup for SPEI tests: a complete gateway, STP's simulator, and controlled time. A test starts the hourly reconciliation
 * itself, and can create a deposit as if it were days old.
 */
import type pg from 'pg';
import { HOUR_MS, SECOND_MS } from '../../../src/foundation/clock.ts';
import { type Gateway, openGateway } from '../../../src/main/compose/compose.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { lockKey } from '../../../src/storage/core/advisory-locks.ts';
import { configOf, freePort, type RunningGateway, startGateway } from '../gateway/running-gateway.ts';
import { type CreatedDeposit, createTestMerchant, type TestMerchant } from '../merchants/test-merchant.ts';
import type { TestDatabase } from '../postgres/postgres.ts';
import { type StpUnderControl, startStpUnderControl } from '../rails/stp-under-control.ts';
import { until } from '../tools/until.ts';
import { createPastClock, createWokenClock } from '../tools/woken-clock.ts';

/** The state of a deposit in the merchant's list. */
export type ListedState = 'pending' | 'success' | 'fail';

/** An incoming transfer as the gateway recorded it. */
export interface KeptTransfer {
  readonly merchant_id: string;
  readonly state: string;
  readonly mismatch: string | null;
  readonly found_by: string;
  /** The amount in minor units. */
  readonly amount: string;
  readonly transfer_key: string;
}

export interface SpeiStage {
  readonly gateway: RunningGateway;
  readonly stp: StpUnderControl;
  /** Creates a deposit `msAgo` in the past, through a temporary API process on the same database. */
  depositOfThePast(merchant: TestMerchant, order: string, msAgo: number): Promise<CreatedDeposit>;
  /** Expires overdue deposits immediately. */
  expire(): void;
  /** Resolves when a reconciliation that began after this call has completed, and none is running. */
  reconcile(): Promise<void>;
  state(merchant: TestMerchant, order: string): Promise<ListedState | undefined>;
  /** Waits until `count` transfers to the CLABE are recorded. Returns them in the order of their records. */
  transfersTo(clabe: string, count?: number): Promise<readonly KeptTransfer[]>;
  /** Returns the balance of a merchant's account in MXN, in minor units. */
  account(merchantId: string, account: 'available' | 'suspense' | 'fees'): Promise<bigint>;
  verifyAndStop(): Promise<void>;
}

/** The gateway's default interval. If a test times out here, it has changed. */
const EXPIRE_EVERY_MS = 10 * SECOND_MS;
const RECONCILE_EVERY_MS = HOUR_MS;

/** `database` is a database that survives the stage. */
export async function startSpeiStage(
  variables: EnvironmentVariables = {},
  database?: TestDatabase,
): Promise<SpeiStage> {
  const port = Number(variables['PORT'] ?? (await freePort()));
  const stp = await startStpUnderControl(`http://127.0.0.1:${port}/rail-notifications/stp`);
  const clock = createWokenClock();
  let daysReconciled = 0;
  const shared = { ...stp.variables, ...variables };
  const gateway = await startGateway({
    variables: { ...shared, PORT: String(port) },
    clock,
    ...(database ? { database } : {}),
    watch: { onReconciled: () => void daysReconciled++ },
  });
  const { pool } = gateway.database;
  const untilIdle = () => until('no reconciliation runs', () => isIdle(pool));
  // The gateway starts with a reconciliation, which must not find payments that a test expects as notifications.
  await until('the first reconciliation has begun', () => daysReconciled > 0);
  await untilIdle();
  return {
    gateway,
    stp,
    expire: () => clock.wake(EXPIRE_EVERY_MS),
    async depositOfThePast(merchant, order, msAgo) {
      const past = await openPast(gateway, shared, msAgo);
      const serving = await past.serve('api');
      try {
        return await createTestMerchant(() => serving.url ?? '', merchant.id, merchant.key).deposit(order);
      } finally {
        await serving.stop();
        await past.close();
      }
    },
    async reconcile() {
      await untilIdle();
      const before = daysReconciled;
      await until('a reconciliation has begun', () => {
        if (daysReconciled > before) return true;
        clock.wake(RECONCILE_EVERY_MS);
        return false;
      });
      await untilIdle();
    },
    async state(merchant, order) {
      const [listed] = await merchant.list('MXN', { type: 'deposit', order });
      return listed?.['status'] as ListedState | undefined;
    },
    transfersTo: (clabe, count = 1) =>
      until(`${count} transfers to ${clabe} are kept`, async () => {
        const { rows } = await pool.query<KeptTransfer>(
          `select merchant_id, state, mismatch, found_by, amount::text, transfer_key from incoming_transfers
           where pay_to = $1 order by recorded_at, transfer_key`,
          [clabe],
        );
        return rows.length >= count && rows;
      }),
    async account(merchantId, account) {
      const { rows } = await pool.query(
        `select balance from ledger_accounts where merchant_id = $1 and currency = 'MXN' and account = $2`,
        [merchantId, account],
      );
      return BigInt(rows[0]?.balance ?? 0);
    },
    async verifyAndStop() {
      await stp.close();
      await gateway.verifyAndStop();
    },
  };
}

/** True if no gateway holds the lock of the reconciliation. */
async function isIdle(pool: pg.Pool): Promise<boolean> {
  const { rowCount } = await pool.query(
    `select from pg_locks where locktype = 'advisory' and database = (select oid from pg_database where datname = current_database())
       and (classid::bigint << 32) | objid::bigint = ${lockKey('work', '$1')}`,
    ['reconcile the transfers of stp'],
  );
  return rowCount === 0;
}

function openPast(gateway: RunningGateway, variables: EnvironmentVariables, msAgo: number): Promise<Gateway> {
  const config = configOf({ ...variables, DATABASE_URL: gateway.database.connectionString, PORT: '0' });
  return openGateway(config, { clock: createPastClock(msAgo), logTo: { write: () => {} } });
}
