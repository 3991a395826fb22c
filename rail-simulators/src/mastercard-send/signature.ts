/**
 * Verifies Mastercard's request signature: OAuth 1.0a with RSA-SHA256 and the hash of the body among the parameters. The
 * signed string escapes the already escaped parts of the URL again, but OAuth's own values only once.
 */
import { createHash, type KeyObject, verify } from 'node:crypto';

interface SignedCall {
  readonly verb: string;
  /** The URL as the client wrote it, including the query. */
  readonly url: string;
  readonly body: Buffer;
  readonly authorization: string;
}

interface OAuthClient {
  readonly consumerKey: string;
  /** Undefined until the client has registered a key. */
  readonly publicKey: KeyObject | undefined;
}

const WINDOW_SECONDS = 300;

/** Remembers the nonces of the last minutes, so that no signature is accepted twice. */
export class OAuthGuard {
  readonly #nonces = new Map<string, number>();

  /** Returns the reason for a rejection, or undefined if the signature is valid, current and new. */
  refusalOf(call: SignedCall, { consumerKey, publicKey }: OAuthClient, nowMs: number): string | undefined {
    const given = new Map(
      [...call.authorization.matchAll(/(\w+)="([^"]*)"/g)].map(([, name = '', value = '']) => [name, value] as const),
    );
    const seconds = Math.floor(nowMs / 1_000);
    const timestamp = Number(given.get('oauth_timestamp'));
    const nonce = given.get('oauth_nonce') ?? '';
    if (given.get('oauth_consumer_key') !== consumerKey) return 'INVALID_CLIENT_ID';
    if (given.get('oauth_body_hash') !== createHash('sha256').update(call.body).digest('base64'))
      return 'INVALID_BODY_HASH';
    if (!(Math.abs(seconds - timestamp) <= WINDOW_SECONDS)) return 'TIMESTAMP_REFUSED';
    if (nonce === '' || this.#nonces.has(nonce)) return 'NONCE_USED';
    const signature = Buffer.from(decodeURIComponent(given.get('oauth_signature') ?? ''), 'base64');
    const isSigned =
      publicKey !== undefined && verify('sha256', Buffer.from(signedText(call, given)), publicKey, signature);
    if (!isSigned) return 'INVALID_SIGNATURE';
    this.#remember(nonce, seconds);
    return undefined;
  }

  clear(): void {
    this.#nonces.clear();
  }

  #remember(nonce: string, seconds: number): void {
    for (const [old, at] of this.#nonces) if (at < seconds - 2 * WINDOW_SECONDS) this.#nonces.delete(old);
    this.#nonces.set(nonce, seconds);
  }
}

function signedText({ verb, url }: SignedCall, given: ReadonlyMap<string, string>): string {
  const [address = '', query = ''] = url.split('?', 2);
  const isEscaped = query.includes('%');
  const fromQuery = query
    .split('&')
    .filter(Boolean)
    .map((pair) => (isEscaped ? pair.split('=').map(decodeURIComponent).map(percent).join('=') : pair));
  const own = [...given].filter(([name]) => name !== 'oauth_signature').map(([name, value]) => `${name}=${value}`);
  const parameters = [...fromQuery, ...own].sort((one, other) => Buffer.compare(Buffer.from(one), Buffer.from(other)));
  return `${verb}&${percent(address)}&${percent(parameters.join('&'))}`;
}

const UNRESERVED = /[A-Za-z0-9._~-]/;

function percent(text: string): string {
  return Array.from(Buffer.from(text, 'utf8'), (byte) => {
    const character = String.fromCharCode(byte);
    return UNRESERVED.test(character) ? character : `%${byte.toString(16).toUpperCase().padStart(2, '0')}`;
  }).join('');
}
