/**
 * What Token.io knows a request by: a JWT that each request has of its own, signed over the request's address and its body.
 * Pure.
 *
 * Confirmed by Token.io's OpenAPI document: the scheme (`Authorization: Bearer <JWT>`; a Basic API key only in its sandbox),
 * and by the signed token printed there: `alg` EdDSA, `kid`, `mid`, `host`, `method`, `path` and `exp` in the header, `exp`
 * as a number of milliseconds, nothing between the two dots. By its older documents: `query` where there is one. By a
 * catalogue of its documents: that the body is what is detached, and an `exp` less than ten minutes away. Not confirmed: that
 * a request without a body signs the empty text; that `host` leaves out the usual port (an older example has `:443`); that
 * `query` is the text as sent, without its question mark.
 */
import { type KeyObject, sign } from 'node:crypto';
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';

const LIFE_MS = 5 * MINUTE_MS;

export interface SignedRequest {
  readonly method: string;
  /** As in the address: the port only where it is not the usual one. */
  readonly host: string;
  readonly path: string;
  /** Without its question mark; empty where there is none. */
  readonly query: string;
  /** Empty where there is none. */
  readonly body: string;
}

export interface RequestSigner {
  readonly memberId: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** The value of the `Authorization` header. */
export function authorize({ method, host, path, query, body }: SignedRequest, by: RequestSigner, at: Instant): string {
  const header = {
    alg: 'EdDSA',
    typ: 'JWT',
    kid: by.keyId,
    mid: by.memberId,
    host,
    method,
    path,
    ...(query === '' ? {} : { query }),
    exp: at + LIFE_MS,
  };
  const encoded = base64url(JSON.stringify(header));
  const signature = sign(null, Buffer.from(`${encoded}.${base64url(body)}`), by.privateKey);
  return `Bearer ${encoded}..${signature.toString('base64url')}`;
}

function base64url(text: string): string {
  return Buffer.from(text, 'utf8').toString('base64url');
}
