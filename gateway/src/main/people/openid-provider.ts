/** An OpenID Connect provider, with the authorization code flow, PKCE, nonce and state. */
import type { Configuration } from 'openid-client';
import { readEmail } from '../../domain/people/person.ts';
import type { IdentityProvider } from '../../domain/people/sign-in/identity-provider.ts';
import type { Environment } from '../../foundation/environment.ts';
import type { Config } from '../config/config.ts';

const TIMEOUT_SECONDS = 10;

interface ProviderParts extends Pick<Config, 'manageOrigin'> {
  readonly openid: NonNullable<Config['openid']>;
  readonly environment: Environment;
}

/** Commands and workers do not load it. */
const openid = () => import('openid-client');

export function createIdentityProvider({ openid: client, manageOrigin, environment }: ProviderParts): IdentityProvider {
  const { issuer, clientId, clientSecret } = client;
  /** A page of the portal, which forwards its query. */
  const redirectUri = `${manageOrigin}/sign-in/openid`;
  let found: Promise<Configuration> | undefined;
  const discover = async () => {
    const { allowInsecureRequests, discovery, enableNonRepudiationChecks } = await openid();
    const insecure = environment === 'development' ? [allowInsecureRequests] : [];
    const execute = [enableNonRepudiationChecks, ...insecure];
    const options = { execute, timeout: TIMEOUT_SECONDS };
    return discovery(new URL(issuer), clientId, clientSecret.reveal(), undefined, options);
  };
  const configuration = () => {
    found ??= discover().catch((error: unknown) => {
      found = undefined;
      throw error;
    });
    return found;
  };
  return {
    async start() {
      const library = await openid();
      const secrets = {
        state: library.randomState(),
        nonce: library.randomNonce(),
        verifier: library.randomPKCECodeVerifier(),
      };
      const url = library.buildAuthorizationUrl(await configuration(), {
        redirect_uri: redirectUri,
        scope: 'openid email',
        state: secrets.state,
        nonce: secrets.nonce,
        code_challenge: await library.calculatePKCECodeChallenge(secrets.verifier),
        code_challenge_method: 'S256',
      });
      return { url: url.href, secrets };
    },
    async finish(query, { state, nonce, verifier }) {
      const returned = new URL(redirectUri);
      returned.search = query;
      const checks = { expectedState: state, expectedNonce: nonce, pkceCodeVerifier: verifier, idTokenExpected: true };
      const { authorizationCodeGrant } = await openid();
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
