/** Opens the stores of the gateway over PostgreSQL. */
import { createMerchantDirectory } from '../../domain/merchants/cached-merchant-directory.ts';
import type { Sealer } from '../../domain/vault/create-vault.ts';
import { VAULT_RETENTION_MS } from '../../domain/vault/destroy-expired-records.ts';
import type { VaultStore } from '../../domain/vault/vault-store.ts';
import type { Clock } from '../../foundation/clock.ts';
import type { Secret } from '../../foundation/secret.ts';
import { createActStore } from '../../storage/audit/act-store.ts';
import { createBatchStore } from '../../storage/batches/batch-store.ts';
import { createCallbackStore } from '../../storage/callbacks/callback-store.ts';
import { createConformanceStore } from '../../storage/conformance/conformance-store.ts';
import type { Database } from '../../storage/core/database.ts';
import { createDepositStore } from '../../storage/deposits/deposit-store.ts';
import { createDifferenceStore } from '../../storage/differences/difference-store.ts';
import { createEventStore } from '../../storage/events/event-store.ts';
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
import type { Hooks } from '../observability/hooks.ts';
import type { Stores } from './gateway-core.ts';

const MAX_BATCH = 128;
const MAX_QUEUED = 2_048;

interface StoreParts {
  readonly clock: Clock;
  readonly hooks: Pick<Hooks, 'onProblem' | 'onCommitted'>;
  readonly vaultStore: VaultStore;
  readonly sealer: Sealer;
  readonly referenceKey: Secret;
}

/** Opens the stores over a database, or over a transaction of it. */
export function openStores(database: Database, { clock, hooks, vaultStore, sealer, referenceKey }: StoreParts): Stores {
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
