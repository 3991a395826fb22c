/**
 * Signs requests with Mastercard's OAuth 1.0a: RSA-SHA256 over verb, URL and parameters, which include a hash of the body.
 * Pure.
 *
 * Confirmed by Mastercard's own signing libraries and their published tests, which are this module's: parameters in byte
 * order. Parameters that are escaped in the request are escaped once more in the signed string, and **OAuth's own values are
 * not escaped before**, unlike in RFC 5849. A GET has the hash of an empty body. There is no token and no realm.
 */
import { createHash, type KeyObject, sign } from 'node:crypto';

interface OAuthParts {
  readonly consumerKey: string;
  readonly nonce: string;
  /** A number of seconds since 1970. */
  readonly timestamp: number;
}

/** The request to sign. The address is complete, with its query. */
export interface SignedRequest {
  readonly verb: string;
  readonly url: string;
  readonly body: string;
}

export function bodyHash(body: string): string {
  return createHash('sha256').update(body, 'utf8').digest('base64');
}

/** Returns the value of the Authorization header. */
export function authorizationOf(request: SignedRequest, parts: OAuthParts, privateKey: KeyObject): string {
  const own = oauthParameters(request.body, parts);
  const signature = sign('sha256', Buffer.from(baseString(request.verb, request.url, own)), privateKey);
  const all = [...own, ['oauth_signature', escaped(signature.toString('base64'))] as const];
  return `OAuth ${all.map(([name, value]) => `${name}="${value}"`).join(',')}`;
}

type Parameter = readonly [name: string, value: string];

export function oauthParameters(body: string, { consumerKey, nonce, timestamp }: OAuthParts): readonly Parameter[] {
  return [
    ['oauth_body_hash', bodyHash(body)],
    ['oauth_consumer_key', consumerKey],
    ['oauth_nonce', nonce],
    ['oauth_signature_method', 'RSA-SHA256'],
    ['oauth_timestamp', String(timestamp)],
    ['oauth_version', '1.0'],
  ];
}

export function baseString(verb: string, url: string, oauth: readonly Parameter[]): string {
  const parameters = [...queryParameters(url), ...oauth].toSorted(inByteOrder);
  const text = parameters.map(([name, value]) => `${name}=${value}`).join('&');
  return [verb.toUpperCase(), escaped(baseUri(url)), escaped(text)].join('&');
}

/** Returns the URL without the query and a default port, with scheme and host in lower case, and with an unchanged path. */
export function baseUri(url: string): string {
  const { protocol, host } = new URL(url);
  const [, path = '/'] = /^[a-z]+:\/\/[^/?#]*(\/[^?#]*)?/i.exec(url) ?? [];
  return `${protocol}//${host}${path}`;
}

/** Returns the parameters as written. If any of them is escaped, all of them are escaped again in the same way. */
function queryParameters(url: string): readonly Parameter[] {
  const [, query = ''] = /^[^?#]*\?([^#]*)/.exec(url) ?? [];
  const isEscaped = query.includes('%');
  return query
    .split('&')
    .filter((pair) => pair !== '')
    .map((pair) => {
      const [name = '', ...rest] = pair.split('=');
      const value = rest.join('=');
      return isEscaped ? [escaped(decodeURIComponent(name)), escaped(decodeURIComponent(value))] : [name, value];
    });
}

function inByteOrder([oneName, oneValue]: Parameter, [otherName, otherValue]: Parameter): number {
  const bytes = (one: string, other: string) => Buffer.compare(Buffer.from(one), Buffer.from(other));
  return bytes(oneName, otherName) || bytes(oneValue, otherValue);
}

/** Escapes everything except letters, digits and `- . _ ~`, as in RFC 3986. */
function escaped(text: string): string {
  return encodeURIComponent(text).replace(/[!'()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`);
}
