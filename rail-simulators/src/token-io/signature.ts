/** Authenticates a request: it must carry a JWT over this request, signed with the client's key. */
import { type KeyObject, verify } from 'node:crypto';
import { MINUTE_MS } from '../clock.ts';
import { asFields, type Fields, parseJson } from '../kernel/fields.ts';

export interface Client {
  readonly memberId: string;
  readonly keyId: string;
  /** Returns the client's registered key. Called for every request. */
  readonly findPublicKey: () => KeyObject | undefined;
}

interface SentRequest {
  readonly method: string;
  readonly host: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: Buffer;
}

const LONGEST_LIFE_MS = 10 * MINUTE_MS;

export function isClients(authorization: string, sent: SentRequest, client: Client, now: number): boolean {
  const [, header = '', payload = '', signature = ''] =
    /^Bearer ([A-Za-z0-9_-]+)\.([A-Za-z0-9_-]*)\.([A-Za-z0-9_-]+)$/.exec(authorization) ?? [];
  const key = client.findPublicKey();
  // The JWS payload is detached: it is part of the signed string but not of the header.
  if (header === '' || payload !== '' || key === undefined) return false;
  const signed = Buffer.from(`${header}.${sent.body.toString('base64url')}`);
  if (!verify(null, signed, key, Buffer.from(signature, 'base64url'))) return false;
  return isAbout(asFields(parseJson(Buffer.from(header, 'base64url'))), sent, client, now);
}

function isAbout(claims: Fields, sent: SentRequest, client: Client, now: number): boolean {
  const { exp } = claims;
  const query = new URLSearchParams(typeof claims['query'] === 'string' ? claims['query'] : '');
  return (
    claims['alg'] === 'EdDSA' &&
    claims['kid'] === client.keyId &&
    claims['mid'] === client.memberId &&
    claims['method'] === sent.method &&
    claims['host'] === sent.host &&
    claims['path'] === sent.path &&
    query.toString() === sent.query.toString() &&
    typeof exp === 'number' &&
    exp > now &&
    exp <= now + LONGEST_LIFE_MS
  );
}
