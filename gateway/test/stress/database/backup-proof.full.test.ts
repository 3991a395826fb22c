/**
 * Backups while money moves: a base backup, the archived WAL, and a proof that both can be restored. Then the database is
 * restored to a chosen time, with each credit before that time.
 */
import assert from 'node:assert/strict';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import type { BackupProof } from '../../../src/domain/backup/backup-proof.ts';
import type { Backups } from '../../../src/domain/backup/backups.ts';
import { type Instant, systemClock } from '../../../src/foundation/clock.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { createBackups } from '../../../src/main/backup/create-backups.ts';
import type { Gateway } from '../../../src/main/compose/compose.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { openEmbeddedPostgres } from '../../../src/storage/embedded/embedded-postgres.ts';
import { migrate } from '../../../src/storage/migrations/migrate.ts';
import { addMerchant, configOf, credit, MASTER_KEY } from '../../support/gateway/running-gateway.ts';
import { openOffice } from '../../support/payouts/stress-scene.ts';
import { type RestorablePostgres, startRestorablePostgres } from '../../support/postgres/restorable-postgres.ts';
import { type CallbackReceiver, startCallbackReceiver } from '../../support/servers/callback-receiver.ts';
import { until } from '../../support/tools/until.ts';

const IS_FULL = process.env['TEST_FULL'] !== undefined;
const ROUNDS = IS_FULL ? 10 : 1;
/** The archive lags at most a second. A busy machine responds later. */
const LOST_AT_MOST_MS = 5_000;
const FUNDS_CENTS = 100;

interface Chosen {
  readonly time: Instant;
  /** The minimum and the maximum number of credits that a restore must contain. */
  readonly before: number;
  readonly atMost: number;
}

describe('a backup of a database in use', () => {
  let postgres: RestorablePostgres;
  let receiver: CallbackReceiver;
  let office: Gateway;
  let backups: Backups;
  let root: string;
  let folder: string;
  let following: Promise<void>;
  const stopping = new AbortController();
  const lines: string[] = [];
  /** The merchant's journals in commit order. */
  const credited: string[] = [];

  before(async () => {
    root = await mkdtemp(join(tmpdir(), 'backup-'));
    folder = join(root, 'kept');
    postgres = await startRestorablePostgres();
    // An earlier point-in-time restore leaves its target in this setting.
    await postgres.query("alter system set recovery_target_time = '2020-01-01'");
    await migrate(postgres.connection);
    receiver = await startCallbackReceiver();
    const variables = { DATABASE_URL: postgres.url, GATEWAY_MASTER_KEY: MASTER_KEY };
    office = await openOffice(variables);
    await addMerchant(office.operations, receiver, () => '', 'M1', { funds: { EUR: '1.00' } });
    credited.push('funding/start-EUR');
    backups = backupsOf(variables, (line) => lines.push(line));
    following = backups.follow(folder, stopping.signal);
  });

  after(async () => {
    stopping.abort();
    await following;
    await office.close();
    await receiver.close();
    await postgres.close();
    await rm(root, { recursive: true });
  });

  for (let round = 1; round <= ROUNDS; round++)
    it(`a backup of a database in use is proven, and restored without a lost or doubled credit (round ${round})`, async () => {
      const traffic = moveMoney(office, `round-${round}`, credited);
      await until('money moves', () => traffic.moved() > 5);
      await backups.take(folder, 2);
      const movedBefore = traffic.moved();
      await until('money moves after the backup', () => traffic.moved() > movedBefore + 5);
      const proof = await prove();
      assert.deepEqual(faultsOf(proof), { failure: null, broken: [], differing: [] });
      assert(proof.invariants > 20 && proof.accounts >= 2, JSON.stringify(proof));
      assert(proof.lostMs !== null && proof.lostMs <= LOST_AT_MOST_MS, `${proof.lostMs} ms were lost`);
      assert.deepEqual(await backups.proofs(1), [proof]);
      await assertRestored(await chooseTime(), join(root, `restored-${round}`));
      await traffic.stop();
    });

  /** Chooses a time between two credits, once the archive contains everything before it. */
  async function chooseTime(): Promise<Chosen> {
    const before = credited.length;
    await sleep(20);
    const time = Date.parse(await postgres.now());
    await sleep(20);
    // The next credit may be in flight.
    const chosen = { time, before, atMost: credited.length + 1 };
    const [written] = await postgres.query<{ lsn: string }>('select pg_current_wal_insert_lsn() as lsn');
    const archived = `select from pg_stat_replication where flush_lsn >= '${written?.lsn}'`;
    await until('the archive has the chosen time', async () => (await postgres.query(archived)).length > 0);
    return chosen;
  }

  /**
   * Restores into an embedded database. It must contain each credit before the chosen time exactly once, and no later credit.
   */
  async function assertRestored({ time, before, atMost }: Chosen, dataDirectory: string): Promise<void> {
    const elsewhere = backupsOf({ GATEWAY_DATA_DIR: dataDirectory, GATEWAY_MASTER_KEY: MASTER_KEY }, () => {});
    const { recoveredUntil } = await elsewhere.restore({ folder, target: null, until: time });
    assert(recoveredUntil !== null && recoveredUntil <= time, `${recoveredUntil}`);
    const { journals, available } = await readBooks(dataDirectory);
    const { length } = journals;
    assert(length >= before && length <= atMost, `${length} credits of ${before} to ${atMost} were restored`);
    assert.deepEqual(journals, credited.slice(0, length).sort());
    assert.equal(available, FUNDS_CENTS + length - 1);
    await assert.rejects(elsewhere.restore({ folder, target: null, until: null }), /already contains a database/);
  }

  it('a backup of a database in use archives the WAL without a gap', async () => {
    const { backups: kept, log } = await backups.list(folder);
    assert.deepEqual(
      lines.filter((line) => line.includes('interrupted')),
      [],
    );
    assert.equal(kept.length, Math.min(ROUNDS, 2));
    assert(log.segments > 0);
  });

  it('a proof names the credit that the archive lacks, even if it is seconds old', async () => {
    stopping.abort();
    await following;
    await credit(office.operations, 'M1', 'EUR', '0.01', 'not-archived');
    const proof = await prove();
    const lost = 'M1 funding/not-archived line 1: committed before the proof, and not restored';
    assert.deepEqual(faultsOf(proof), { failure: null, broken: [], differing: [lost] });
    assert(lines.some((line) => line.startsWith('The WAL archive ends before the beginning of the proof')));
  });

  it('a damaged base backup fails its proof', async () => {
    const { backups: kept } = await backups.list(folder);
    const archive = await open(join(folder, 'base', kept.at(-1)?.name ?? '', 'base.tar.gz'), 'r+');
    await archive.write(Buffer.alloc(64, 7), 0, 64, 500_000);
    await archive.close();
    const proof = await prove();
    assert.match(proof.failure ?? '', /base backup[\s\S]*Use another base backup/);
    assert.deepEqual(await backups.proofs(1), [proof]);
  });

  const prove = (): Promise<BackupProof> => backups.prove({ folder, programs: null, scratch: null });
});

function backupsOf(variables: EnvironmentVariables, onProgress: (line: string) => void): Backups {
  return createBackups({ config: configOf(variables), clock: systemClock, random: systemRandom, onProgress });
}

/** Credits a merchant with a cent repeatedly until it is stopped. Appends the journal of each completed credit. */
function moveMoney({ operations }: Gateway, name: string, credited: string[]) {
  const first = credited.length;
  let isOver = false;
  const moving = (async () => {
    while (!isOver) {
      const reference = `${name}-${credited.length}`;
      await credit(operations, 'M1', 'EUR', '0.01', reference);
      credited.push(`funding/${reference}`);
      await sleep(5);
    }
  })();
  return {
    moved: () => credited.length - first,
    async stop() {
      isOver = true;
      await moving;
    },
  };
}

function faultsOf({ failure, broken, differing }: BackupProof) {
  return { failure, broken, differing };
}

async function readBooks(dataDirectory: string): Promise<{ journals: string[]; available: number }> {
  const server = await openEmbeddedPostgres({ dataDirectory, log: () => {} });
  try {
    // The tables are in the database that the backed-up gateway used.
    const client = new pg.Client({ ...server.connectionConfig, database: 'postgres' });
    await client.connect();
    const journals = await client.query<{ journal_id: string }>('select journal_id from ledger_transfers');
    const balances = await client.query<{ balance: string }>(
      `select balance from ledger_accounts where merchant_id = 'M1' and currency = 'EUR' and account = 'available'`,
    );
    await client.end();
    return {
      journals: journals.rows.map(({ journal_id }) => journal_id).sort(),
      available: Number(balances.rows[0]?.balance),
    };
  } finally {
    await server.close();
  }
}
