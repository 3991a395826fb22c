/**
 * The access token of every request to the bank: OAuth 2.0 client credentials over mutual TLS. All callers share one
 * token until shortly before it expires.
 *
 * Confirmed by the OpenAPI document 2.9.0: client credentials, the names of the scopes. Confirmed by several banks'
 * pages and clients: HTTP Basic with the client's id and secret, `grant_type` in a form, `access_token` and
 * `expires_in` in the response. Not confirmed: that every bank accepts `scope` (those that do not know it ignore it), and
 * that none requires an additional header.
 */
import { type Clock, type Instant, MINUTE_MS, SECOND_MS } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import { isCertificateRefused, type ProviderHttp } from '../kit/provider-http.ts';
import { readPlainObject } from '../kit/provider-json.ts';
import type { PixConfiguration } from './configuration.ts';
import { textOf } from './read-fields.ts';

const SCOPES = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';
/** The bank refuses a token that expires before the request arrives. A token with a shorter lifetime is used for half of it. */
const ENDS_EARLIER_MS = MINUTE_MS;

type TokenAnswer =
  | { readonly kind: 'token'; readonly token: string }
  /** The bank refuses our credentials or our certificate. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'none'; readonly reason: string };

export interface AccessTokens {
  get(deadline: Deadline): Promise<TokenAnswer>;
  /** Discards a token that the bank rejected, whatever its age. */
  drop(token: string): void;
}

interface Kept {
  readonly token: string;
  readonly until: Instant;
}

export function createAccessTokens(
  configuration: PixConfiguration,
  http: Pick<ProviderHttp, 'exchange'>,
  clock: Clock,
): AccessTokens {
  let kept: Kept | undefined;
  let asking: Promise<TokenAnswer> | undefined;
  const ask = async (deadline: Deadline): Promise<TokenAnswer> => {
    const askedAt = clock.now();
    const reply = await http.exchange(tokenRequest(configuration), deadline);
    if (reply.kind !== 'answered') {
      const kind = isCertificateRefused(reply) ? 'refused' : 'none';
      return { kind, reason: `no access token: ${reply.reason}` };
    }
    const read = readToken(reply.status, reply.body);
    if (read.kind !== 'token') return read;
    kept = { token: read.token, until: askedAt + read.usableMs };
    return read;
  };
  return {
    async get(deadline) {
      if (kept && clock.now() < kept.until) return { kind: 'token', token: kept.token };
      asking ??= ask(deadline).finally(() => {
        asking = undefined;
      });
      return asking;
    },
    drop(token) {
      if (kept?.token === token) kept = undefined;
    },
  };
}

function tokenRequest({ clientId, clientSecret }: PixConfiguration) {
  return {
    verb: 'POST',
    path: '',
    headers: {
      authorization: basicAuthorization(clientId, clientSecret),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({ grant_type: 'client_credentials', scope: SCOPES }).toString(),
  } as const;
}

type ReadToken =
  | { readonly kind: 'token'; readonly token: string; readonly usableMs: number }
  | Exclude<TokenAnswer, { kind: 'token' }>;

function readToken(status: number, body: Buffer): ReadToken {
  if (status === 400 || status === 401 || status === 403)
    return { kind: 'refused', reason: `no access token: HTTP ${status}` };
  const fields = status === 200 || status === 201 ? readPlainObject(body) : undefined;
  const token = textOf(fields, 'access_token');
  if (!/^[\x21-\x7e]+$/.test(token)) return { kind: 'none', reason: `no access token: HTTP ${status}` };
  const seconds = Number(fields?.['expires_in'] ?? 0);
  const lifeMs = Number.isFinite(seconds) && seconds > 0 ? seconds * SECOND_MS : 0;
  return { kind: 'token', token, usableMs: Math.max(lifeMs - ENDS_EARLIER_MS, lifeMs / 2) };
}
