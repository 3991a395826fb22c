/**
 * Tells somebody something until it is accepted: repeated with growing pauses, bounded in how many wait and how many are
 * under way. What is told, how, and what counts as accepted is the caller's.
 */
import { request } from 'undici';
import { type Clock, TimerSet } from '../clock.ts';

/** What came of one attempt. A refusal is one short text for the log; the message then comes again. */
export type Attempt<Answer> = { readonly answer: Answer } | { readonly refusal: string };

export interface SenderOptions<Message, Answer> {
  /** Whose messages these are, as the log's lines begin. */
  readonly owner: string;
  /** How the log calls a message. */
  readonly nameOf: (message: Message) => string;
  readonly attempt: (message: Message, signal: AbortSignal) => Promise<Attempt<Answer>>;
  readonly onAccepted: (message: Message, answer: Answer) => void;
  readonly clock: Clock;
  readonly log: (line: string) => void;
  readonly limits?: SenderLimits;
  readonly pace?: Pace;
}

/** How often a message comes again. */
export interface Pace {
  /** Before the second attempt, the third, …; the last pause is then kept. */
  readonly pausesMs?: readonly number[];
  /** No pause is longer than this. */
  readonly longestPauseMs?: number;
  /** What was not accepted by then is given up. */
  readonly mostAttempts?: number;
}

export interface SenderLimits {
  readonly underWay: number;
  readonly waiting: number;
}

const usualPausesMs: readonly number[] = [500, 1_000, 2_000, 5_000, 10_000, 30_000, 60_000];

const usualLimits: SenderLimits = { underWay: 8, waiting: 10_000 };

interface Sending<Message> {
  readonly message: Message;
  attempts: number;
  /** Resolves the promise of `send`, whatever came of the first attempt. */
  readonly firstAttemptMade: () => void;
}

export class RetryingSender<Message, Answer> {
  readonly #options: SenderOptions<Message, Answer>;
  readonly #limits: SenderLimits;
  readonly #timers: TimerSet;
  #stopping = new AbortController();
  #ready: Sending<Message>[] = [];
  /** Sendings that are neither accepted nor given up: ready, under way or pausing. */
  #open = 0;
  #underWay = 0;

  constructor(options: SenderOptions<Message, Answer>) {
    this.#options = options;
    this.#limits = options.limits ?? usualLimits;
    this.#timers = new TimerSet(options.clock);
  }

  /** Sends until accepted. The promise resolves after the first attempt, whatever came of it. */
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

  /** Forgets everything that waits and breaks off what is under way; an acceptance that comes too late is not told. */
  stop(): void {
    this.#timers.cancelAll();
    this.#stopping.abort();
    this.#stopping = new AbortController();
    for (const sending of this.#ready) sending.firstAttemptMade();
    this.#ready = [];
    this.#open = this.#underWay;
  }

  #enqueue(sending: Sending<Message>): void {
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

  async #attempt(sending: Sending<Message>): Promise<void> {
    const { signal } = this.#stopping;
    const outcome = await this.#options.attempt(sending.message, signal);
    this.#underWay -= 1;
    sending.attempts += 1;
    sending.firstAttemptMade();
    if (signal.aborted || 'answer' in outcome) this.#open -= 1;
    else this.#pause(sending, outcome.refusal);
    if ('answer' in outcome && !signal.aborted) this.#options.onAccepted(sending.message, outcome.answer);
    this.#startReady();
  }

  #pause(sending: Sending<Message>, refusal: string): void {
    const { owner, nameOf, log, pace = {} } = this.#options;
    const { pausesMs = usualPausesMs, longestPauseMs = Infinity, mostAttempts = Infinity } = pace;
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

const attemptTimeoutMs = 10_000;

export interface Answered {
  readonly status: number;
  readonly text: string;
}

type Posted = Answered | { readonly refusal: string };

/** What is posted, and where to. */
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

/** One POST of a JSON text, redirects not followed: the answer, or why there was none. */
export function postJson(
  url: string,
  body: string,
  headers: Readonly<Record<string, string>>,
  stopping: AbortSignal,
): Promise<Posted> {
  return post(jsonLetter(url, body, headers), stopping);
}

/** Redirects are not followed. The answer, or why there was none. */
export async function post({ url, body, headers }: Letter, stopping: AbortSignal): Promise<Posted> {
  try {
    const timeouts = { headersTimeout: attemptTimeoutMs, bodyTimeout: attemptTimeoutMs };
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
