/** The port for an OpenID Connect provider, which signs in operator users. */

interface OpenIdStart {
  /** The URL to which the browser is redirected. */
  readonly url: string;
  /** The secrets that the return needs: state, nonce and code verifier. */
  readonly secrets: Readonly<Record<'state' | 'nonce' | 'verifier', string>>;
}

interface OpenIdIdentity {
  readonly issuer: string;
  readonly subject: string;
  /** The email address in lower case. Null if the provider has verified none. */
  readonly verifiedEmail: string | null;
}

export interface IdentityProvider {
  /** Rejects if the provider is unreachable. */
  start(): Promise<OpenIdStart>;
  /** `query` is the query with which the provider redirected the browser back. Resolves to undefined if it proves nothing. */
  finish(query: string, secrets: OpenIdStart['secrets']): Promise<OpenIdIdentity | undefined>;
}
