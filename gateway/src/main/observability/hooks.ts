/**
 * Turns the events that the gateway's parts report into log lines, metrics and alerts. The parts call plain functions. Deposits
 * have deposit-hooks.ts, and queues queue-alerts.ts.
 */
import { type BackupProof, proofFault } from '../../domain/backup/backup-proof.ts';
import type { CallbackEvent, CallbackEventSink } from '../../domain/callbacks/callback-events.ts';
import { OPENS_AFTER } from '../../domain/callbacks/plan-delivery.ts';
import type { OverdueCount } from '../../domain/monitoring/overdue-store.ts';
import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import type { RailNotificationEvent } from '../../domain/notifications/process-notification.ts';
import type { LimitSubject } from '../../domain/payments/attempts/attempt-limits.ts';
import { type MerchantPayout, resultOf } from '../../domain/payouts/payout.ts';
import type { PayoutRejection } from '../../domain/payouts/payout-rejection.ts';
import type { SettlementOutcome } from '../../domain/payouts/payout-store.ts';
import type { BreakerChange, RailFloat } from '../../domain/rails/rail-health.ts';
import type { ReconciledDay } from '../../domain/reconciliation/reconcile-payouts.ts';
import type { Recovery } from '../../domain/recovery/recovery.ts';
import { HOUR_MS, type Instant } from '../../foundation/clock.ts';
import type { PayoutKey } from '../../foundation/identifiers.ts';
import { formatAmount } from '../../foundation/money.ts';
import type { AnsweredRequest } from '../../protocol/http/http-server.ts';
import type { AlertKind } from './alert-kinds.ts';
import { createAttemptLimitWatch } from './attempt-limit-watch.ts';
import { type DepositHooks, depositHooks, type HooksParts } from './deposit-hooks.ts';
import { raiseQueueAlerts } from './queue-alerts.ts';
import type { PaymentKey } from './traces/payment-trace.ts';

export interface Hooks extends DepositHooks {
  readonly onAnswered: (answer: AnsweredRequest) => void;
  readonly onInternalError: (error: unknown, route: string) => void;
  readonly onEmergencyAct: (act: string, object: string, actor: string) => void;
  readonly onPayoutAccepted: (payout: MerchantPayout) => void;
  readonly onPayoutRejected: (merchantId: string, rejection: PayoutRejection) => void;
  readonly onSettled: (key: PayoutKey, outcome: SettlementOutcome) => void;
  readonly onRailCall: (rail: string, call: string, answer: string, latencyMs: number, reference?: string) => void;
  readonly onCredentialRefused: (rail: string) => void;
  readonly onSealBroken: (payout: PayoutKey, why: string) => void;
  readonly onBreaker: (rail: string, change: BreakerChange) => void;
  readonly onProxyNotTrusted: (address: string) => void;
  readonly onNotification: (event: RailNotificationEvent, isKept: boolean) => void;
  readonly onCallbackEvent: CallbackEventSink;
  /** `payments` lists the payments of the batch. */
  readonly onCommitted: (batch: string, size: number, elapsedMs: number, payments: () => readonly PaymentKey[]) => void;
  readonly onConnectionLost: (error: Error) => void;
  readonly onProblem: (problem: string, error?: unknown) => void;
  readonly onAttemptLimitReached: (merchantId: string, subject: LimitSubject, at: Instant) => void;
  readonly onRailFloat: (float: RailFloat, isLow: boolean) => void;
  readonly onPayoutsReconciled: (day: ReconciledDay) => void;
  readonly onInvariantBroken: (invariant: string) => void;
  readonly onRecovering: (recovery: Recovery) => void;
  readonly onOverdue: (overdue: readonly OverdueCount[], now: Instant) => void;
  /** Counts merchant requests that the request log dropped, by cause. */
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
    onPayoutRejected(merchantId, rejection) {
      metrics.payoutRejected(rejection.kind);
      const field = rejection.kind === 'invalid_field' ? rejection.field : '';
      log('payout_rejected', { merchant: merchantId, reason: rejection.kind, field });
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
      log('rail_called', { rail, reference, call, answer, latency_ms: latencyMs });
    },
    onCredentialRefused(rail) {
      log('rail_credential_refused', { rail });
      raise('credential_refused', rail);
    },
    onSealBroken({ merchantId, payoutId }, why) {
      log('payout_seal_broken', { merchant: merchantId, payout_id: payoutId, why });
      raise('payout_seal_broken', `${merchantId}/${payoutId}: ${why}`);
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
    raise('payout_adjusted', `${key.merchantId}/${key.payoutId}: ${adjustment.kind}, reported by ${actor}`);
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

/** The rejected notifications that raise an alert: an unauthentic one always, any other while a difference stores it. */
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
