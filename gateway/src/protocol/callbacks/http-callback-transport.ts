/**
 * CallbackTransport over HTTP: one attempt, bounded in time and bytes, only to verified addresses (decisions 42 and
 * 44). A merchant's response is untrusted text, so it is bounded and cleaned. This file must not follow redirects or
 * retry.
 */
import { Agent, errors } from 'undici';
import type { Callback, DeliveryOutcome, DeliveryReport } from '../../domain/callbacks/callback.ts';
import type { CallbackTransport } from '../../domain/callbacks/callback-transport.ts';
import { callbackAddress, readTarget, type TargetPolicy } from '../../domain/merchants/callback-target.ts';
import type { MerchantWithKeys } from '../../domain/merchants/merchant.ts';
import { type Clock, type Instant, SECOND_MS } from '../../foundation/clock.ts';
import { MODE_HEADER, type Mode } from '../../foundation/environment.ts';
import { exchangeHttp, type HttpAnswer } from '../../foundation/http-exchange.ts';
import { createTimeouts, type Timeouts } from '../../foundation/timeouts.ts';
import { createGuardedConnector, createLookUp, ForbiddenAddress, type LookUp } from './guarded-connector.ts';
import { type CallbackRequest, signCallback } from './sign-callback.ts';

export interface HttpCallbackTransportParts {
  readonly policy: TargetPolicy;
  /** The value of the header gateway-mode in each callback. */
  readonly mode: Mode;
  readonly clock: Clock;
  /** The clock that the receiver's clock must agree with. Defaults to `clock`, which a sandbox moves. */
  readonly signingTime?: () => Instant;
  /** Defaults to the machine's name servers. */
  readonly lookUp?: LookUp;
}

/** The limit of the entire attempt: lookup, connection, headers and body. */
const ATTEMPT_TIMEOUT_MS = 15 * SECOND_MS;
const CONNECTIONS_PER_ORIGIN = 128;
/** This is shorter than the usual keep-alive of servers, so that a request rarely meets a closing connection. */
const KEEP_ALIVE_MS = 2 * SECOND_MS;

type Reply = Omit<DeliveryReport, 'latencyMs'>;

export function createHttpCallbackTransport(parts: HttpCallbackTransportParts): CallbackTransport {
  const { policy, clock, mode, signingTime = clock.now } = parts;
  const timeouts = createTimeouts(clock, ATTEMPT_TIMEOUT_MS);
  const agent = new Agent({
    connect: createGuardedConnector(policy, parts.lookUp ?? createLookUp(policy)),
    allowH2: false,
    connections: CONNECTIONS_PER_ORIGIN,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 30 * SECOND_MS,
    headersTimeout: 0,
    bodyTimeout: 0,
  });

  async function deliver(callback: Callback, recipient: MerchantWithKeys, signal: AbortSignal): Promise<Reply> {
    const address = callbackAddress(callback.subject, recipient.merchant);
    if (address === null) return failure('no_address', 'No URL is set');
    const target = readTarget(address, policy);
    if (!target.ok) return failure('forbidden_address', target.error);
    const { request: written, sent } = signCallback(callback, recipient, target.value, signingTime());
    const request = { ...written, headers: { ...written.headers, [MODE_HEADER]: mode } };
    const anyBody = recipient.merchant.settings.callback_ack === 'any_2xx';
    const reply = await withinTime(timeouts, signal, (limit) =>
      send(agent, target.value.origin, request, anyBody, limit, clock.now()),
    );
    return { ...reply, sent };
  }

  return {
    async deliver(callback, recipient, signal) {
      const startedAt = clock.now();
      const reply = await deliver(callback, recipient, signal);
      return { ...reply, latencyMs: clock.now() - startedAt };
    },
    close: () => agent.destroy(),
  };
}

function failure(outcome: DeliveryOutcome, reply: string): Reply {
  return { outcome, httpStatus: null, reply, retryAfterMs: null };
}

/** Runs `attempt` until it ends, times out, or `signal` aborts. Turns every exception into a response. */
async function withinTime(
  timeouts: Timeouts,
  signal: AbortSignal,
  attempt: (limit: AbortSignal) => Promise<Reply>,
): Promise<Reply> {
  const limit = new AbortController();
  const stop = () => limit.abort();
  signal.addEventListener('abort', stop, { once: true });
  const ended = timeouts.start(stop);
  if (signal.aborted) stop();
  try {
    return await attempt(limit.signal);
  } catch (error) {
    if (limit.signal.aborted) return failure('timed_out', 'No complete response in time');
    return failureOf(error);
  } finally {
    signal.removeEventListener('abort', stop);
    ended();
  }
}

function failureOf(error: unknown): Reply {
  if (error instanceof ForbiddenAddress) return failure('forbidden_address', error.message);
  if (error instanceof errors.ConnectTimeoutError) return failure('timed_out', 'No connection in time');
  const { code, message } = error as NodeJS.ErrnoException;
  return failure('unreachable', shownReply(Buffer.from([code, message].filter(Boolean).join(': '))));
}

async function send(
  agent: Agent,
  origin: string,
  request: CallbackRequest,
  anyBody: boolean,
  signal: AbortSignal,
  now: Instant,
): Promise<Reply> {
  const answer = await exchangeHttp(agent, {
    request: { origin, ...request },
    signal,
    largestBytes: MOST_READ_BYTES,
    // With any_2xx only the status matters, so an endless body has no effect.
    ...(anyBody ? { isEnough: isSuccess } : {}),
  });
  return {
    outcome: outcomeOf(answer, anyBody),
    httpStatus: answer.statusCode,
    reply: shownReply(answer.body),
    retryAfterMs: isSuccess(answer.statusCode) ? null : readRetryAfter(answer.headers['retry-after'], now),
  };
}

function isSuccess(statusCode: number): boolean {
  return statusCode >= 200 && statusCode < 300;
}

function outcomeOf({ statusCode, body }: HttpAnswer, anyBody: boolean): DeliveryOutcome {
  if (statusCode >= 300 && statusCode < 400) return 'redirected';
  if (!isSuccess(statusCode)) return 'refused_status';
  return anyBody || body.toString('utf8').trim().toLowerCase() === 'ok' ? 'accepted' : 'refused_body';
}

/** The transport closes the connection after this many bytes. */
const MOST_READ_BYTES = 64 * 1024;
const MOST_KEPT_BYTES = 1024;

/** Returns at most the first KiB, as text that PostgreSQL can store and a terminal can show. */
function shownReply(bytes: Buffer): string {
  const text = bytes.subarray(0, MOST_KEPT_BYTES).toString('utf8');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to go
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/g, '\ufffd');
}

/** Milliseconds from `now`, from a number of seconds or a date. Null if the header is missing or invalid. */
function readRetryAfter(header: string | string[] | undefined, now: Instant): number | null {
  if (typeof header !== 'string') return null;
  if (/^\d{1,9}$/.test(header)) return Number(header) * SECOND_MS;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(at - now, 0);
}
