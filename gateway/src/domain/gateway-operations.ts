/** Every operation that operators need from a gateway. main/ implements it; tests may substitute their own. */

import type { Instant } from '../foundation/clock.ts';
import type { Currency } from '../foundation/currency.ts';
import type { MerchantId } from '../foundation/identifiers.ts';
import type { Result } from '../foundation/result.ts';
import type { Secret } from '../foundation/secret.ts';
import type { WithParts } from '../foundation/with-parts.ts';
import type { ActStore } from './audit/act-store.ts';
import type { ActorNames } from './audit/actor.ts';
import type { BatchKey, Submitter } from './batches/batch.ts';
import type { BatchStore } from './batches/batch-store.ts';
import type { uploadBatch } from './batches/upload-batch.ts';
import type { CallbackKey, CallbackPace, CallbackRecord, FailingLane } from './callbacks/callback-store.ts';
import type { CallbackExplanation } from './callbacks/explain-callback.ts';
import type { resendCallback, resendUndelivered } from './callbacks/resend-callback.ts';
import type { sendTestCallback } from './callbacks/send-test-callback.ts';
import type { ConformanceRun } from './conformance/conformance-run.ts';
import type { recordConformance } from './conformance/record-conformance.ts';
import type { resolveTransfer } from './deposits/resolve-transfer.ts';
import type { returnTransfer } from './deposits/return-transfer.ts';
import type { DifferenceStore } from './differences/difference-store.ts';
import type { resolveDifference } from './differences/resolve-difference.ts';
import type { EventStore } from './events/event-store.ts';
import type { ExchangeStore } from './exchanges/exchange-store.ts';
import type { moveFunds } from './ledger/fund-merchant.ts';
import type { BalanceHistory, BalancesAt, PostedJournal, TrialBalance } from './ledger/ledger-store.ts';
import type { Balances } from './ledger/transfer.ts';
import type { VolumeQuery, Volumes } from './ledger/volume.ts';
import type { FindOrder, Found } from './lists/find-payments.ts';
import type { ListStore } from './lists/list-store.ts';
import type { MerchantApplication, MerchantWithNewKeys } from './merchants/create-merchant.ts';
import type { MerchantEdit } from './merchants/edit-merchant.ts';
import type { Merchant } from './merchants/merchant.ts';
import type { MerchantRejection } from './merchants/merchant-rejection.ts';
import type { StoredKey } from './merchants/merchant-store.ts';
import type { KeyRotation, RotatedKey } from './merchants/rotate-merchant-key.ts';
import type { InvariantReport } from './monitoring/invariant-report.ts';
import type { FindLatePayouts, OverduePayment, OverduePayout } from './monitoring/overdue-store.ts';
import type { FindPace } from './monitoring/pace.ts';
import type { QueueStatistics } from './monitoring/queue-statistics.ts';
import type { RailSummary, RunningProcess } from './monitoring/running-process.ts';
import type { refundDeposit } from './payments/adjustments/refund-deposit.ts';
import type { endAttempts } from './payments/attempts/end-attempts.ts';
import type { findDepositObstacles } from './payments/deposit-obstacles.ts';
import type { HeldTransfer } from './payments/deposit-record-store.ts';
import type { findExplainedDeposit } from './payments/find-explained-deposit.ts';
import type { ApprovalStore } from './payouts/approval/approval-store.ts';
import type { approvePayout } from './payouts/approval/approve-payout.ts';
import type { cancelPayout } from './payouts/cancel-payout.ts';
import type { checkPayout, createPayout } from './payouts/create-payout.ts';
import type { findExplainedPayout } from './payouts/find-explained-payout.ts';
import type { findPayoutObstacles } from './payouts/payout-obstacles.ts';
import type { resolvePayout } from './payouts/resolve-payout.ts';
import type { InvitationOrder, Invited, TeamRejection } from './people/team/team.ts';
import type { ApiToken, StoredToken } from './people/tokens/api-token.ts';
import type { IssuedToken, TokenOrder } from './people/tokens/issue-token.ts';
import type { PolicyStore } from './proposals/policy-store.ts';
import type { ProposalStore } from './proposals/proposal-store.ts';
import type { RailFloat, RailHealth } from './rails/rail-health.ts';
import type { RailFinding, RailSetup } from './rails/rail-setup.ts';
import type { AnsweredPayout, NamedPayout } from './reconciliation/ask-named-payouts.ts';
import type { askPayout } from './reconciliation/ask-payout.ts';
import type { ReconciledDay } from './reconciliation/reconcile-payouts.ts';
import type { TransferReconciliation } from './reconciliation/reconcile-transfers.ts';
import type { ReconciliationStore } from './reconciliation/reconciliation-store.ts';
import type { beginRecovery } from './recovery/begin-recovery.ts';
import type { completeRecovery } from './recovery/complete-recovery.ts';
import type { confirmLineage } from './recovery/confirm-lineage.ts';
import type { Lineage } from './recovery/lineage-store.ts';
import type { RailProgress } from './recovery/rail-progress.ts';
import type { Recovery } from './recovery/recovery.ts';
import type { releaseAfterRestore } from './recovery/release-after-restore.ts';
import type { RequestKey } from './requests/logged-request.ts';
import type { RequestLogStore } from './requests/request-log-store.ts';
import type { checkRoute, removeRoute, setHours, setRoute } from './routing/edit-routes.ts';
import type { Pause, PauseScope } from './routing/pause-store.ts';
import type { replayRoutes } from './routing/replay/replay-routes.ts';
import type { RouteTable } from './routing/route-store.ts';
import type { SignatureFinding } from './signature-doctor/examination.ts';
import type { WriteStatement } from './statements/statement-file.ts';
import type { PublicStatementKey } from './statements/statement-key-store.ts';
import type { MasterKeyState, RotationProgress, RotationReport } from './vault/rotate-master-key.ts';

/** A merchant with its keys and balances. The keys have their dates but not their secrets. */
export interface MerchantRecord {
  readonly merchant: Merchant;
  readonly keys: readonly Omit<StoredKey, 'sealed'>[];
  readonly balances: ReadonlyMap<Currency, Balances>;
  readonly conformance: ConformanceRun | null;
}

interface ExplainedCallback extends CallbackRecord {
  /** Undefined if the callback waits for nothing. */
  readonly explanation: CallbackExplanation | undefined;
}

export interface GatewayOperations {
  readonly merchants: {
    create(application: MerchantApplication): Promise<Result<MerchantWithNewKeys, MerchantRejection>>;
    edit(merchantId: MerchantId, edit: MerchantEdit): Promise<Result<Merchant, MerchantRejection>>;
    activate(merchantId: MerchantId): Promise<Result<Merchant, MerchantRejection>>;
    suspend(merchantId: MerchantId): Promise<Result<Merchant, MerchantRejection>>;
    rotateKey(merchantId: MerchantId, rotation: KeyRotation): Promise<Result<RotatedKey, MerchantRejection>>;
    find(merchantId: MerchantId): Promise<MerchantRecord | undefined>;
    list(): Promise<readonly Merchant[]>;
    readonly recordConformance: WithParts<typeof recordConformance>;
  };
  readonly funds: {
    readonly move: WithParts<typeof moveFunds>;
  };
  readonly ledger: {
    /** Returns the balances from all postings before `at`, or undefined if the merchant does not exist. */
    balancesAt(merchantId: MerchantId, at: Instant): Promise<BalancesAt | undefined>;
    /** Returns the balances at each of these full hours that is closed, or undefined if the merchant does not exist. */
    balanceHistory(merchantId: MerchantId, points: readonly Instant[]): Promise<BalanceHistory | undefined>;
    /** Returns the balances of all merchants together, from all postings before `at`. */
    trialBalance(at: Instant): Promise<TrialBalance>;
    /** Returns undefined if the merchant has no such journal. */
    journal(merchantId: MerchantId, journalId: string): Promise<PostedJournal | undefined>;
    /** Counts the payments of closed hours. */
    volumes(query: VolumeQuery): Promise<Volumes>;
  };
  readonly statements: {
    readonly write: WriteStatement;
    /** Returns the newest key first. */
    keys(): Promise<readonly PublicStatementKey[]>;
    /** Creates the first key if there is none, so that the operator can publish its public part before the first statement. */
    makeFirstKey(): Promise<void>;
    rotateKey(): Promise<PublicStatementKey>;
  };
  readonly tokens: {
    issue(order: TokenOrder): Promise<Result<IssuedToken, 'merchant_not_found'>>;
    /** If `merchantId` is null, the list contains the tokens of the operator and of all merchants. */
    list(merchantId: MerchantId | null): Promise<readonly ApiToken[]>;
    find(tokenId: string): Promise<StoredToken | undefined>;
    /** Returns undefined if no such token exists. */
    revoke(tokenId: string): Promise<ApiToken | undefined>;
  };
  readonly people: {
    /** The gateway itself invites users until the first user can sign in. */
    invite(order: InvitationOrder): Promise<Result<Invited, TeamRejection>>;
    /** Returns the link for the first administrator. Undefined if one exists or was already invited. */
    firstAdministrator(): Promise<Secret | undefined>;
    readonly actorNames: ActorNames;
  };
  readonly audit: {
    /** The entries of the audit log, newest first. */
    readonly list: ActStore['list'];
    /** The newest entry of each chain, by merchant. */
    readonly heads: ActStore['heads'];
    /** Checks the chains of the audit log only. */
    verify(): Promise<readonly InvariantReport[]>;
  };
  readonly payouts: {
    /** Payouts that are pending past their deadline, the longest overdue first. */
    overdue(limit: number): Promise<readonly OverduePayout[]>;
    readonly late: FindLatePayouts;
    readonly find: WithParts<typeof findExplainedPayout>;
    /** Payouts that wait for approval, earliest deadline first. */
    readonly awaiting: ApprovalStore['awaiting'];
    readonly approve: WithParts<typeof approvePayout>;
    readonly cancel: WithParts<typeof cancelPayout>;
    readonly resolve: WithParts<typeof resolvePayout>;
    /** Queries the provider now. */
    readonly ask: WithParts<typeof askPayout>;
    readonly obstacles: WithParts<typeof findPayoutObstacles>;
  };
  readonly newPayouts: {
    readonly create: WithParts<typeof createPayout>;
    readonly check: WithParts<typeof checkPayout>;
  };
  readonly batches: Pick<BatchStore, 'find' | 'findByPayout' | 'list' | 'rows'> & {
    readonly upload: WithParts<typeof uploadBatch>;
    submit(key: BatchKey, submitter: Submitter): Promise<boolean>;
    cancel(key: BatchKey, actor: string): Promise<number | undefined>;
  };
  readonly policies: PolicyStore;
  readonly proposals: ProposalStore;
  readonly lists: ListStore & { find(order: FindOrder): Promise<readonly Found[]> };
  readonly events: EventStore;
  readonly deposits: {
    readonly find: WithParts<typeof findExplainedDeposit>;
    /** Transfers that wait for the operator, oldest first. */
    held(limit: number): Promise<readonly HeldTransfer[]>;
    /** Payment attempts without an outcome by their deadline, the longest overdue first. */
    overdue(limit: number): Promise<readonly OverduePayment[]>;
    readonly resolve: WithParts<typeof resolveTransfer>;
    readonly returnTransfer: WithParts<typeof returnTransfer>;
    readonly refund: WithParts<typeof refundDeposit>;
    readonly endAttempts: WithParts<typeof endAttempts>;
    readonly obstacles: WithParts<typeof findDepositObstacles>;
  };
  readonly pauses: {
    list(): Promise<readonly Pause[]>;
    /** Returns false if the target was paused already. */
    pause(scope: PauseScope, target: string, reason: string): Promise<boolean>;
    /** Returns how many payouts continue, or undefined if nothing was paused. */
    resume(scope: PauseScope, target: string): Promise<number | undefined>;
  };
  readonly callbacks: {
    find(key: CallbackKey): Promise<ExplainedCallback | undefined>;
    /** Returns the merchants whose server fails, those that have waited longest first. */
    failing(): Promise<readonly FailingLane[]>;
    /** Returns the delivery attempts of the last hours. */
    pace(merchantId: MerchantId, hours: number): Promise<CallbackPace>;
    readonly resend: WithParts<typeof resendCallback>;
    readonly resendUndelivered: WithParts<typeof resendUndelivered>;
    readonly test: WithParts<typeof sendTestCallback>;
  };
  readonly requests: Pick<RequestLogStore, 'find'> & {
    /**
     * Finds the mistakes in the signatures of a logged request. Returns undefined if the log does not contain its exact bytes.
     */
    explain(key: RequestKey, showsPersonal: boolean): Promise<readonly SignatureFinding[] | undefined>;
  };
  readonly reconciliation: {
    /** The rails whose provider has a list or status queries for single payouts. */
    readonly rails: readonly string[];
    days: ReconciliationStore['listDays'];
    /**
     * Compares that day now. Resolves to undefined if the rail cannot be compared. Rejects if the provider does not return a
     * complete response.
     */
    run(rail: string, day: string): Promise<ReconciledDay | undefined>;
    /**
     * Records the transfers that the rail's own lists contain and no notification reported. Resolves to undefined if the rail
     * has no such lists.
     */
    transfers(rail: string): Promise<readonly TransferReconciliation[] | undefined>;
    /** Queries the rail about each payout, even an unknown one. Undefined if the rail carries no payouts. */
    ask(rail: string, named: readonly NamedPayout[]): Promise<readonly AnsweredPayout[] | undefined>;
  };
  readonly recovery: {
    readonly begin: WithParts<typeof beginRecovery>;
    /** Confirms that the database lost nothing, although its lineage is unknown. */
    readonly notNeeded: WithParts<typeof confirmLineage>;
    lineage(): Promise<Lineage>;
    /** Returns undefined if the gateway has never recovered. */
    latest(): Promise<Recovery | undefined>;
    /** Returns the progress of each rail in the latest recovery. */
    progress(): Promise<readonly RailProgress[]>;
    /** Compares the lists that were not compared yet. Rejects if a provider does not return a complete list. */
    compare(signal: AbortSignal): Promise<void>;
    readonly complete: WithParts<typeof completeRecovery>;
    readonly release: WithParts<typeof releaseAfterRestore>;
  };
  readonly differences: Pick<DifferenceStore, 'list' | 'find'> & {
    readonly resolve: WithParts<typeof resolveDifference>;
  };
  readonly routes: {
    read(): Promise<RouteTable>;
    readonly check: WithParts<typeof checkRoute>;
    readonly set: WithParts<typeof setRoute>;
    readonly remove: WithParts<typeof removeRoute>;
    readonly setHours: WithParts<typeof setHours>;
    readonly replay: WithParts<typeof replayRoutes>;
  };
  readonly methods: {
    /** Returns undefined if no such payout method exists. */
    currencyOf(method: number): Currency | undefined;
  };
  readonly rails: {
    /** Lists the rails in the configuration of the running processes, or of this process if none is running. */
    list(): Promise<readonly RailSummary[]>;
    /** Returns the rails with a provider, from this process's variables. `isConnected` covers all running processes. */
    setups(): Promise<readonly (RailSetup & { readonly isConnected: boolean })[]>;
    /** Returns undefined if this process has no such rail, or the rail has no provider. */
    test(rail: string): Promise<readonly RailFinding[] | undefined>;
    /** Returns the workers' reports of the last half minute. */
    health(): Promise<readonly RailHealth[]>;
    floats(): Promise<readonly RailFloat[]>;
    /** Returns the requests to a provider about an attempt, and its responses. */
    readonly exchanges: ExchangeStore['list'];
    /** `threshold` is in minor units. Null removes it. */
    setFloatThreshold(rail: string, currency: Currency, threshold: bigint | null): Promise<void>;
  };
  readonly monitoring: {
    /** Returns the current queues. Scans them entirely. */
    queues(): Promise<QueueStatistics>;
    /** Returns the running processes, oldest first. */
    processes(): Promise<readonly RunningProcess[]>;
    /** Finds how long the payments of a rail take to their result. It may be some minutes old. */
    readonly pace: FindPace;
  };
  readonly masterKey: {
    /** Returns the secrets of each table that are sealed by a master key other than the current one. */
    state(): Promise<MasterKeyState>;
    /** Returns the running processes that a rotation would lock out because they lack the current master key. */
    processesWithout(): Promise<readonly string[]>;
    /** In development without GATEWAY_MASTER_KEY, this first creates a new key, unless a rotation is unfinished. */
    rotate(onProgress: (progress: RotationProgress) => void): Promise<RotationReport>;
  };
  readonly books: {
    verify(): Promise<readonly InvariantReport[]>;
  };
}
