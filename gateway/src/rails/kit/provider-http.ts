/**
 * Sends HTTP requests to a provider, and states what a failed request proves. All connectors that use HTTP use it. It keeps a
 * limited number of connections, follows no redirects and never retries. It knows no provider. It must return `not_connected`
 * only if the provider cannot have read a byte of the request.
 */
import { buildConnector, Pool } from 'undici';
import type { WireExchange } from '../../domain/exchanges/exchange-store.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { errorCode } from '../../foundation/error-code.ts';
import { exchangeHttp } from '../../foundation/http-exchange.ts';
import { CertificateRefused, isCertificateRefusal, isDistrust, watchForRefusal } from './certificate-refusal.ts';
import { noteExchange } from './exchange-watch.ts';

interface ProviderHttpOptions {
  /** A URL `https://host[:port][/prefix]`. The prefix comes before every path. */
  readonly baseUrl: string;
  /** The maximum number of connections, with one request each. More requests wait for a free connection. */
  readonly connections: number;
  /** The maximum size of a response; a larger one is treated as no response. Defaults to 64 KiB. */
  readonly largestAnswerBytes?: number;
  /** The certificate for a provider that requests one. Called for each new connection; an exception means `not_connected`. */
  readonly identify?: () => TlsIdentity;
}

/** The certificate and its key as PEM. */
export interface TlsIdentity {
  readonly cert: string;
  readonly key: string;
  /** The certificate authority that we trust for this provider. If undefined, we trust the system's certificate authorities. */
  readonly ca: string | undefined;
}

export interface ProviderRequest {
  readonly verb: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * - `answered`: a complete response arrived, with any status.
 * - `not_connected`: the connection was never established (refused, no such host, TLS failure), so the provider read nothing.
 * - `no_answer`: anything else. The provider may have received the request.
 *
 * `isCertificateRefused`: the provider sent a TLS alert that refuses our certificate.
 */
export type ProviderReply =
  | { readonly kind: 'answered'; readonly status: number; readonly body: Buffer }
  | { readonly kind: 'not_connected'; readonly reason: string; readonly isCertificateRefused?: true }
  | { readonly kind: 'no_answer'; readonly reason: string; readonly isCertificateRefused?: true };

export type Unanswered = Exclude<ProviderReply, { kind: 'answered' }>;

/** Returns true if the provider refused our certificate, so the caller must report a refused credential. */
export function isCertificateRefused(reply: ProviderReply): boolean {
  return reply.kind !== 'answered' && reply.isCertificateRefused === true;
}

export interface ProviderHttp {
  /** Never throws. At the deadline the call ends and closes its connection. It writes nothing after the deadline. */
  exchange(request: ProviderRequest, deadline: Deadline): Promise<ProviderReply>;
  close(): Promise<void>;
}

/** Far below any rail's timeout, so a host that drops packets ends as `not_connected`, not as an unknown outcome. */
const CONNECT_TIMEOUT_MS = 3_000;

/** The connector failed. The code differs from undici's own codes, because undici would retry on those. */
class ConnectionNotMade extends Error {
  override readonly name = 'ConnectionNotMade';
  readonly code = 'CONNECTION_NOT_MADE';
}

/** A process that was stopped while it connected sees its connection before its timers. It has written nothing. */
class TooLateToWrite extends Error {
  override readonly name = 'TooLateToWrite';
}

class AnswerTooLarge extends Error {
  override readonly name = 'AnswerTooLarge';
}

export function createProviderHttp({
  baseUrl,
  connections,
  largestAnswerBytes = 64 * 1024,
  identify,
}: ProviderHttpOptions): ProviderHttp {
  const { origin, pathname } = new URL(baseUrl);
  const prefix = pathname.replace(/\/$/, '');
  const pool = new Pool(origin, {
    connections,
    pipelining: 1,
    allowH2: false,
    // The caller's signal is the deadline, on the caller's clock.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: provingConnector(identify),
  });
  async function exchange(
    { verb, path, headers, body }: ProviderRequest,
    { signal, isPast }: Deadline,
  ): Promise<ProviderReply> {
    try {
      const answer = await exchangeHttp(pool, {
        request: { method: verb, path: prefix + path, headers, body: body ?? null },
        signal,
        largestBytes: largestAnswerBytes,
        beforeWriting() {
          // The last check of the deadline: the connection exists, and nothing was written to it.
          if (isPast()) throw new TooLateToWrite();
        },
      });
      if (answer.isCut) throw new AnswerTooLarge(`the response is over ${largestAnswerBytes} bytes`);
      return { kind: 'answered', status: answer.statusCode, body: answer.body };
    } catch (error) {
      return replyTo(error, signal);
    }
  }

  return {
    async exchange(request, deadline) {
      const reply = await exchange(request, deadline);
      noteExchange(() => wireExchangeOf(request, prefix, reply));
      return reply;
    },
    close: () => pool.close(),
  };
}

function wireExchangeOf(
  { verb, path, body = '' }: ProviderRequest,
  prefix: string,
  reply: ProviderReply,
): WireExchange {
  const request = { method: verb, path: prefix + path, request: body };
  if (reply.kind === 'answered') return { ...request, status: reply.status, reply: reply.body, failure: '' };
  return { ...request, status: null, reply: Buffer.alloc(0), failure: reply.reason };
}

function provingConnector(identify: ProviderHttpOptions['identify']): buildConnector.connector {
  const usual = { timeout: CONNECT_TIMEOUT_MS, allowH2: false };
  const anonymous = buildConnector(usual);
  return (options, callback) => {
    const fail = (error: unknown) => callback(new ConnectionNotMade(codeOf(error), { cause: error }), null);
    try {
      const connect = identify ? buildConnector({ ...usual, ...withoutUndefined(identify()) }) : anonymous;
      connect(options, (error, socket) => {
        if (error) return fail(error);
        watchForRefusal(socket);
        callback(null, socket);
      });
    } catch (error) {
      fail(error);
    }
  };
}

function withoutUndefined({ cert, key, ca }: TlsIdentity): { cert: string; key: string; ca?: string } {
  return ca === undefined ? { cert, key } : { cert, key, ca };
}

function replyTo(error: unknown, signal: AbortSignal): ProviderReply {
  if (error instanceof ConnectionNotMade) return notMade(error);
  if (error instanceof CertificateRefused)
    return refused(error.isNothingRead ? 'not_connected' : 'no_answer', error.code);
  if (error instanceof TooLateToWrite) return { kind: 'not_connected', reason: 'no connection in time' };
  if (signal.aborted) return { kind: 'no_answer', reason: 'no response in time' };
  if (error instanceof AnswerTooLarge) return { kind: 'no_answer', reason: error.message };
  return { kind: 'no_answer', reason: `the connection broke: ${codeOf(error)}` };
}

function notMade({ message, cause }: ConnectionNotMade): Unanswered {
  if (isCertificateRefusal(cause)) return refused('not_connected', message);
  const why = isDistrust(cause) ? `the gateway does not trust the provider’s certificate: ${message}` : message;
  return { kind: 'not_connected', reason: `no connection: ${why}` };
}

function refused(kind: Unanswered['kind'], code: string): Unanswered {
  return { kind, reason: `the provider refuses our certificate: ${code}`, isCertificateRefused: true };
}

/** Returns the error's code or name. Its message may hold the request's content. */
function codeOf(error: unknown): string {
  return errorCode(error) ?? (error instanceof Error ? error.name : 'unknown');
}

/**
 * Timeout, conflict with an earlier request, too early, or too many requests. The provider may be processing an earlier copy,
 * or may still execute this request.
 */
const INDEFINITE: ReadonlySet<number> = new Set([408, 409, 425, 429]);

/** The provider refuses our credentials. It did so before it read the request, whichever payment the request was for. */
export function isCredentialStatus(status: number): boolean {
  return status === 401 || status === 403;
}

/** True for a 4xx status that proves that the provider rejected this request. It proves nothing about earlier requests. */
export function isDefiniteRefusal(status: number): boolean {
  return status >= 400 && status < 500 && !INDEFINITE.has(status) && !isCredentialStatus(status);
}

/** True for a 4xx status that proves nothing. */
export function isIndefinite(status: number): boolean {
  return INDEFINITE.has(status);
}
