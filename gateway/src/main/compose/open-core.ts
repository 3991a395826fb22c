/**
 * Opens the parts that every process of the gateway needs: the database (embedded by default), the vault, the stores,
 * the rails. Serving and the CLI build on it.
 */
import { createExchangeLog } from '../../domain/exchanges/exchange-log.ts';
import { type PayoutAtRail, payoutReference, referenceKeyFrom } from '../../domain/payouts/payout-order.ts';
import { createRailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import { type Recovery, UNDECLARED } from '../../domain/recovery/recovery.ts';
import { createSealer, createVault } from '../../domain/vault/create-vault.ts';
import { openFingerprintKey } from '../../domain/vault/open-fingerprint-key.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { keepFresh } from '../../foundation/keep-fresh.ts';
import type { Random } from '../../foundation/random.ts';
import type { Database } from '../../storage/core/database.ts';
import { withPatientReads } from '../../storage/core/patient-reads.ts';
import { createExchangeStore } from '../../storage/exchanges/exchange-store.ts';
import { createVaultStore } from '../../storage/vault/vault-store.ts';
import type { Config } from '../config/config.ts';
import { keyringFromSecret, openFileKeyring } from '../config/master-key.ts';
import type { Hooks } from '../observability/hooks.ts';
import { secretsIn, withExchangeLog } from '../observability/watch-exchanges.ts';
import type { Outside } from '../outside.ts';
import { createRefundRails } from './create-refund-rails.ts';
import type { GatewayCore, Stores } from './gateway-core.ts';
import { joinRails } from './join-rails.ts';
import { openStores } from './open-stores.ts';

export interface CoreOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly outside: Outside;
  /** True if the clock deliberately differs from the database's, as in a sandbox world. */
  readonly clockIsSteered?: boolean;
  /** Watches the pool of the database. */
  readonly watchDatabase?: (database: Database) => Database;
  /** Called with one line for each slow step of the start (the embedded database, migrations). */
  readonly onProgress: (line: string) => void;
  /** The providers have no records of payments before this time. If null, they have all records. */
  readonly booksSince: Instant | null;
  readonly hooks: Pick<Hooks, 'onProblem' | 'onConnectionLost' | 'onCredentialRefused' | 'onCommitted'>;
}

/** A request that changes money waits in a queue and then for this. The sum stays well below a client's timeout. */
const QUERY_TIMEOUT_MS = 10_000;

export async function openCore(config: Config, options: CoreOptions): Promise<GatewayCore> {
  const { clock, random, hooks, outside } = options;
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const step of closing.splice(0).reverse()) await step();
  };
  try {
    const found = await outside.openConnection(config, options.onProgress);
    const { connection } = found;
    closing.push(found.close);
    const pool = outside.openDatabase(connection, {
      poolSize: config.databasePoolSize,
      queryTimeoutMs: QUERY_TIMEOUT_MS,
      onConnectionLost: hooks.onConnectionLost,
    });
    const database = withPatientReads(options.watchDatabase?.(pool) ?? pool, clock);
    closing.push(() => database.close());
    const keyring = config.masterKey
      ? keyringFromSecret(config.masterKey)
      : openFileKeyring(config.dataDir, clock, random);
    const sealer = createSealer(keyring, random);
    const vaultStore = createVaultStore(database);
    const fingerprintKey = await openFingerprintKey(vaultStore, sealer, random);
    const vault = createVault(keyring, fingerprintKey, random);
    const referenceKey = referenceKeyFrom(fingerprintKey);
    const exchanges = createExchangeStore(database);
    const exchangeLog = createExchangeLog({ store: exchanges, clock, random, secrets: secretsIn(config.rails) });
    const connected = outside.createRails(config.rails, { hooks, clock, random });
    const rails = withExchangeLog(connected, exchangeLog, clock);
    closing.push(exchangeLog.close, () => rails.close());
    const storesOver = (each: Database) => openStores(each, { clock, hooks, vaultStore, sealer, referenceKey });
    const stores = storesOver(database);
    const kept = <Value>(what: string, read: () => Promise<Value>) =>
      keepFresh({
        read,
        clock,
        onFailed: (error) =>
          hooks.onProblem(`the ${what} could not be read; the last known ${what} stay in force`, error),
      });
    const routeTable = kept('routes', stores.routes.read);
    const pauses = kept('pauses', stores.pauses.list);
    const recovery = keepFresh({ read: () => readRecovery(stores), clock });
    const countUnaccounted = kept('references without a payout', stores.recoveries.countUnaccounted);
    return {
      config,
      clock,
      clockIsSteered: options.clockIsSteered ?? false,
      random,
      outside,
      booksSince: options.booksSince,
      connection,
      databaseFolder: found.folder,
      databaseDeleted: found.deleted,
      database,
      keyring,
      sealer,
      vault,
      fingerprintKey,
      rails,
      exchanges,
      routeTable,
      recovery,
      async unaccounted(references) {
        const isQueried = (await recovery()) !== undefined || (await countUnaccounted()).size > 0;
        return isQueried ? stores.recoveries.unaccounted(references()) : [];
      },
      railChoice: createRailChoice({ rails: rails.payoutRails, table: routeTable, pauses, clock }),
      ...stores,
      storesOver,
      referenceOf: (payout: PayoutAtRail) => payoutReference(referenceKey, payout),
      sendingRails: joinRails([...rails.payoutRails, ...createRefundRails(rails, stores)]),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** On an unknown lineage the database may be a restored one, whatever it contains about earlier recoveries. */
async function readRecovery({ recoveries, lineages }: Stores): Promise<Recovery | undefined> {
  const { isKnown } = await lineages.read();
  return isKnown ? recoveries.latest() : UNDECLARED;
}
