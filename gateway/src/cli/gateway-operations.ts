/** All that the command line asks of a gateway. main/ wires it; tests may put something else in its place. */
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

/** A merchant with what belongs to it. Of the keys only their dates; what is sealed stays sealed. */
export interface MerchantRecord {
  readonly merchant: Merchant;
  readonly keys: readonly Omit<StoredKey, 'sealed'>[];
  readonly balances: ReadonlyMap<Currency, Balances>;
}

export interface ExplainedCallback extends CallbackRecord {
  /** Undefined once nothing is waited for. */
  readonly explanation: CallbackExplanation | undefined;
}

export interface RailSummary {
  readonly name: string;
  readonly methods: readonly number[];
  readonly simulated: boolean;
  /** True when a bank's notifications for it are read. */
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
    /** False when it was paused already. */
    pause(scope: PauseScope, target: string, reason: string): Promise<boolean>;
    /** Undefined when nothing was paused; else how many payouts go on. */
    resume(scope: PauseScope, target: string): Promise<number | undefined>;
  };
  readonly callbacks: {
    list(query: CallbackQuery): Promise<readonly Callback[]>;
    find(key: CallbackKey): Promise<ExplainedCallback | undefined>;
    readonly resend: ResendCallbacks;
  };
  readonly reconciliation: {
    /** The rails whose provider can be asked, for a list or about each payout. */
    readonly rails: readonly string[];
    /** Compares that day now. Undefined: the rail can't be compared. Rejects when the provider gives no whole answer. */
    run(rail: string, day: string): Promise<ReconciledDay | undefined>;
    /** Takes what the rail's own lists of transfers have that no notification brought. Undefined: it has no such lists. */
    transfers(rail: string): Promise<readonly TransfersReconciled[] | undefined>;
    /** Asks the rail about each of them, known here or not. Undefined: it carries no payouts. */
    ask(rail: string, named: readonly NamedPayout[]): Promise<readonly AnsweredPayout[] | undefined>;
  };
  readonly recovery: {
    readonly begin: BeginRecovery;
    /** Undefined: there was none. */
    latest(): Promise<Recovery | undefined>;
    /** Where each rail stands in the latest one. */
    progress(): Promise<readonly RailProgress[]>;
    /** Compares the lists that were not compared yet. Rejects where a provider gives no whole list. */
    compare(signal: AbortSignal): Promise<void>;
    readonly complete: CompleteRecovery;
    readonly release: ReleasePayout;
  };
  readonly differences: Pick<DifferenceStore, 'list' | 'find'> & { readonly resolve: ResolveDifference };
  readonly routes: LayRoutes;
  /** Of a payout method; undefined: there is no such method. */
  currencyOf(method: number): Currency | undefined;
  readonly rails: {
    readonly list: readonly RailSummary[];
    /** What the workers told in the last half minute. */
    health(): Promise<readonly RailHealth[]>;
    floats(): Promise<readonly RailFloat[]>;
    /** Minor units; null takes the mark away. */
    setLowMark(rail: string, currency: Currency, lowMark: bigint | null): Promise<void>;
  };
  /** In development without GATEWAY_MASTER_KEY this makes a new key first, unless a rotation is unfinished. */
  rotateMasterKey(onProgress: (progress: RotationProgress) => void): Promise<RotationReport>;
  verify(): Promise<readonly InvariantReport[]>;
}

export const SERVE_ROLES = ['all', 'api', 'worker'] as const;
export type ServeRole = (typeof SERVE_ROLES)[number];

/** One thing that `gateway doctor` looked at. */
export interface Finding {
  readonly name: string;
  /** True for what is only worth attention as well. */
  readonly ok: boolean;
  /** What was found, as one sentence. */
  readonly found: string;
  /** How to mend it; empty when there is nothing to mend. */
  readonly mend: string;
}

export interface MigrationReport {
  /** Names of migrations, in order. */
  readonly applied: readonly string[];
  /** Names of tables that were spread over a cluster. */
  readonly distributed: readonly string[];
}

/** Where commands run: what opens a gateway, and where text goes. */
export interface CommandHost {
  open(): Promise<{ readonly operations: GatewayOperations; close(): Promise<void> }>;
  /** Serves until the process is told to stop; `processes`: instead of as many as the configuration says. */
  serve(role: ServeRole, processes: ProcessCount | undefined): Promise<0 | 1>;
  /** `distributed`: the tables are to be spread over a cluster. */
  migrate(distributed: boolean): Promise<MigrationReport>;
  /** The version of the gateway, and of the schema that it needs. */
  version(): Promise<string>;
  diagnose(): Promise<readonly Finding[]>;
  /** The sentence for a failure that an operator can mend; undefined for a bug. */
  explain(error: unknown): string | undefined;
  readonly stdout: (text: string) => void;
  readonly stderr: (text: string) => void;
}
