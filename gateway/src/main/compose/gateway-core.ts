/** The parts that every process of the gateway has, by subject. open-core.ts opens them. */

import type { ActStore } from '../../domain/audit/act-store.ts';
import type { BatchStore } from '../../domain/batches/batch-store.ts';
import type { CallbackStore } from '../../domain/callbacks/callback-store.ts';
import type { ConformanceStore } from '../../domain/conformance/conformance-store.ts';
import type { DifferenceStore } from '../../domain/differences/difference-store.ts';
import type { EventStore } from '../../domain/events/event-store.ts';
import type { ExchangeStore } from '../../domain/exchanges/exchange-store.ts';
import type { ClosingStore } from '../../domain/ledger/closing-store.ts';
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts';
import type { VolumeStore } from '../../domain/ledger/volume-store.ts';
import type { ListStore } from '../../domain/lists/list-store.ts';
import type { SearchStore } from '../../domain/lists/search-store.ts';
import type { MerchantDirectory } from '../../domain/merchants/merchant-directory.ts';
import type { MerchantStore } from '../../domain/merchants/merchant-store.ts';
import type { OverdueStore } from '../../domain/monitoring/overdue-store.ts';
import type { ProcessStore } from '../../domain/monitoring/process-store.ts';
import type { AdjustmentStore } from '../../domain/payments/adjustments/adjustment-store.ts';
import type { DepositRecordStore } from '../../domain/payments/deposit-record-store.ts';
import type { PaymentStore } from '../../domain/payments/payment-store.ts';
import type { ReceiptEmailStore } from '../../domain/payments/receipt-email-store.ts';
import type { ApprovalStore } from '../../domain/payouts/approval/approval-store.ts';
import type { PayoutJobStore } from '../../domain/payouts/payout-job-store.ts';
import type { ReferenceOf } from '../../domain/payouts/payout-order.ts';
import type { PayoutRail } from '../../domain/payouts/payout-rail.ts';
import type { PayoutRecordStore } from '../../domain/payouts/payout-record-store.ts';
import type { RailChoice } from '../../domain/payouts/rail-choice/rail-choice.ts';
import type { TokenStore } from '../../domain/people/token-store.ts';
import type { PolicyStore } from '../../domain/proposals/policy-store.ts';
import type { ProposalStore } from '../../domain/proposals/proposal-store.ts';
import type { RailHealthStore } from '../../domain/rails/rail-health-store.ts';
import type { ReconciliationStore } from '../../domain/reconciliation/reconciliation-store.ts';
import type { LineageStore } from '../../domain/recovery/lineage-store.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import type { RailReference, RecoveryStore } from '../../domain/recovery/recovery-store.ts';
import type { RequestLogStore } from '../../domain/requests/request-log-store.ts';
import type { PauseStore } from '../../domain/routing/pause-store.ts';
import type { RouteStore, RouteTable } from '../../domain/routing/route-store.ts';
import type { StatementKeyStore } from '../../domain/statements/statement-key-store.ts';
import type { StatementStore } from '../../domain/statements/statement-store.ts';
import type { Keyring, Sealer } from '../../domain/vault/create-vault.ts';
import type { Vault } from '../../domain/vault/vault.ts';
import type { VaultStore } from '../../domain/vault/vault-store.ts';
import type { Clock, Instant } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { Rails } from '../../rails/registry.ts';
import type { Database } from '../../storage/core/database.ts';
import type { PostgresDepositStore } from '../../storage/deposits/deposit-store.ts';
import type { PostgresPayoutStore } from '../../storage/payouts/payout-store.ts';
import type { Config } from '../config/config.ts';
import type { FileKeyring } from '../config/master-key.ts';
import type { Outside } from '../outside.ts';
import type { OpenConnection } from './open-connection.ts';

export interface GatewayCore extends Surroundings, OpenDatabase, Secrets, RailParts, Stores {
  close(): Promise<void>;
}

interface Surroundings {
  readonly config: Config;
  readonly clock: Clock;
  /** True if the clock deliberately differs from the database's, as in a sandbox world. */
  readonly clockIsSteered: boolean;
  readonly random: Random;
  readonly outside: Outside;
}

interface OpenDatabase {
  readonly database: Database;
  readonly connection: OpenConnection['connection'];
  readonly databaseFolder: OpenConnection['folder'];
  readonly databaseDeleted: OpenConnection['deleted'];
  /** The same stores over another database, such as one inside a transaction. */
  storesOver(database: Database): Stores;
}

interface Secrets {
  readonly keyring: Keyring | FileKeyring;
  readonly sealer: Sealer;
  readonly vault: Vault;
  readonly fingerprintKey: Secret;
}

interface RailParts {
  readonly rails: Rails;
  /** The worker's rails of payouts and of refunds, each name once. */
  readonly sendingRails: readonly PayoutRail[];
  readonly railChoice: RailChoice;
  /** Up to date within a second, and the last known one while the database cannot be read. */
  readonly routeTable: () => Promise<RouteTable>;
  readonly exchanges: ExchangeStore;
  /** The payout's reference at a rail, whether or not the database has the payout. */
  readonly referenceOf: ReferenceOf;
  /** The providers have no records of payments before this time. If null, they have all records. */
  readonly booksSince: Instant | null;
  /** Never stale: a process that cannot read it must not act as if the database was never restored. */
  readonly recovery: () => Promise<Recovery | undefined>;
  /**
   * Returns the subset of these references that a provider listed without a payout here. In a gateway that was never restored,
   * it queries the directory only if a recent count found entries. After a restore, it queries each time: a recovery can complete
   * right after the lists were compared, and merchants repeat payouts then.
   */
  unaccounted(references: () => readonly RailReference[]): Promise<readonly RailReference[]>;
}

export interface Stores
  extends MerchantStores,
    PayoutStores,
    DepositStores,
    LedgerStores,
    RailStores,
    RecoveryStores,
    TeamStores,
    ListStores {}

interface MerchantStores {
  readonly merchants: MerchantStore;
  readonly directory: MerchantDirectory;
  readonly callbacks: CallbackStore;
  readonly conformance: ConformanceStore;
  readonly requests: RequestLogStore;
}

interface PayoutStores {
  readonly payouts: PostgresPayoutStore;
  readonly jobs: PayoutJobStore;
  readonly payoutRecords: PayoutRecordStore;
  readonly approvals: ApprovalStore;
  readonly batches: BatchStore;
  readonly vaultStore: VaultStore;
}

interface DepositStores {
  readonly deposits: PostgresDepositStore;
  readonly payments: PaymentStore;
  readonly adjustments: AdjustmentStore;
  readonly depositRecords: DepositRecordStore;
  readonly receipts: ReceiptEmailStore;
}

interface LedgerStores {
  readonly ledger: LedgerStore;
  readonly closings: ClosingStore;
  readonly volumes: VolumeStore;
  readonly statements: StatementStore;
  readonly statementKeys: StatementKeyStore;
}

interface RailStores {
  readonly routes: RouteStore;
  readonly pauses: PauseStore;
  readonly railHealth: RailHealthStore;
  readonly reconciliations: ReconciliationStore;
  readonly differences: DifferenceStore;
}

interface RecoveryStores {
  readonly recoveries: RecoveryStore;
  readonly lineages: LineageStore;
}

interface TeamStores {
  readonly tokens: TokenStore;
  readonly acts: ActStore;
  readonly policies: PolicyStore;
  readonly proposals: ProposalStore;
}

interface ListStores {
  readonly lists: ListStore;
  readonly searchStore: SearchStore;
  readonly events: EventStore;
  readonly overdue: OverdueStore;
  readonly processes: ProcessStore;
}
