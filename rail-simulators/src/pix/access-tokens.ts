/** The bank's OAuth 2.0: access tokens for client credentials, with the requested scopes. */
import { createHmac } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { basic, isSame } from '../kernel/credentials.ts';
import type { Answer } from '../kernel/http-server.ts';

const SCOPES = ['cob.write', 'cob.read', 'pix.write', 'pix.read', 'webhook.write', 'webhook.read'] as const;
export type Scope = (typeof SCOPES)[number];

export interface TokenParts {
  readonly clientId: string;
  readonly clientSecret: string;
  readonly clock: Clock;
  readonly tokenSeconds: number;
}

interface Token {
  readonly scopes: ReadonlySet<string>;
  readonly until: number;
}

export class AccessTokens {
  readonly #parts: TokenParts;
  readonly #tokens = new Map<string, Token>();
  #given = 0;

  constructor(parts: TokenParts) {
    this.#parts = parts;
  }

  /** Returns the response to a token request. */
  give(authorization: string | undefined, form: string): Answer {
    const { clientId, clientSecret, clock, tokenSeconds } = this.#parts;
    const asked = new URLSearchParams(form);
    if (!isSame(authorization, basic(clientId, clientSecret)))
      return { status: 401, body: { error: 'invalid_client' } };
    if (asked.get('grant_type') !== 'client_credentials')
      return { status: 400, body: { error: 'unsupported_grant_type' } };
    const wanted = (asked.get('scope') ?? SCOPES.join(' ')).split(' ').filter((scope) => isScope(scope));
    this.#given += 1;
    const token = createHmac('sha256', clientSecret).update(`${clock.now()} ${this.#given}`).digest('base64url');
    this.#tokens.set(token, { scopes: new Set(wanted), until: clock.now() + tokenSeconds * 1_000 });
    const body = { access_token: token, token_type: 'Bearer', expires_in: tokenSeconds, scope: wanted.join(' ') };
    return { status: 200, body };
  }

  check(authorization: string | undefined, scope: Scope): 'allowed' | 'unknown' | 'not_allowed' {
    const token = this.#tokens.get(authorization?.replace(/^Bearer /, '') ?? '');
    if (token === undefined || token.until <= this.#parts.clock.now()) return 'unknown';
    return token.scopes.has(scope) ? 'allowed' : 'not_allowed';
  }

  /** Revokes every token. */
  revokeAll(): void {
    this.#tokens.clear();
  }

  get given(): number {
    return this.#given;
  }
}

const isScope = (text: string): text is Scope => (SCOPES as readonly string[]).includes(text);
