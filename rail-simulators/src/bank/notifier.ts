/**
 * Tells the gateway what happened after the bank's reply: signed, repeated with growing pauses until it is accepted,
 * bounded in how many wait and how many are under way. It knows nothing of why; bank.ts decides what is told.
 */
import { createHmac } from 'node:crypto';
import { type Clock, TimerSet } from '../clock.ts';
import type { Faults } from './faults.ts';
import type { ChangedStatus, Reason } from './magic-amounts.ts';

export interface Notification {
  /** The same on every sending of the same change. */
  readonly notification_id: string;
  readonly reference: string;
  readonly status: ChangedStatus;
  readonly reason: Reason;
  readonly occurred_at: string;
}

export interface NotifierOptions {
  readonly url: string;
  readonly secret: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  readonly log: (line: string) => void;
  readonly onAccepted: (notification: Notification) => void;
  readonly limits?: { readonly underWay: number; readonly waiting: number };
}

/** Before the second attempt, the third, …; the last pause is then kept. */
export const pausesMs: readonly number[] = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

const usualLimits = { underWay: 8, waiting: 10_000 };
const attemptTimeoutMs = 10_000;

interface Sending {
  readonly notification: Notification;
  attempts: number;
  /** Resolves the promise of `send`, whatever came of the first attempt. */
  readonly firstAttemptMade: () => void;
}

export class Notifier {
  readonly #options: NotifierOptions;
  readonly #limits: { readonly underWay: number; readonly waiting: number };
  readonly #timers: TimerSet;
  #stopping = new AbortController();
  #ready: Sending[] = [];
  /** Sendings that are neither accepted nor given up: ready, under way or pausing. */
  #open = 0;
  #underWay = 0;

  constructor(options: NotifierOptions) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
    this.#timers = new TimerSet(options.clock);
  }

  /** Sends until accepted. The promise resolves after the first attempt, whatever came of it. */
  send(notification: Notification): Promise<void> {
    if (this.#open >= this.#limits.waiting) {
      this.#options.log(`stand-in bank: too many notifications wait; ${notification.notification_id} is not sent`);
      return Promise.resolve();
    }
    this.#open += 1;
    return new Promise((resolve) => {
      this.#enqueue({ notification, attempts: 0, firstAttemptMade: resolve });
    });
  }

  /** Forgets everything that waits and breaks off what is under way; an acceptance that comes too late is not told. */
  stop(): void {
    this.#timers.cancelAll();
    this.#stopping.abort();
    this.#stopping = new AbortController();
    for (const sending of this.#ready) sending.firstAttemptMade();
    this.#ready = [];
    this.#open = this.#underWay;
  }

  #enqueue(sending: Sending): void {
    this.#ready.push(sending);
    this.#startReady();
  }

  #startReady(): void {
    while (this.#underWay < this.#limits.underWay) {
      const sending = this.#ready.shift();
      if (sending === undefined) return;
      this.#underWay += 1;
      void this.#attempt(sending);
    }
  }

  async #attempt(sending: Sending): Promise<void> {
    const { signal } = this.#stopping;
    const refusal = await this.#post(sending.notification, signal);
    this.#underWay -= 1;
    sending.attempts += 1;
    sending.firstAttemptMade();
    const isOver = refusal === undefined || signal.aborted;
    if (isOver) this.#open -= 1;
    else this.#pause(sending, refusal);
    if (refusal === undefined && !signal.aborted) this.#options.onAccepted(sending.notification);
    this.#startReady();
  }

  #pause(sending: Sending, refusal: string): void {
    const { notification, attempts } = sending;
    const pauseMs = pausesMs[Math.min(attempts, pausesMs.length) - 1] ?? 0;
    this.#options.log(
      `stand-in bank: notification ${notification.notification_id} not accepted (${refusal}), again in ${pauseMs} ms`,
    );
    this.#timers.after(pauseMs, () => this.#enqueue(sending));
  }

  /** One attempt; undefined when the gateway accepted, else why not. */
  async #post(notification: Notification, stopping: AbortSignal): Promise<string | undefined> {
    const mode = this.#options.faults.notifications;
    if (mode === 'off') return 'switched off';
    const lie = mode === 'wrong_amount' ? { amount: '999999.99', currency: 'EUR' } : {};
    const body = JSON.stringify({ ...notification, ...lie });
    const secret = mode === 'wrong_signature' ? `not ${this.#options.secret}` : this.#options.secret;
    try {
      const response = await fetch(this.#options.url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-stand-in-signature': signatureOf(body, secret) },
        body,
        redirect: 'manual',
        signal: AbortSignal.any([stopping, AbortSignal.timeout(attemptTimeoutMs)]),
      });
      const answer = await response.text();
      return response.status === 200 && answer.trim() === 'OK' ? undefined : `HTTP ${response.status}`;
    } catch (error) {
      return describe(error);
    }
  }
}

/** The signature of a notification: lowercase hex HMAC-SHA256 of the raw body. */
export function signatureOf(body: string, secret: string): string {
  return createHmac('sha256', secret).update(body).digest('hex');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
