/** An OpenID Connect provider, with the authorization code flow, PKCE, nonce and state. */
import {
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  type Configuration,
  calculatePKCECodeChallenge,
  discovery,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
} from 'openid-client';
import type { IdentityProvider } from '../../domain/people/identity-provider.ts';
import { readEmail } from '../../domain/people/person.ts';
import type { Environment } from '../../foundation/environment.ts';
import type { Config } from '../config/config.ts';

const TIMEOUT_SECONDS = 10;

interface ProviderParts extends Pick<Config, 'manageOrigin'> {
  readonly openid: NonNullable<Config['openid']>;
  readonly environment: Environment;
}

export function createIdentityProvider({ openid, manageOrigin, environment }: ProviderParts): IdentityProvider {
  const { issuer, clientId, clientSecret } = openid;
  /** A page of the pages, which passes its query on. */
  const redirectUri = `${manageOrigin}/sign-in/openid`;
  let found: Promise<Configuration> | undefined;
  const configuration = () => {
    const execute = environment === 'development' ? [allowInsecureRequests] : [];
    found ??= discovery(new URL(issuer), clientId, clientSecret.reveal(), undefined, {
      ...{ execute, timeout: TIMEOUT_SECONDS },
    }).catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    async start() {
      const secrets = { state: randomState(), nonce: randomNonce(), verifier: randomPKCECodeVerifier() };
      const url = buildAuthorizationUrl(await configuration(), {
        ...{ redirect_uri: redirectUri, scope: 'openid email', state: secrets.state, nonce: secrets.nonce },
        code_challenge: await calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets };
    },
    async finish(query, { state, nonce, verifier }) {
      const returned = new URL(redirectUri);
      returned.search = query;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const claims = await authorizationCodeGrant(await configuration(), returned, checks).then(
        (tokens) => tokens.claims(),
        () => undefined,
      );
      if (!claims) return undefined;
      const { iss, sub, email, email_verified: isVerified } = claims;
      const verifiedEmail = isVerified === true && typeof email === 'string' ? (readEmail(email) ?? null) : null;
      return { issuer: iss, subject: sub, verifiedEmail };
    },
  };
}
