/**
 * Counters and timers in Prometheus's terms. Every label has few values from closed lists, and never a merchant, a payout
 * or a requested path. The functions are hooks: they must not throw or wait.
 */
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import { type BackupProof, isProven } from '../../domain/backup/backup-proof.ts';
import type { QueueStatistics } from '../../domain/monitoring/queue-statistics.ts';
import { type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { formatAmount, type Money } from '../../foundation/money.ts';
import { ALERTS } from './alert-kinds.ts';

export interface RailState {
  readonly breaker: string;
  readonly inFlight: number;
}

/** The number of serving processes, of wanted ones, and of those that died since the supervisor started. */
export interface ProcessTally {
  readonly serving: number;
  readonly wanted: number;
  readonly died: number;
}

export interface Metrics {
  payoutAccepted(method: number, currency: string): void;
  payoutRejected(reason: string): void;
  /** `actor` is the reporter: a rail's name, `operator` or `gateway`. */
  payoutFinal(state: string, code: string, actor: string): void;
  payoutAdjusted(adjustment: string, actor: string): void;
  depositOpened(paymentType: string, currency: string): void;
  depositRejected(reason: string): void;
  depositFinal(state: string, reason: string): void;
  /** `outcome` is `excess` if the adjustment exceeds the payment, so that the gateway posted only a part. */
  depositAdjusted(adjustment: string, rail: string, outcome: string): void;
  /** `subject` is the limit that rejected the attempt. */
  attemptLimited(subject: string): void;
  transferReceived(rail: string, state: string, mismatch: string): void;
  addressesUsed(rail: string, used: number, capacity: number): void;
  /** `route` is the pattern, not the path. */
  requestAnswered(route: string, status: number, elapsedMs: number): void;
  /** `cause` is the budget of a merchant, a full queue, or the database. */
  requestNotLogged(cause: string, count: number): void;
  railCalled(rail: string, call: string, answer: string, latencyMs: number): void;
  railNotified(rail: string, outcome: string): void;
  /** Reports the balance in major units of the currency: precise enough for monitoring, not for accounting. */
  railFloat(rail: string, money: Money): void;
  /** `waitedMs` is the time from the callback's creation to its first attempt, and null on later attempts. */
  callbackAttempted(outcome: string, latencyMs: number, waitedMs: number | null): void;
  callbackFinished(state: 'delivered' | 'undelivered'): void;
  batchCommitted(batch: string, size: number, elapsedMs: number): void;
  problem(): void;
  alertRaised(alert: string): void;
  showQueues(statistics: QueueStatistics, now: Instant): void;
  /** The newest proof of a backup. */
  showProof(proof: BackupProof, now: Instant): void;
  /** Called at each scrape. A second call replaces the first call's function. */
  watchRails(states: () => ReadonlyMap<string, RailState>): void;
  /** Works like `watchRails`, for the processes of one machine. */
  watchProcesses(tally: () => ProcessTally): void;
  readonly contentType: string;
  text(): Promise<string>;
}

const FAST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30];
const WAIT_SECONDS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 60, 300, 3_600, 21_600, 86_400];
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256];
const BREAKER_STATES = ['closed', 'half_open', 'open'];

/** `processName` becomes a label of every metric, if one page shows the metrics of several processes. */
export function createMetrics(processName?: string): Metrics {
  const registry = new Registry();
  if (processName !== undefined) registry.setDefaultLabels({ process: processName });
  collectDefaultMetrics({ register: registry });
  const make = instrumentsOf(registry);

  const accepted = make.counter('payouts_accepted_total', 'Accepted payouts.', ['method', 'currency']);
  const rejected = make.counter('payouts_rejected_total', 'Rejected payout requests, by reason.', ['reason']);
  const final = make.counter('payouts_final_total', 'Payouts that reached a final state.', ['state', 'code', 'actor']);
  const adjusted = make.counter(
    'payouts_adjusted_total',
    'Payout outcomes that a bank changed after the final state.',
    ['adjustment', 'actor'],
  );
  const deposits = depositInstruments(make);
  const requests = requestInstruments(make);
  const railCalls = make.seconds('rail_call', 'Duration of calls to providers, by rail, call and response.', [
    'rail',
    'call',
    'answer',
  ]);
  const notified = make.counter('rail_notifications_total', 'Notifications from providers, by outcome.', [
    'rail',
    'outcome',
  ]);
  const floats = make.gauge('rail_float', 'Prefunded balance at a rail, in major units of the currency.', [
    'rail',
    'currency',
  ]);
  const callbacks = callbackInstruments(make);
  const commits = make.seconds('batch_commit', 'Duration of group commits.', ['batch']);
  const sizes = make.histogram('batch_size', 'Calls per group commit.', ['batch'], BATCH_SIZES);
  const problems = make.counter(
    'problems_total',
    'Unexpected failures that need attention; the log contains the details.',
    [],
  );
  const alerts = make.counter('alerts_total', 'Raised alerts, including those held back by the limit per kind.', [
    'alert',
  ]);
  // Prometheus does not see an increase in a counter that begins above zero, so it would miss the first alert of a kind.
  for (const alert of Object.keys(ALERTS)) alerts.inc({ alert }, 0);
  const showQueues = queueGauges(make);
  const showProof = proofGauges(make);
  const watchRails = railGauges(make);
  const watchProcesses = processGauges(make);

  return {
    payoutAccepted: (method, currency) => accepted.inc({ method, currency }),
    payoutRejected: (reason) => rejected.inc({ reason }),
    payoutFinal: (state, code, actor) => final.inc({ state, code, actor }),
    payoutAdjusted: (adjustment, actor) => adjusted.inc({ adjustment, actor }),
    ...deposits,
    ...requests,
    railCalled: (rail, call, answer, latencyMs) => railCalls.observe({ rail, call, answer }, latencyMs / SECOND_MS),
    railNotified: (rail, outcome) => notified.inc({ rail, outcome }),
    railFloat: (rail, money) => floats.set({ rail, currency: money.currency }, Number(formatAmount(money))),
    ...callbacks,
    batchCommitted(batch, size, elapsedMs) {
      commits.observe({ batch }, elapsedMs / SECOND_MS);
      sizes.observe({ batch }, size);
    },
    problem: () => problems.inc(),
    alertRaised: (alert) => alerts.inc({ alert }),
    showQueues,
    showProof,
    watchRails,
    watchProcesses,
    contentType: registry.contentType,
    text: () => registry.metrics(),
  };
}

function requestInstruments(make: Instruments): Pick<Metrics, 'requestAnswered' | 'requestNotLogged'> {
  const answered = make.seconds('request', 'Time from the request to its response, by route and status.', [
    'route',
    'status',
  ]);
  const notLogged = make.counter(
    'requests_not_logged_total',
    'Merchants’ requests that the request log dropped, by cause: the budget of the merchant, a full queue, or the database.',
    ['cause'],
  );
  return {
    requestAnswered: (route, status, elapsedMs) => answered.observe({ route, status }, elapsedMs / SECOND_MS),
    requestNotLogged: (cause, count) => notLogged.inc({ cause }, count),
  };
}

type DepositMetrics = Pick<
  Metrics,
  | 'depositOpened'
  | 'depositRejected'
  | 'depositFinal'
  | 'depositAdjusted'
  | 'attemptLimited'
  | 'transferReceived'
  | 'addressesUsed'
>;

function depositInstruments(make: Instruments): DepositMetrics {
  const opened = make.counter('deposits_opened_total', 'Opened deposits.', ['payment_type', 'currency']);
  const rejected = make.counter('deposits_rejected_total', 'Rejected deposit requests, by reason.', ['reason']);
  const final = make.counter('deposits_final_total', 'Deposits that reached a final state.', ['state', 'reason']);
  const adjusted = make.counter(
    'deposits_adjusted_total',
    'Refunds, chargebacks, debits and reversals after the final state of a deposit.',
    ['adjustment', 'rail', 'outcome'],
  );
  const tries = make.counter('attempts_limited_total', 'Payment attempts that an attempt limit rejected.', ['subject']);
  const received = make.counter('transfers_received_total', 'Incoming transfers, by state and mismatch.', [
    'rail',
    'state',
    'mismatch',
  ]);
  const used = make.gauge('addresses_used', 'Payment addresses in use, by rail.', ['rail']);
  const capacity = make.gauge('addresses', 'Payment addresses that a rail can issue in total.', ['rail']);
  return {
    depositOpened: (payment_type, currency) => opened.inc({ payment_type, currency }),
    depositRejected: (reason) => rejected.inc({ reason }),
    depositFinal: (state, reason) => final.inc({ state, reason }),
    depositAdjusted: (adjustment, rail, outcome) => adjusted.inc({ adjustment, rail, outcome }),
    attemptLimited: (subject) => tries.inc({ subject }),
    transferReceived: (rail, state, mismatch) => received.inc({ rail, state, mismatch }),
    addressesUsed(rail, taken, all) {
      used.set({ rail }, taken);
      capacity.set({ rail }, all);
    },
  };
}

function callbackInstruments(make: Instruments): Pick<Metrics, 'callbackAttempted' | 'callbackFinished'> {
  const attempts = make.seconds('callback_attempt', 'Duration of callback delivery attempts, by outcome.', ['outcome']);
  const waited = make.seconds(
    'callback_wait',
    'Time from the creation of a callback to its first delivery attempt.',
    [],
    WAIT_SECONDS,
  );
  const finished = make.counter(
    'callbacks_finished_total',
    'Callbacks that were delivered, or that the gateway stopped delivering.',
    ['state'],
  );
  return {
    callbackAttempted(outcome, latencyMs, waitedMs) {
      attempts.observe({ outcome }, latencyMs / SECOND_MS);
      if (waitedMs !== null) waited.observe(waitedMs / SECOND_MS);
    },
    callbackFinished: (state) => finished.inc({ state }),
  };
}

function queueGauges(make: Instruments): Metrics['showQueues'] {
  const depth = make.gauge('payout_queue_depth', 'Pending payouts, by rail and stage.', ['rail', 'stage']);
  const stageAge = make.gauge('payout_stage_age_seconds', 'Age of the oldest payout in a stage.', ['rail', 'stage']);
  const dueAge = make.gauge('payout_due_age_seconds', 'Time since the oldest unclaimed payout became due.', ['rail']);
  const callbacks = make.gauge('callback_queue_depth', 'Undelivered callbacks, due now or later.', []);
  const callbackAge = make.gauge('callback_due_age_seconds', 'Time since the oldest unsent callback became due.', []);
  const lanes = make.gauge(
    'callback_lanes_paused',
    'Merchants whose callbacks are paused after delivery failures.',
    [],
  );
  const differences = make.gauge('differences_open', 'Unresolved differences between providers and the ledger.', [
    'rail',
    'kind',
  ]);
  const ageOf = (since: Instant | null, now: Instant) => (since === null ? 0 : Math.max(0, now - since) / SECOND_MS);
  return (statistics, now) => {
    for (const gauge of [depth, stageAge, dueAge, differences]) gauge.reset();
    for (const { rail, kind, count } of statistics.differences) differences.set({ rail, kind }, count);
    for (const { rail, stage, count, oldestSince } of statistics.payoutStages) {
      depth.set({ rail, stage }, count);
      stageAge.set({ rail, stage }, ageOf(oldestSince, now));
    }
    for (const { rail, oldestDueAt } of statistics.payoutsDue) dueAge.set({ rail }, ageOf(oldestDueAt, now));
    callbacks.set(statistics.callbacks.waiting);
    callbackAge.set(ageOf(statistics.callbacks.oldestDueAt, now));
    lanes.set(statistics.callbacks.lanesPaused);
  };
}

function proofGauges(make: Instruments): Metrics['showProof'] {
  const age = make.gauge('backup_proof_age_seconds', 'Age of the newest backup proof, from its start.', []);
  const succeeded = make.gauge('backup_proof_succeeded', '1 if the newest proof of a backup found no problem.', []);
  const lost = make.gauge(
    'backup_lost_seconds',
    'Data-loss window in the latest backup proof that measured it (RPO).',
    [],
  );
  const restored = make.gauge(
    'backup_restore_seconds',
    'Duration of the restore in the latest backup proof that measured it (RTO).',
    [],
  );
  return (proof, now) => {
    age.set(Math.max(0, now - proof.startedAt) / SECOND_MS);
    succeeded.set(isProven(proof) ? 1 : 0);
    if (proof.lostMs !== null) lost.set(proof.lostMs / SECOND_MS);
    if (proof.restoredInMs !== null) restored.set(proof.restoredInMs / SECOND_MS);
  };
}

/** Returns a function that sets the source of the rail states. Without a source the page shows no rails. */
function railGauges(make: Instruments): Metrics['watchRails'] {
  let read: () => ReadonlyMap<string, RailState> = () => new Map();
  make.gauge('rail_calls_in_flight', 'Calls to a rail in flight in this process.', ['rail'], (gauge) => {
    for (const [rail, { inFlight }] of read()) gauge.set({ rail }, inFlight);
  });
  make.gauge(
    'rail_breaker',
    '1 for the current state of the circuit breaker of a rail, 0 for the other states.',
    ['rail', 'state'],
    (gauge) => {
      for (const [rail, { breaker }] of read()) {
        for (const state of BREAKER_STATES) gauge.set({ rail, state }, state === breaker ? 1 : 0);
      }
    },
  );
  return (states) => {
    read = states;
  };
}

/** Only a supervisor shows these. */
function processGauges(make: Instruments): Metrics['watchProcesses'] {
  let read: (() => ProcessTally) | undefined;
  const show = (own: string, help: string, value: (tally: ProcessTally) => number) =>
    make.gauge(own, help, [], (gauge) => {
      if (read) gauge.set(value(read()));
      else gauge.remove();
    });
  show('processes', 'Processes that the supervisor should run.', ({ wanted }) => wanted);
  show('processes_serving', 'Processes that serve requests.', ({ serving }) => serving);
  show('processes_died', 'Processes that crashed since the supervisor started.', ({ died }) => died);
  return (tally) => {
    read = tally;
  };
}

type Instruments = ReturnType<typeof instrumentsOf>;

/** Names all instruments alike: with the prefix, and with seconds as the unit of time. */
function instrumentsOf(registry: Registry) {
  const registers = [registry];
  const name = (own: string) => `gateway_${own}`;
  const histogram = (own: string, help: string, labelNames: string[], buckets: number[]) =>
    new Histogram({ name: name(own), help, labelNames, buckets, registers });
  return {
    counter: (own: string, help: string, labelNames: string[]) =>
      new Counter({ name: name(own), help, labelNames, registers }),
    gauge: (own: string, help: string, labelNames: string[], collect?: (gauge: Gauge<string>) => void) =>
      new Gauge({
        name: name(own),
        help,
        labelNames,
        registers,
        ...(collect
          ? {
              collect() {
                collect(this);
              },
            }
          : {}),
      }),
    histogram,
    seconds: (own: string, help: string, labelNames: string[], buckets = FAST_SECONDS) =>
      histogram(`${own}_seconds`, help, labelNames, buckets),
  };
}
