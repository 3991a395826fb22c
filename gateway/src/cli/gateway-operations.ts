/** Every operation that the command line needs from a gateway. main/ implements it; tests may substitute their own. */
import type { Callback } from '../domain/callbacks/callback.ts';
import type { CallbackKey, CallbackQuery, CallbackRecord } from '../domain/callbacks/callback-store.ts';
import type { CallbackExplanation } from '../domain/callbacks/explain-callback.ts';
import type { ResendCallbacks } from '../domain/callbacks/resend-callback.ts';
import type { Deposit } from '../domain/deposits/deposit.ts';
import type { Reconciliation as TransfersReconciled } from '../domain/deposits/reconcile-transfers.ts';
import type { ResolveTransfer } from '../domain/deposits/resolve-transfer.ts';
import type { ReturnTransfer } from '../domain/deposits/return-transfer.ts';
import type { DifferenceStore } from '../domain/differences/difference-store.ts';
import type { ResolveDifference } from '../domain/differences/resolve-difference.ts';
import type { MoveFunds } from '../domain/ledger/fund-merchant.ts';
import type { Balances } from '../domain/ledger/transfer.ts';
import type { MerchantApplication, MerchantWithNewKeys } from '../domain/merchants/create-merchant.ts';
import type { MerchantEdit } from '../domain/merchants/edit-merchant.ts';
import type { Merchant } from '../domain/merchants/merchant.ts';
import type { MerchantRefusal } from '../domain/merchants/merchant-refusal.ts';
import type { StoredKey } from '../domain/merchants/merchant-store.ts';
import type { KeyRotation, RotatedKey } from '../domain/merchants/rotate-merchant-key.ts';
import type { OverduePayment, OverduePayout } from '../domain/monitoring/overdue.ts';
import type { InvariantReport } from '../domain/operators/invariant-report.ts';
import type { DepositSearch, HeldTransfer } from '../domain/payments/deposit-record.ts';
import type { EndAttempts } from '../domain/payments/end-attempts.ts';
import type { ExplainedDeposit } from '../domain/payments/explain-deposit.ts';
import type { RefundDeposit } from '../domain/payments/refund-deposit.ts';
import type { CancelPayout } from '../domain/payouts/cancel-payout.ts';
import type { Payout } from '../domain/payouts/payout.ts';
import type { ExplainedPayout, PayoutSearch } from '../domain/payouts/payout-record.ts';
import type { ResolvePayout } from '../domain/payouts/resolve-payout.ts';
import type { AnsweredPayout, NamedPayout } from '../domain/reconciliation/ask-named-payouts.ts';
import type { ReconciledDay } from '../domain/reconciliation/reconcile-payouts.ts';
import type { BeginRecovery } from '../domain/recovery/begin-recovery.ts';
import type { CompleteRecovery } from '../domain/recovery/complete-recovery.ts';
import type { RailProgress } from '../domain/recovery/rail-progress.ts';
import type { Recovery } from '../domain/recovery/recovery.ts';
import type { ReleasePayout } from '../domain/recovery/release-payout.ts';
import type { LayRoutes } from '../domain/routing/lay-routes.ts';
import type { Pause, PauseScope } from '../domain/routing/pauses.ts';
import type { RailFloat, RailHealth } from '../domain/routing/rail-health.ts';
import type { RotationProgress, RotationReport } from '../domain/vault/rotate-master-key.ts';
import type { Currency } from '../foundation/currency.ts';
import type { MerchantId, PayoutKey } from '../foundation/identifiers.ts';
import type { ProcessCount } from '../foundation/process-count.ts';
import type { Result } from '../foundation/result.ts';

/** A merchant with its keys and balances. The keys have their dates but not their secrets. */
export interface MerchantRecord {
  readonly merchant: Merchant;
  readonly keys: readonly Omit<StoredKey, 'sealed'>[];
  readonly balances: ReadonlyMap<Currency, Balances>;
}

export interface ExplainedCallback extends CallbackRecord {
  /** Undefined when the callback waits for nothing. */
  readonly explanation: CallbackExplanation | undefined;
}

export interface RailSummary {
  readonly name: string;
  readonly methods: readonly number[];
  readonly simulated: boolean;
  /** True when the gateway accepts the bank's notifications for this rail. */
  readonly notifies: boolean;
}

export interface GatewayOperations {
  readonly merchants: {
    create(application: MerchantApplication): Promise<Result<MerchantWithNewKeys, MerchantRefusal>>;
    edit(merchantId: MerchantId, edit: MerchantEdit): Promise<Result<Merchant, MerchantRefusal>>;
    activate(merchantId: MerchantId): Promise<Result<Merchant, MerchantRefusal>>;
    suspend(merchantId: MerchantId): Promise<Result<Merchant, MerchantRefusal>>;
    rotateKey(merchantId: MerchantId, rotation: KeyRotation): Promise<Result<RotatedKey, MerchantRefusal>>;
    find(merchantId: MerchantId): Promise<MerchantRecord | undefined>;
    list(): Promise<readonly Merchant[]>;
  };
  readonly moveFunds: MoveFunds;
  readonly payouts: {
    search(search: PayoutSearch): Promise<readonly Payout[]>;
    /** Payouts that are pending past their deadline, the longest overdue first. */
    overdue(limit: number): Promise<readonly OverduePayout[]>;
    find(key: PayoutKey): Promise<ExplainedPayout | undefined>;
    readonly cancel: CancelPayout;
    readonly resolve: ResolvePayout;
  };
  readonly deposits: {
    search(search: DepositSearch): Promise<readonly Deposit[]>;
    find(merchantId: MerchantId, orderId: string): Promise<ExplainedDeposit | undefined>;
    /** Transfers that wait for the operator, oldest first. */
    held(limit: number): Promise<readonly HeldTransfer[]>;
    /** Payment attempts that have not ended by their deadline, the longest overdue first. */
    overdue(limit: number): Promise<readonly OverduePayment[]>;
    readonly resolve: ResolveTransfer;
    readonly returnTransfer: ReturnTransfer;
    readonly refund: RefundDeposit;
    readonly endAttempts: EndAttempts;
  };
  readonly pauses: {
    list(): Promise<readonly Pause[]>;
    /** False when it was already paused. */
    pause(scope: PauseScope, target: string, reason: string): Promise<boolean>;
    /** Undefined when nothing was paused; else the number of payouts that continue. */
    resume(scope: PauseScope, target: string): Promise<number | undefined>;
  };
  readonly callbacks: {
    list(query: CallbackQuery): Promise<readonly Callback[]>;
    find(key: CallbackKey): Promise<ExplainedCallback | undefined>;
    readonly resend: ResendCallbacks;
  };
  readonly reconciliation: {
    /** The rails whose provider gives a list or answers about single payouts. */
    readonly rails: readonly string[];
    /** Compares that day now. Undefined: the rail cannot be compared. Rejects when the provider gives no complete answer. */
    run(rail: string, day: string): Promise<ReconciledDay | undefined>;
    /**
     * Records the transfers that the rail's own lists contain and no notification brought. Undefined: the rail has no such
     * lists.
     */
    transfers(rail: string): Promise<readonly TransfersReconciled[] | undefined>;
    /** Asks the rail about each payout, whether or not the gateway has it. Undefined: the rail carries no payouts. */
    ask(rail: string, named: readonly NamedPayout[]): Promise<readonly AnsweredPayout[] | undefined>;
  };
  readonly recovery: {
    readonly begin: BeginRecovery;
    /** Undefined: there was none. */
    latest(): Promise<Recovery | undefined>;
    /** The progress of each rail in the latest recovery. */
    progress(): Promise<readonly RailProgress[]>;
    /** Compares the lists not compared so far. Rejects when a provider gives no complete list. */
    compare(signal: AbortSignal): Promise<void>;
    readonly complete: CompleteRecovery;
    readonly release: ReleasePayout;
  };
  readonly differences: Pick<DifferenceStore, 'list' | 'find'> & { readonly resolve: ResolveDifference };
  readonly routes: LayRoutes;
  /** The currency of a payout method; undefined: there is no such method. */
  currencyOf(method: number): Currency | undefined;
  readonly rails: {
    readonly list: readonly RailSummary[];
    /** The workers' reports of the last half minute. */
    health(): Promise<readonly RailHealth[]>;
    floats(): Promise<readonly RailFloat[]>;
    /** In minor units; null removes the mark. */
    setLowMark(rail: string, currency: Currency, lowMark: bigint | null): Promise<void>;
  };
  /** In development without GATEWAY_MASTER_KEY this first creates a new key, unless a rotation is unfinished. */
  rotateMasterKey(onProgress: (progress: RotationProgress) => void): Promise<RotationReport>;
  verify(): Promise<readonly InvariantReport[]>;
}

export const SERVE_ROLES = ['all', 'api', 'worker'] as const;
export type ServeRole = (typeof SERVE_ROLES)[number];

/** The result of one examination by `gateway doctor`. */
export interface Finding {
  readonly name: string;
  /** Also true for a finding that only needs attention. */
  readonly ok: boolean;
  /** The finding, as one sentence. */
  readonly found: string;
  /** The remedy; empty when there is nothing to fix. */
  readonly mend: string;
}

export interface MigrationReport {
  /** Names of migrations, in order. */
  readonly applied: readonly string[];
  /** Names of the tables that were distributed over a cluster. */
  readonly distributed: readonly string[];
}

/** The surroundings of a command: it opens gateways and receives the output. */
export interface CommandHost {
  open(): Promise<{ readonly operations: GatewayOperations; close(): Promise<void> }>;
  /** Serves until the process must stop. `processes` overrides the configured number. */
  serve(role: ServeRole, processes: ProcessCount | undefined): Promise<0 | 1>;
  /** `distributed`: distribute the tables over a cluster. */
  migrate(distributed: boolean): Promise<MigrationReport>;
  /** The version of the gateway, and of the schema that it needs. */
  version(): Promise<string>;
  diagnose(): Promise<readonly Finding[]>;
  /** The sentence for a failure that an operator can fix; undefined for a bug. */
  explain(error: unknown): string | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
