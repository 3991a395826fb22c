/**
 * Alerts: events that need a person, posted as JSON to a configured address. One kind, or one kind and rail, is posted at
 * most once in ten minutes. The next post counts those held back. An alert never throws and never delays its caller.
 */
import { request } from 'undici';
import { afterDelay, type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Log } from './log.ts';
import type { Level } from './log-events.ts';
import { redactText, reduceError } from './redact.ts';
import { RUNBOOKS, RUNBOOKS_PAGE } from './runbooks.ts';

/** The closed list of kinds, with the sentence that heads each alert. */
export const ALERTS = {
  credential_refused:
    'A provider refuses our credential. Its payouts and payments wait. Check the variables of the rail.',
  rail_down:
    'A rail did not answer five payouts in a row. The gateway retries it with one payout at a time; the others wait or take another route.',
  rail_back: 'A rail that was down answers again.',
  proxy_not_trusted:
    'Requests from one address carry X-Forwarded-For, and TRUSTED_PROXIES does not name it. If it is your proxy, add it. Until then every client appears under that address.',
  notification_unauthentic:
    'A notification failed authentication: its signature, credential or sender address is wrong. It had no effect.',
  notification_unknown_reference:
    'A provider notified us of a payout or payment that this gateway does not have. Run "gateway difference list".',
  notification_wrong_amount:
    'A provider notified us of a payout or payment whose amount differs from ours. Run "gateway difference list".',
  notification_unconfirmed:
    'A bank notified us of a large transfer, or of a change of a payout or payment after its end, and did not confirm it when asked. Run "gateway difference list".',
  payout_adjusted:
    'A bank changed the outcome of a payout after its final state. Run "gateway payout show", and inform the merchant.',
  payout_seal_broken:
    'A payout is not sent, because somebody changed its row in the database after the acceptance. This may be fraud. Run "gateway payout show", and follow the runbook.',
  deposit_excess:
    'A provider took back more than a payment brought, or reversed an adjustment that it never reported. The gateway posted only a part. Run "gateway difference list".',
  payouts_not_claimed: 'Payouts are due and no worker claims them. Check the workers, pauses and breakers.',
  payouts_unknown:
    'Payouts have had an unknown outcome for over an hour, and their bank confirms no result. Run "gateway rail list", and ask the bank.',
  payments_overdue: 'Payments have not ended by their deadline. Run "gateway deposit overdue", and ask the provider.',
  payouts_overdue: 'Payouts have not ended by their deadline. Run "gateway payout overdue", and ask the provider.',
  callbacks_late: 'Callbacks are due and no worker sends them. Check the workers.',
  callback_undelivered:
    'The gateway stopped delivering a callback, because the merchant never acknowledged it. Run "gateway callback resend" once its server answers.',
  callback_lane_paused:
    'The callback address of a merchant keeps failing. The gateway pauses its callbacks, and probes the address with one callback. Run "gateway callback list", and inform the merchant.',
  transfer_held:
    'Money that does not match its deposit is held until you run "gateway deposit resolve" or "gateway deposit return".',
  attempts_limited:
    'The attempt limits reject many payments of one merchant. Somebody may be testing stolen cards, or making banks message strangers.',
  float_low: 'The prefunded balance at a rail is below its threshold. Payouts queue when it runs out.',
  payouts_differ: 'A provider and the ledger disagree about payouts. Run "gateway difference list".',
  recovering:
    'The gateway was restored from a backup and is recovering: follow "gateway after-restore status" until it is completed.',
  transfers_found:
    'A bank lists transfers that it never notified us of. The gateway recorded them. Check the notification address at the bank.',
  transfers_differ:
    'A bank lists a transfer with an amount that differs from the recorded one. Run "gateway difference list".',
  addresses_low: 'Few unused payment addresses are left. Ask the provider for more.',
  invariant_broken: 'An invariant of the ledger is broken. Run "gateway verify".',
  backup_not_proven:
    'The newest backup has no proof, or there was no backup for two days. Run "gateway backup proofs".',
  emergency_act:
    'A person with a shell on the server performed a dangerous act without a second person. Run "gateway audit list".',
  process_died: 'A process of the gateway crashed. The supervisor restarts it. Read the log.',
  process_not_replaced:
    'A process was not replaced: the new one ended during its start. The old one continues. Read the log.',
  internal_error: 'A request failed because of a bug, or its outcome is unknown. Read the log.',
  problem: 'An internal task failed unexpectedly. Read the log.',
} as const;

export type AlertKind = keyof typeof ALERTS;

const WARNINGS: readonly AlertKind[] = [
  ...(['rail_down', 'proxy_not_trusted', 'notification_unauthentic', 'callbacks_late'] as const),
  ...(['callback_undelivered', 'callback_lane_paused', 'transfer_held', 'attempts_limited', 'float_low'] as const),
  ...(['recovering', 'transfers_found', 'addresses_low', 'emergency_act'] as const),
];

/** The level of an alert's log line. */
export function levelOf(kind: AlertKind): Level {
  if (kind === 'rail_back') return 'info';
  return WARNINGS.includes(kind) ? 'warn' : 'error';
}

/** Never throws and never waits. `detail` names the object of the alert, without secrets. */
export type RaiseAlert = (kind: AlertKind, detail: string) => void;

export interface Alerts {
  readonly raise: RaiseAlert;
  /** Stops retrying, and resolves once no post is in flight. */
  close(): Promise<void>;
}

interface AlertsParts {
  /** The address for posts. Null: alerts are only logged. */
  readonly url: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly onRaised: (kind: AlertKind) => void;
}

/** Held back per rail: the detail is the rail's name. */
const PER_RAIL: ReadonlySet<AlertKind> = new Set(['rail_down', 'rail_back']);

const QUIET_MS = 10 * MINUTE_MS;
const MAX_QUEUED = 64;
const ATTEMPT_MS = 5 * SECOND_MS;
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS] as const;

interface Alert {
  readonly kind: AlertKind;
  readonly body: string;
}

export function createAlerts({ url, clock, log, onRaised }: AlertsParts): Alerts {
  const lastOf = new Map<string, { at: Instant; heldBack: number }>();
  const queue: Alert[] = [];
  const stopping = new AbortController();
  let sender: Promise<void> | undefined;

  function raise(kind: AlertKind, detail: string): void {
    onRaised(kind);
    const now = clock.now();
    const subject = PER_RAIL.has(kind) ? `${kind} ${detail}` : kind;
    const last = lastOf.get(subject);
    if (last && now - last.at < QUIET_MS) {
      last.heldBack += 1;
      return;
    }
    lastOf.set(subject, { at: now, heldBack: 0 });
    log('alert_raised', { alert: kind, detail }, levelOf(kind));
    if (url !== null && !stopping.signal.aborted)
      enqueue(url, { kind, body: bodyOf(kind, detail, now, last?.heldBack ?? 0) });
  }

  function enqueue(address: string, alert: Alert): void {
    if (queue.length >= MAX_QUEUED) {
      log('alert_not_sent', { alert: alert.kind, reason: 'too many wait' });
      return;
    }
    queue.push(alert);
    sender ??= sendQueued(address);
  }

  async function sendQueued(address: string): Promise<void> {
    for (let alert = queue.shift(); alert; alert = queue.shift()) {
      const failure = await sendPatiently(address, alert.body);
      if (failure === undefined) log('alert_sent', { alert: alert.kind });
      else log('alert_not_sent', { alert: alert.kind, reason: failure });
    }
    // In the same turn of the event loop: an alert queued from here on starts the next sender.
    sender = undefined;
  }

  async function sendPatiently(address: string, body: string): Promise<string | undefined> {
    let failure = await post(clock, address, body);
    for (const pauseMs of RETRY_AFTER_MS) {
      if (failure === undefined || stopping.signal.aborted) break;
      await clock.sleep(pauseMs, stopping.signal);
      if (!stopping.signal.aborted) failure = await post(clock, address, body);
    }
    return failure;
  }

  return {
    raise,
    async close() {
      stopping.abort();
      await sender;
    },
  };
}

function bodyOf(kind: AlertKind, detail: string, at: Instant, heldBack: number): string {
  const text = `${ALERTS[kind]} ${redactText(detail)}`;
  const runbook = `${RUNBOOKS_PAGE}#${RUNBOOKS[kind]}`;
  return JSON.stringify({ kind, text, at: new Date(at).toISOString(), held_back: heldBack, runbook });
}

/** Undefined when the receiver accepted the alert, else the reason for the failure. */
async function post(clock: Clock, url: string, body: string): Promise<string | undefined> {
  const late = new AbortController();
  const answered = afterDelay(clock, ATTEMPT_MS, () => late.abort());
  try {
    const response = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: late.signal,
    });
    await response.body.dump();
    return response.statusCode < 300 ? undefined : `HTTP ${response.statusCode}`;
  } catch (error) {
    const { name, code } = reduceError(error);
    return code ?? name;
  } finally {
    answered();
  }
}
