/**
 * Sends messages until they are accepted, with growing pauses, and limits the waiting messages and those in flight. The caller
 * defines the message, the transport and the acceptance.
 */
import { request } from 'undici';
import { type Clock, TimerSet } from '../clock.ts';

/** The result of one attempt. A refusal is a short text for the log, and the message is sent again. */
export type Attempt<Answer> = { readonly answer: Answer } | { readonly refusal: string };

interface SenderOptions<Message, Answer> {
  /** The sender's name, as the prefix of log lines. */
  readonly owner: string;
  /** Returns the name of a message for the log. */
  readonly nameOf: (message: Message) => string;
  readonly attempt: (message: Message, signal: AbortSignal) => Promise<Attempt<Answer>>;
  readonly onAccepted: (message: Message, answer: Answer) => void;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly limits?: SenderLimits;
  readonly pace?: Pace;
}

/** When and how often a message is retried. */
export interface Pace {
  /** The pauses before the second, third, … attempt. The last pause repeats. */
  readonly pausesMs?: readonly number[];
  /** The upper limit of a pause. */
  readonly longestPauseMs?: number;
  /** The sender gives up after this many attempts. */
  readonly mostAttempts?: number;
}

export interface SenderLimits {
  readonly inFlight: number;
  readonly waiting: number;
}

const USUAL_PAUSES_MS: readonly number[] = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

const USUAL_LIMITS: SenderLimits = { inFlight: 8, waiting: 10_000 };

interface Sending<Message> {
  readonly message: Message;
  attempts: number;
  /** Resolves the promise of `send`, whether or not the first attempt succeeded. */
  readonly firstAttemptMade: () => void;
}

export class RetryingSender<Message, Answer> {
  readonly #options: SenderOptions<Message, Answer>;
  readonly #limits: SenderLimits;
  readonly #timers: TimerSet;
  #stopping = new AbortController();
  #ready: Sending<Message>[] = [];
  /** The number of messages neither accepted nor given up: ready, in flight or pausing. */
  #open = 0;
  #inFlight = 0;

  constructor(options: SenderOptions<Message, Answer>) {
    this.#options = options;
    this.#limits = options.limits ?? USUAL_LIMITS;
    this.#timers = new TimerSet(options.clock);
  }

  /** Sends until accepted. Resolves after the first attempt, whether or not it succeeded. */
  send(message: Message): Promise<void> {
    if (this.#open >= this.#limits.waiting) {
      const { owner, nameOf, log } = this.#options;
      log(`${owner}: too many notifications wait; ${nameOf(message)} is not sent`);
      return Promise.resolve();
    }
    this.#open += 1;
    return new Promise((resolve) => {
      this.#enqueue({ message, attempts: 0, firstAttemptMade: resolve });
    });
  }

  /** Drops all waiting messages and aborts those in flight. A later acceptance is not reported. */
  stop(): void {
    this.#timers.cancelAll();
    this.#stopping.abort();
    this.#stopping = new AbortController();
    for (const sending of this.#ready) sending.firstAttemptMade();
    this.#ready = [];
    this.#open = this.#inFlight;
  }

  #enqueue(sending: Sending<Message>): void {
    this.#ready.push(sending);
    this.#startReady();
  }

  #startReady(): void {
    while (this.#inFlight < this.#limits.inFlight) {
      const sending = this.#ready.shift();
      if (sending === undefined) return;
      this.#inFlight += 1;
      void this.#attempt(sending);
    }
  }

  async #attempt(sending: Sending<Message>): Promise<void> {
    const { signal } = this.#stopping;
    const outcome = await this.#options.attempt(sending.message, signal);
    this.#inFlight -= 1;
    sending.attempts += 1;
    sending.firstAttemptMade();
    if (signal.aborted || 'answer' in outcome) this.#open -= 1;
    else this.#pause(sending, outcome.refusal);
    if ('answer' in outcome && !signal.aborted) this.#options.onAccepted(sending.message, outcome.answer);
    this.#startReady();
  }

  #pause(sending: Sending<Message>, refusal: string): void {
    const { owner, nameOf, log, pace = {} } = this.#options;
    const { pausesMs = USUAL_PAUSES_MS, longestPauseMs = Infinity, mostAttempts = Infinity } = pace;
    const refused = `${owner}: notification ${nameOf(sending.message)} not accepted (${refusal})`;
    if (sending.attempts >= mostAttempts) {
      this.#open -= 1;
      log(`${refused}, given up`);
      return;
    }
    const pauseMs = Math.min(pausesMs[Math.min(sending.attempts, pausesMs.length) - 1] ?? 0, longestPauseMs);
    log(`${refused}, again in ${pauseMs} ms`);
    this.#timers.after(pauseMs, () => this.#enqueue(sending));
  }
}

const ATTEMPT_TIMEOUT_MS = 10_000;

export interface Answered {
  readonly status: number;
  readonly text: string;
}

type Posted = Answered | { readonly refusal: string };

/** A body and its target URL. */
export interface Letter {
  readonly url: string;
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

export function jsonLetter(url: string, body: object | string, headers: Letter['headers'] = {}): Letter {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  return { url, body: text, headers: { 'content-type': 'application/json', ...headers } };
}

export function formLetter(url: string, fields: Readonly<Record<string, string>>): Letter {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { url, body: new URLSearchParams(fields).toString(), headers };
}

/** Follows no redirects. Resolves to the response, or to the reason for its absence. */
export async function post({ url, body, headers }: Letter, stopping: AbortSignal): Promise<Posted> {
  try {
    const timeouts = { headersTimeout: ATTEMPT_TIMEOUT_MS, bodyTimeout: ATTEMPT_TIMEOUT_MS };
    const answer = await request(url, { method: 'POST', headers, body, signal: stopping, ...timeouts });
    return { status: answer.statusCode, text: await answer.body.text() };
  } catch (error) {
    return { refusal: describe(error) };
  }
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return 'failed';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
