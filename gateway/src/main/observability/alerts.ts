/**
 * Alerts: what a person has to hear of, posted as JSON to a configured address. At most one of a kind in ten minutes, or one
 * of a kind and a rail; the next one says how many were held back meanwhile. It holds up nobody and never throws.
 */
import { request } from 'undici';
import { afterDelay, type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Log } from './log.ts';
import { redactText, reduceError } from './redact.ts';

/** The closed list of kinds, with the sentence that heads each alert. */
export const ALERTS = {
  credential_refused: 'A provider refuses our credential: nothing goes through until it is mended.',
  rail_down:
    'A rail did not answer five payouts in a row. The gateway retries it with one payout at a time; the others wait or take another route.',
  rail_back: 'A rail that was down answers again.',
  proxy_not_trusted:
    'Requests from one address carry X-Forwarded-For, and TRUSTED_PROXIES does not name it. If it is your proxy, add it: until then every client has its address.',
  notification_unauthentic: 'A notification came that no bank signed, or under a secret that is not ours.',
  notification_unknown_reference: 'A bank tells of a payout that this gateway does not know.',
  notification_wrong_amount: 'A bank tells of a payout with another amount than the one that was sent.',
  notification_unconfirmed: 'A large transfer was told of, and the bank, when asked, does not confirm it.',
  payout_adjusted: 'A bank changed the outcome of a payout after its final state.',
  deposit_excess:
    'A provider tells of more than a payment brought, or undoes what it has not told: not all of it was posted.',
  payouts_not_taken: 'Payouts are due and no worker takes them.',
  payouts_unknown: 'A bank has not said for long what became of a payout.',
  payments_overdue: 'Payments have not ended by their deadline. Ask the provider: gateway deposit overdue lists them.',
  payouts_overdue: 'Payouts have not ended by their deadline. Ask the provider: gateway payout overdue lists them.',
  callbacks_late: 'Callbacks are due and are not sent.',
  callback_undelivered: 'A callback was given up: the merchant was never told.',
  callback_lane_paused: "A merchant's callback address keeps failing; its callbacks pause.",
  transfer_held: 'Money came in that fits no deposit; it is held for you.',
  attempts_limited:
    'The attempt limits reject many payments of one merchant. Somebody may be testing stolen cards, or having banks write to strangers.',
  float_low: 'Our money at a provider runs out: its payouts will wait.',
  payouts_differ: 'What a provider says of payouts and the ledger disagree.',
  recovering:
    'The gateway was restored from a backup and is recovering: follow "gateway after-restore status" until it is completed.',
  transfers_found: 'Transfers came in that no notification had told of.',
  transfers_differ: 'A transfer was recorded with another amount than the bank lists.',
  addresses_low: 'The addresses that payers pay to run out.',
  invariant_broken: 'The books contradict themselves.',
  process_died: 'A process of the gateway ended by itself; it is started again.',
  process_not_replaced: 'A process could not be replaced: the new one ended at its start, and the old one goes on.',
  internal_error: 'A request met a bug, or an outcome that could not be known.',
  problem: 'Something failed that should not have.',
} as const;

export type AlertKind = keyof typeof ALERTS;

/** Never throws and waits for nothing. `detail` names what it is about, without secrets. */
export type RaiseAlert = (kind: AlertKind, detail: string) => void;

export interface Alerts {
  readonly raise: RaiseAlert;
  /** Tries no more and resolves once nothing is under way. */
  close(): Promise<void>;
}

export interface AlertsParts {
  /** Where to post; null: alerts are only logged. */
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
    log('alert_raised', { alert: kind, detail });
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
    // At once, with nothing awaited in between: an alert that is queued from here on starts the next sender.
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
  return JSON.stringify({ kind, text, at: new Date(at).toISOString(), held_back: heldBack });
}

/** Undefined when it was taken, else why not. */
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
