/**
 * Opens the parts that every process of the gateway needs: the database (embedded by default), the vault, the stores,
 * the rails. Serving and the CLI build on it.
 */
import { createExchangeLog } from '../../domain/exchanges/exchange-log.ts';
import { createMerchantDirectory } from '../../domain/merchants/cached-merchant-directory.ts';
import { type PayoutAtRail, payoutReference, referenceKeyFrom } from '../../domain/payouts/payout-order.ts';
import { createRailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import { type Recovery, UNDECLARED } from '../../domain/recovery/recovery.ts';
import { createSealer, createVault } from '../../domain/vault/create-vault.ts';
import { VAULT_RETENTION_MS } from '../../domain/vault/destroy-expired-records.ts';
import { openFingerprintKey } from '../../domain/vault/open-fingerprint-key.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import { keepFresh } from '../../foundation/keep-fresh.ts';
import type { Random } from '../../foundation/random.ts';
import type { Secret } from '../../foundation/secret.ts';
import { createActStore } from '../../storage/audit/act-store.ts';
import { createBatchStore } from '../../storage/batches/batch-store.ts';
import { createCallbackStore } from '../../storage/callbacks/callback-store.ts';
import { createConformanceStore } from '../../storage/conformance/conformance-store.ts';
import type { Database } from '../../storage/core/database.ts';
import { withPatientReads } from '../../storage/core/patient-reads.ts';
import { createDepositStore } from '../../storage/deposits/deposit-store.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createEventStore } from '../../storage/events/event-store.ts';
import { createExchangeStore } from '../../storage/exchanges/exchange-store.ts';
import { createClosingStore } from '../../storage/ledger/closing-store.ts';
import { createLedgerStore } from '../../storage/ledger/ledger-store.ts';
import { createVolumeStore } from '../../storage/ledger/volume-store.ts';
import { createListStore } from '../../storage/lists/list-store.ts';
import { createSearchStore } from '../../storage/lists/search-store.ts';
import { createMerchantStore } from '../../storage/merchants/merchant-store.ts';
import { createOverdueStore } from '../../storage/monitoring/overdue-store.ts';
import { createProcessStore } from '../../storage/monitoring/process-store.ts';
import { createAdjustmentStore } from '../../storage/payments/adjustments/adjustment-store.ts';
import { createDepositRecordStore } from '../../storage/payments/deposit-record-store.ts';
import { createPaymentStore } from '../../storage/payments/payment-store.ts';
import { createReceiptEmailStore } from '../../storage/payments/receipt-email-store.ts';
import { createApprovalStore } from '../../storage/payouts/approval/approval-store.ts';
import { createPayoutJobStore } from '../../storage/payouts/payout-job-store.ts';
import { createPayoutRecordStore } from '../../storage/payouts/payout-record-store.ts';
import { createPayoutStore } from '../../storage/payouts/payout-store.ts';
import { createTokenStore } from '../../storage/people/token-store.ts';
import { createPolicyStore } from '../../storage/proposals/policy-store.ts';
import { createProposalStore } from '../../storage/proposals/proposal-store.ts';
import { createRailHealthStore } from '../../storage/rails/rail-health-store.ts';
import { createReconciliationStore } from '../../storage/reconciliation/reconciliation-store.ts';
import { createLineageStore } from '../../storage/recovery/lineage-store.ts';
import { createRecoveryStore } from '../../storage/recovery/recovery-store.ts';
import { createRequestLogStore } from '../../storage/requests/request-log-store.ts';
import { createPauseStore } from '../../storage/routing/pause-store.ts';
import { createRouteStore } from '../../storage/routing/route-store.ts';
import { createStatementKeyStore } from '../../storage/statements/statement-key-store.ts';
import { createStatementStore } from '../../storage/statements/statement-store.ts';
import { createVaultStore } from '../../storage/vault/vault-store.ts';
import type { Config } from '../config/config.ts';
import { keyringFromSecret, openFileKeyring } from '../config/master-key.ts';
import type { Hooks } from '../observability/hooks.ts';
import { secretsIn, withExchangeLog } from '../observability/watch-exchanges.ts';
import type { Outside } from '../outside.ts';
import { createRefundRails } from './create-refund-rails.ts';
import { joinRails } from './join-rails.ts';

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

export type GatewayCore = Awaited<ReturnType<typeof openCore>>;

const MAX_BATCH = 128;
const MAX_QUEUED = 2_048;
/** A request that changes money waits in a queue and then for this. The sum stays well below a client's timeout. */
const QUERY_TIMEOUT_MS = 10_000;

export async function openCore(config: Config, options: CoreOptions) {
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
    const storesOver = (each: Database) => openStores(each, options, { vaultStore, sealer, referenceKey });
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
      /** Never stale: a process that cannot read it must not act as if the database was never restored. */
      recovery: keepFresh({ read: () => readRecovery(stores), clock }),
      /** Counts, for each rail, the provider's references that have no payout in the database. */
      unaccounted: kept('references without a payout', stores.recoveries.countUnaccounted),
      railChoice: createRailChoice({ rails: rails.payoutRails, table: routeTable, pauses, clock }),
      ...stores,
      /** The same stores over another database, such as one inside a transaction. */
      storesOver,
      /** The payout's reference at a rail, whether or not the database has the payout. */
      referenceOf: (payout: PayoutAtRail) => payoutReference(referenceKey, payout),
      /** The worker's rails of payouts and of refunds, each name once. */
      sendingRails: joinRails([...rails.payoutRails, ...createRefundRails(rails, stores)]),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** On an unknown lineage the database may be a restored one, whatever it contains about earlier recoveries. */
async function readRecovery({ recoveries, lineages }: ReturnType<typeof openStores>): Promise<Recovery | undefined> {
  const { isKnown } = await lineages.read();
  return isKnown ? recoveries.latest() : UNDECLARED;
}

interface OpenedVault {
  readonly vaultStore: ReturnType<typeof createVaultStore>;
  readonly sealer: ReturnType<typeof createSealer>;
  readonly referenceKey: Secret;
}

function openStores(
  database: Database,
  { clock, hooks }: CoreOptions,
  { vaultStore, sealer, referenceKey }: OpenedVault,
) {
  const merchants = createMerchantStore(database);
  const batches = { maxBatch: MAX_BATCH, maxQueued: MAX_QUEUED, onCommitted: hooks.onCommitted };
  const payouts = createPayoutStore(database, clock, { ...batches, vaultRetentionMs: VAULT_RETENTION_MS });
  return {
    vaultStore,
    merchants,
    conformance: createConformanceStore(database),
    directory: createMerchantDirectory({ store: merchants, sealer, clock, onProblem: hooks.onProblem }),
    payouts,
    deposits: createDepositStore(database, clock, batches),
    payments: createPaymentStore(database, clock),
    receipts: createReceiptEmailStore(database),
    adjustments: createAdjustmentStore(database),
    depositRecords: createDepositRecordStore(database),
    jobs: createPayoutJobStore(database, clock, referenceKey),
    overdue: createOverdueStore(database),
    payoutRecords: createPayoutRecordStore(database),
    approvals: createApprovalStore(database),
    ledger: createLedgerStore(database, clock),
    closings: createClosingStore(database),
    volumes: createVolumeStore(database),
    statements: createStatementStore(database),
    statementKeys: createStatementKeyStore(database),
    callbacks: createCallbackStore(database),
    pauses: createPauseStore(database),
    routes: createRouteStore(database),
    reconciliations: createReconciliationStore(database),
    recoveries: createRecoveryStore(database),
    lineages: createLineageStore(database),
    differences: createDifferenceStore(database),
    railHealth: createRailHealthStore(database),
    processes: createProcessStore(database),
    tokens: createTokenStore(database),
    acts: createActStore(database),
    lists: createListStore(database),
    searchStore: createSearchStore(database),
    events: createEventStore(database),
    batches: createBatchStore(database),
    policies: createPolicyStore(database),
    proposals: createProposalStore(database),
    requests: createRequestLogStore(database),
  };
}
