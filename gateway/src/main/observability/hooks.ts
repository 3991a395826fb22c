/**
 * Turns the events that the gateway's parts report into log lines, metrics and alerts. The parts call plain functions. Only
 * this file decides which events deserve a log line, a metric or an alert.
 */
import { type BackupProof, proofFault } from '../../domain/backup/backup-proof.ts';
import type { CallbackEvent, CallbackEventSink } from '../../domain/callbacks/callback-events.ts';
import { OPENS_AFTER } from '../../domain/callbacks/plan-delivery.ts';
import type { Deposit, DepositKey, IncomingTransfer, TransferId } from '../../domain/deposits/deposit.ts';
import type { DepositRejection } from '../../domain/deposits/deposit-rejection.ts';
import type {
  DepositChange,
  DepositSettlementOutcome,
  Displacement,
  ReceiptOutcome,
  ReceiptPlan,
} from '../../domain/deposits/deposit-store.ts';
import { OPERATOR_MERCHANT } from '../../domain/merchants/merchant.ts';
import type { OverdueCount } from '../../domain/monitoring/overdue.ts';
import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import type { RecordAdjustmentParts } from '../../domain/payments/adjustments/record-adjustment.ts';
import type { LimitSubject } from '../../domain/payments/attempts/attempt-limits.ts';
import type { AttemptKey } from '../../domain/payments/attempts/payment-attempt.ts';
import type { AttemptOutcome } from '../../domain/payments/payment-store.ts';
import { type MerchantPayout, resultOf } from '../../domain/payouts/payout.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { SettlementOutcome } from '../../domain/payouts/payout-store.ts';
import type { RailNotificationEvent } from '../../domain/rails/process-notification.ts';
import type { ReconciledDay } from '../../domain/reconciliation/reconcile-payouts.ts';
import type { Reconciliation } from '../../domain/reconciliation/reconcile-transfers.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import type { BreakerChange, RailFloat } from '../../domain/routing/rail-health.ts';
import { holdsCardNumber, maskedIdentifier } from '../../domain/vault/card-number.ts';
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { MerchantId, PayoutKey } from '../../foundation/identifiers.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { FormRejection } from '../../protocol/form/request/form-fields.ts';
import type { AnsweredRequest } from '../../protocol/http/http-server.ts';
import type { AlertKind, RaiseAlert } from './alerts.ts';
import { createAttemptLimitWatch } from './attempt-limit-watch.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { raiseQueueAlerts } from './queue-alerts.ts';
import type { PaymentKey } from './traces/payment-trace.ts';

interface HooksParts {
  readonly log: Log;
  readonly metrics: Metrics;
  readonly raise: RaiseAlert;
}

export interface Hooks {
  readonly onAnswered: (answer: AnsweredRequest) => void;
  readonly onInternalError: (error: unknown, route: string) => void;
  readonly onEmergencyAct: (act: string, object: string, actor: string) => void;
  readonly onPayoutAccepted: (payout: MerchantPayout) => void;
  readonly onPayoutRejected: (merchantId: string, refusal: PayoutRejection) => void;
  readonly onSettled: (key: PayoutKey, outcome: SettlementOutcome) => void;
  readonly onRailCall: (rail: string, call: string, answer: string, latencyMs: number, reference?: string) => void;
  readonly onCredentialRefused: (rail: string) => void;
  readonly onBreaker: (rail: string, change: BreakerChange) => void;
  readonly onProxyNotTrusted: (address: string) => void;
  readonly onNotification: (event: RailNotificationEvent, isKept: boolean) => void;
  readonly onCallbackEvent: CallbackEventSink;
  /** `payments` lists the payments of the batch. */
  readonly onCommitted: (batch: string, size: number, elapsedMs: number, payments: () => readonly PaymentKey[]) => void;
  readonly onConnectionLost: (error: Error) => void;
  readonly onProblem: (problem: string, error?: unknown) => void;
  readonly onDepositOpened: (deposit: Deposit, displaced: Displacement | null) => void;
  readonly onDepositEnded: (key: DepositKey, outcome: DepositSettlementOutcome) => void;
  readonly onDepositRejected: (merchantId: string, refusal: Pick<DepositRejection | FormRejection, 'kind'>) => void;
  readonly onAttemptChanged: (key: AttemptKey, outcome: AttemptOutcome) => void;
  readonly onAttemptLimitReached: (merchantId: string, subject: LimitSubject, at: Instant) => void;
  readonly onTransferReceived: (
    transfer: IncomingTransfer,
    outcome: ReceiptOutcome,
    deposit: DepositKey | undefined,
  ) => void;
  readonly onLater: RecordAdjustmentParts['onLater'];
  readonly onReconciled: (report: Reconciliation) => void;
  readonly onRailFloat: (float: RailFloat, isLow: boolean) => void;
  readonly onPayoutsReconciled: (day: ReconciledDay) => void;
  readonly onAddressFill: (rail: string, used: number, capacity: number, isLow: boolean) => void;
  readonly onInvariantBroken: (invariant: string) => void;
  readonly onRecovering: (recovery: Recovery) => void;
  readonly onOverdue: (overdue: readonly OverdueCount[], now: Instant) => void;
  /** Counts requests of merchants that the request log has no room for, by cause. */
  readonly onRequestNotLogged: (cause: string, count: number) => void;
  readonly onQueues: (statistics: QueueStatistics, now: Instant) => void;
  readonly onLatestProof: (proof: BackupProof, now: Instant) => void;
}

export function createHooks(parts: HooksParts): Hooks {
  const { log, metrics, raise } = parts;
  return {
    onAnswered({ method, route, status, elapsedMs, clientAddress }) {
      metrics.requestAnswered(route, status, elapsedMs);
      log('request_answered', { method, route, status, elapsed_ms: elapsedMs, client: clientAddress });
    },
    onInternalError(error, route) {
      log('request_failed', { route, error });
      raise('internal_error', route);
    },
    onEmergencyAct: (act, object, actor) => raise('emergency_act', `${act} ${object} by ${actor}`),
    onPayoutAccepted({ merchantId, payoutId, method, money: { currency }, rail }) {
      metrics.payoutAccepted(method, currency);
      log('payout_accepted', { merchant: merchantId, payout_id: payoutId, method, currency, rail });
    },
    onPayoutRejected(merchantId, refusal) {
      metrics.payoutRejected(refusal.kind);
      const field = refusal.kind === 'invalid_field' ? refusal.field : '';
      log('payout_rejected', { merchant: merchantId, reason: refusal.kind, field });
    },
    onSettled: (key, outcome) => noteSettlement(parts, key, outcome),
    onRailFloat({ rail, currency, amount }, isLow) {
      if (amount === null) return;
      const money = { currency, minor: amount };
      metrics.railFloat(rail, money);
      if (isLow) raise('float_low', `${rail}: ${formatAmount(money)} ${currency} left`);
    },
    onRequestNotLogged: (cause, count) => metrics.requestNotLogged(cause, count),
    onPayoutsReconciled: (day) => notePayoutsReconciled(parts, day),
    onRailCall(rail, call, answer, latencyMs, reference = '') {
      metrics.railCalled(rail, call, answer, latencyMs);
      log('rail_called', { rail, reference: shownKey(reference), call, answer, latency_ms: latencyMs });
    },
    onCredentialRefused(rail) {
      log('rail_credential_refused', { rail });
      raise('credential_refused', rail);
    },
    onBreaker: (rail, change) => BREAKER_NOTERS[change](parts, rail),
    onProxyNotTrusted(address) {
      log('proxy_not_trusted', { client: address });
      raise('proxy_not_trusted', address);
    },
    onNotification: (event, isKept) => noteNotification(parts, event, isKept),
    onCallbackEvent: (event) => noteCallback(parts, event),
    onCommitted: (batch, size, elapsedMs) => metrics.batchCommitted(batch, size, elapsedMs),
    onConnectionLost: (error) => log('database_connection_lost', { error }),
    onProblem(problem, error) {
      metrics.problem();
      log('problem', { problem, error });
      raise('problem', problem);
    },
    ...depositHooks(parts),
    onAttemptLimitReached: createAttemptLimitWatch(parts),
    onInvariantBroken: (invariant) => raise('invariant_broken', invariant),
    onRecovering({ startedAt, knownUntil }) {
      log('recovering', { since: startedAt, known_until: knownUntil });
      raise('recovering', `since ${new Date(startedAt).toISOString()}`);
    },
    onOverdue: (overdue, now) => noteOverdue(parts, overdue, now),
    onQueues(statistics, now) {
      metrics.showQueues(statistics, now);
      raiseQueueAlerts(statistics, now, raise);
    },
    onLatestProof(proof, now) {
      metrics.showProof(proof, now);
      const fault = proofFault(proof, now);
      if (fault !== undefined) raise('backup_not_proven', fault);
    },
  };
}

const OVERDUE_ALERTS = { payments: 'payments_overdue', payouts: 'payouts_overdue' } as const;

function noteOverdue({ raise }: HooksParts, overdue: readonly OverdueCount[], now: Instant): void {
  for (const [what, counts] of Map.groupBy(overdue, ({ what }) => what)) {
    const texts = counts.map(({ rail, count, oldestDeadline }) => {
      const hours = Math.floor((now - oldestDeadline) / HOUR_MS);
      return `rail ${rail}: ${count}, the oldest for ${hours} hours`;
    });
    raise(OVERDUE_ALERTS[what], texts.join('; '));
  }
}

/** A card number may be a part of a transfer's key. */
function shownKey(key: string): string {
  return holdsCardNumber(key) ? maskedIdentifier(key) : key;
}

function noteReceipt(
  { log, metrics, raise }: HooksParts,
  { rail, transferKey }: TransferId,
  merchant: MerchantId,
  { transfer, change }: ReceiptPlan,
): void {
  const key = shownKey(transferKey);
  const mismatch = transfer.mismatch ?? 'none';
  metrics.transferReceived(rail, transfer.state, mismatch);
  if (change) metrics.depositFinal(change.state, '');
  log('transfer_received', { rail, transfer_key: key, merchant, state: transfer.state, mismatch });
  if (transfer.state === 'held') raise('transfer_held', `${rail} ${key}: ${mismatch}`);
}

function noteDisplacement({ log, raise }: HooksParts, displaced: Displacement, by: number): void {
  const { merchantId: merchant, transactionId, held } = displaced;
  log('deposit_displaced', { merchant, transaction: String(transactionId), by: String(by), held: held.length });
  for (const { rail, transferKey } of held) raise('transfer_held', `${rail} ${shownKey(transferKey)}: displaced`);
}

function noteEnd({ log, metrics }: HooksParts, key: DepositKey, { state, failReason }: DepositChange): void {
  const reason = failReason ?? '';
  metrics.depositFinal(state, reason);
  log('deposit_final', { merchant: key.merchantId, transaction: String(key.transactionId), state, reason });
}

type DepositHooks = Pick<
  Hooks,
  | 'onDepositOpened'
  | 'onDepositEnded'
  | 'onDepositRejected'
  | 'onAttemptChanged'
  | 'onTransferReceived'
  | 'onLater'
  | 'onReconciled'
  | 'onAddressFill'
>;

function depositHooks(parts: HooksParts): DepositHooks {
  const { log, metrics, raise } = parts;
  return {
    onDepositOpened({ merchantId, transactionId, paymentType, money: { currency } }, displaced) {
      metrics.depositOpened(paymentType, currency);
      log('deposit_opened', { merchant: merchantId, transaction: String(transactionId), payment_type: paymentType });
      if (displaced) noteDisplacement(parts, displaced, transactionId);
    },
    onDepositEnded(key, outcome) {
      if (outcome.kind === 'settled' && outcome.plan.change) noteEnd(parts, key, outcome.plan.change);
    },
    onDepositRejected(merchantId, refusal) {
      metrics.depositRejected(refusal.kind);
      log('deposit_rejected', { merchant: merchantId, reason: refusal.kind });
    },
    onTransferReceived(transfer, outcome, deposit) {
      const merchant = deposit?.merchantId ?? OPERATOR_MERCHANT;
      if (outcome.kind === 'recorded') noteReceipt(parts, transfer, merchant, outcome.plan);
    },
    onAttemptChanged(key, outcome) {
      if (outcome.kind !== 'settled') return;
      const { merchantId, transactionId, attempt } = key;
      const { change, receipt, end } = outcome.plan;
      const transaction = String(transactionId);
      log('attempt_changed', { merchant: merchantId, transaction, attempt, state: change.state });
      if (receipt) noteReceipt(parts, receipt.transfer, merchantId, receipt.plan);
      if (end?.change) noteEnd(parts, key, end.change);
    },
    onLater({ merchantId, transactionId, orderId, rail, kind, key }, outcome) {
      metrics.depositAdjusted(kind, rail, outcome);
      const transaction = String(transactionId);
      log('deposit_adjusted', { merchant: merchantId, transaction, rail, adjustment: kind, outcome });
      if (outcome === 'excess') raise('deposit_excess', `${merchantId} ${orderId}: ${kind} ${key}, says ${rail}`);
    },
    onReconciled({ rail, day, listed, found, differing }) {
      log('transfers_reconciled', { rail, day, listed, found, differing });
      if (found > 0) raise('transfers_found', `${rail} ${day}: ${found} of ${listed}`);
      if (differing > 0) raise('transfers_differ', `${rail} ${day}: ${differing} of ${listed}`);
    },
    onAddressFill(rail, used, capacity, isLow) {
      metrics.addressesUsed(rail, used, capacity);
      if (isLow) raise('addresses_low', `${rail}: ${used} of ${capacity}`);
    },
  };
}

function noteSettlement({ log, metrics, raise }: HooksParts, key: PayoutKey, outcome: SettlementOutcome): void {
  if (outcome.kind !== 'settled') return;
  const { change, adjustment, history } = outcome.plan;
  const { event, actor } = history;
  const payout = { merchant: key.merchantId, payout_id: key.payoutId };
  if (change) {
    const { code } = resultOf(change);
    metrics.payoutFinal(change.state, code, actor);
    log('payout_final', { ...payout, report: event, state: change.state, code, actor });
  }
  if (adjustment) {
    metrics.payoutAdjusted(adjustment.kind, actor);
    log('payout_adjusted', { ...payout, adjustment: adjustment.kind, actor });
    raise('payout_adjusted', `${key.merchantId}/${key.payoutId}: ${adjustment.kind}, says ${actor}`);
  }
}

function notePayoutsReconciled({ log, raise }: HooksParts, { reconciliation, differences }: ReconciledDay): void {
  const { rail, day, listed, matched, settled } = reconciliation;
  const differing = differences.length;
  log('payouts_reconciled', { rail, day, listed, matched, settled, differing });
  if (differing > 0) raise('payouts_differ', `${rail} ${day}: ${differing} of ${listed}`);
}

const BREAKER_NOTERS: Readonly<Record<BreakerChange, (parts: HooksParts, rail: string) => void>> = {
  opened({ log, raise }, rail) {
    log('rail_breaker_opened', { rail });
    raise('rail_down', rail);
  },
  closed({ log, raise }, rail) {
    log('rail_breaker_closed', { rail });
    raise('rail_back', rail);
  },
};

/** The rejected notifications that raise an alert: an unauthentic one always, another one while a difference keeps it. */
const NOTIFICATION_ALERTS: Readonly<Partial<Record<RailNotificationEvent['kind'], AlertKind>>> = {
  unauthentic: 'notification_unauthentic',
  unknown_reference: 'notification_unknown_reference',
  wrong_amount: 'notification_wrong_amount',
  unconfirmed: 'notification_unconfirmed',
};

function noteNotification({ log, metrics, raise }: HooksParts, event: RailNotificationEvent, isKept: boolean): void {
  const { kind, rail } = event;
  metrics.railNotified(rail, kind);
  const reference = 'reference' in event ? event.reference : '';
  if (kind === 'recorded' || kind === 'known') {
    log('rail_notified', { rail, reference, news: event.news, outcome: kind });
    return;
  }
  const reason = 'reason' in event ? event.reason : '';
  log('rail_notification_rejected', { rail, reference, rejection: kind, reason });
  const alert = NOTIFICATION_ALERTS[kind];
  if (alert && (isKept || kind === 'unauthentic')) raise(alert, `${rail} ${reference}`.trim());
}

type CallbackNoters = {
  readonly [Kind in CallbackEvent['kind']]: (parts: HooksParts, event: Extract<CallbackEvent, { kind: Kind }>) => void;
};

const CALLBACK_NOTERS: CallbackNoters = {
  attempted({ log, metrics }, { merchantId, callbackId, attempt, outcome, httpStatus, latencyMs, waitedMs }) {
    metrics.callbackAttempted(outcome, latencyMs, waitedMs);
    const callback = { merchant: merchantId, callback_id: callbackId };
    log('callback_attempted', { ...callback, attempt, outcome, http_status: httpStatus, latency_ms: latencyMs });
  },
  delivered({ log, metrics }, { merchantId, callbackId, ageMs }) {
    metrics.callbackFinished('delivered');
    log('callback_delivered', { merchant: merchantId, callback_id: callbackId, age_ms: ageMs });
  },
  undelivered({ log, metrics, raise }, { merchantId, callbackId, outcome }) {
    metrics.callbackFinished('undelivered');
    log('callback_undelivered', { merchant: merchantId, callback_id: callbackId, outcome });
    raise('callback_undelivered', `${merchantId} ${callbackId}: ${outcome}`);
  },
  lane_paused({ log, raise }, { merchantId, failures, until }) {
    log('callback_lane_paused', { merchant: merchantId, failures, until });
    if (failures === OPENS_AFTER) raise('callback_lane_paused', merchantId);
  },
  lane_resumed: ({ log }, { merchantId }) => log('callback_lane_resumed', { merchant: merchantId }),
  lane_abandoned: ({ log }, { merchantId, reason }) => log('callback_lane_abandoned', { merchant: merchantId, reason }),
  claim_failed: ({ log }, { reason }) => log('callback_claim_failed', { reason }),
};

function noteCallback<Kind extends CallbackEvent['kind']>(
  parts: HooksParts,
  event: Extract<CallbackEvent, { kind: Kind }>,
): void {
  CALLBACK_NOTERS[event.kind as Kind](parts, event);
}
