/**
 * Alerts: events that need a user’s attention, posted as JSON to a configured URL. Each kind, or kind and rail, is posted at
 * most once in ten minutes. The next post counts those held back. An alert never throws and never delays its caller.
 */
import { request } from 'undici';
import { afterDelay, type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import { ALERTS, type AlertKind, LEVELS, RUNBOOKS_PAGE } from './alert-kinds.ts';
import type { Log } from './log.ts';
import { redactText, reduceError } from './redact.ts';

/** Never throws and never waits. `detail` identifies the object of the alert, without secrets. */
export type RaiseAlert = (kind: AlertKind, detail: string) => void;

export interface Alerts {
  readonly raise: RaiseAlert;
  /** Stops retrying, and resolves once no post is in flight. */
  close(): Promise<void>;
}

interface AlertsParts {
  /** The address for posts. If null, the gateway only logs alerts. */
  readonly url: string | null;
  /** The address of the page of runbooks. If null, alerts contain its path in the documentation. */
  readonly runbooksUrl: string | null;
  readonly clock: Clock;
  readonly log: Log;
  readonly onRaised: (kind: AlertKind) => void;
}

/** Held back per rail: their detail is the rail's name. */
const PER_RAIL: ReadonlySet<AlertKind> = new Set(['rail_down', 'rail_back']);

const QUIET_MS = 10 * MINUTE_MS;
const MAX_QUEUED = 64;
const ATTEMPT_MS = 5 * SECOND_MS;
const RETRY_AFTER_MS = [5 * SECOND_MS, 30 * SECOND_MS, 2 * MINUTE_MS] as const;

interface Alert {
  readonly kind: AlertKind;
  readonly body: string;
}

export function createAlerts({ url, runbooksUrl, clock, log, onRaised }: AlertsParts): Alerts {
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
    log('alert_raised', { alert: kind, detail }, LEVELS[ALERTS[kind].severity]);
    if (url !== null && !stopping.signal.aborted)
      enqueue(url, { kind, body: bodyOf(kind, detail, now, last?.heldBack ?? 0) });
  }

  function bodyOf(kind: AlertKind, detail: string, now: Instant, heldBack: number): string {
    const { severity, text, runbook } = ALERTS[kind];
    return JSON.stringify({
      kind,
      severity,
      text: `${text} About: ${redactText(detail)}`,
      at: new Date(now).toISOString(),
      held_back: heldBack,
      runbook: `${runbooksUrl ?? RUNBOOKS_PAGE}#${runbook}`,
    });
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
    // Clear `sender` in the same turn of the event loop, so that an alert queued afterwards starts a new sender.
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

/** Returns undefined when the receiver accepted the alert, otherwise the reason for the failure. */
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
