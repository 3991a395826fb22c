/**
 * Authorizes our requests to Token.io: a JWT for each request, signed over the request's URL and its body. Pure.
 *
 * Confirmed by Token.io's OpenAPI document: the scheme (`Authorization: Bearer <JWT>`; a Basic API key only in its sandbox).
 * Confirmed by the signed token printed there: `alg` EdDSA, `kid`, `mid`, `host`, `method`, `path` and `exp` in the header,
 * `exp` in milliseconds, nothing between the two dots. Confirmed by its older documents: `query` if there is one. Confirmed by
 * a catalogue of its documents: the body is the detached payload, and `exp` is less than ten minutes away. Not confirmed: that
 * a request without a body signs the empty string. Not confirmed: that `host` omits the default port (an older example has
 * `:443`). Not confirmed: that `query` is the sent text without its question mark.
 */
import { type KeyObject, sign } from 'node:crypto';
import { type Instant, MINUTE_MS } from '../../foundation/clock.ts';

const LIFE_MS = 5 * MINUTE_MS;

export interface SignedRequest {
  readonly method: string;
  /** As in the address, with the port only if it is not the default. */
  readonly host: string;
  readonly path: string;
  /** The query string without its question mark, empty if there is none. */
  readonly query: string;
  /** The request body, empty if there is none. */
  readonly body: string;
}

interface RequestSigner {
  readonly memberId: string;
  readonly keyId: string;
  readonly privateKey: KeyObject;
}

/** Returns the value of the `Authorization` header. */
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
