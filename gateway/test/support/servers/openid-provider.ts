/** A minimal OpenID Connect provider over HTTP. A test signs its users in with `authorize`, as a browser would. */
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface OpenIdUser {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

export interface ProviderFaults {
  readonly nonce?: string;
  readonly audience?: string;
  /** Signs with a key that the provider does not publish. */
  readonly forged?: boolean;
}

export interface TestOpenIdProvider {
  readonly issuer: string;
  /** Returns the query with which the provider redirects the browser back. */
  authorize(url: string, user: OpenIdUser, faults?: ProviderFaults): string;
  close(): Promise<void>;
}

export const CLIENT = { id: 'gateway', secret: 'a client secret' } as const;

interface Grant {
  readonly user: OpenIdUser;
  readonly nonce: string;
  readonly challenge: string;
  readonly faults: ProviderFaults;
}

export async function startOpenIdProvider(): Promise<TestOpenIdProvider> {
  const keys = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const forger = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const grants = new Map<string, Grant>();
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const writeToken = ({ user, nonce, faults }: Grant) => {
    const now = Math.floor(Date.now() / 1_000);
    const claims = { iss: issuer, aud: faults.audience ?? CLIENT.id, iat: now, exp: now + 300, ...user };
    const signed = `${part({ alg: 'RS256', kid: 'k1' })}.${part({ ...claims, nonce: faults.nonce ?? nonce })}`;
    const { privateKey } = faults.forged ? forger : keys;
    return `${signed}.${sign('sha256', Buffer.from(signed), privateKey).toString('base64url')}`;
  };
  const exchange = (form: URLSearchParams) => {
    const grant = grants.get(form.get('code') ?? '');
    grants.delete(form.get('code') ?? '');
    const proved = createHash('sha256')
      .update(form.get('code_verifier') ?? '')
      .digest('base64url');
    if (!grant || proved !== grant.challenge || form.get('client_secret') !== CLIENT.secret) return undefined;
    return { access_token: 'x', token_type: 'Bearer', id_token: writeToken(grant) };
  };
  const server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const body = Buffer.concat(await request.toArray()).toString();
    const send = (value: object, status = 200) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value));
    if (request.url === '/keys')
      return send({ keys: [{ ...keys.publicKey.export({ format: 'jwk' }), kid: 'k1', alg: 'RS256' }] });
    if (request.url === '/token') {
      const tokens = exchange(new URLSearchParams(body));
      return tokens ? send(tokens) : send({ error: 'invalid_grant' }, 400);
    }
    return send({
      issuer,
      authorization_endpoint: `${issuer}/authorize`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/keys`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      token_endpoint_auth_methods_supported: ['client_secret_post'],
    });
  };
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    issuer,
    authorize(url, user, faults = {}) {
      const { searchParams: asked } = new URL(url);
      const code = randomBytes(16).toString('hex');
      const [nonce, challenge] = [asked.get('nonce') ?? '', asked.get('code_challenge') ?? ''];
      grants.set(code, { user, nonce, challenge, faults });
      return new URLSearchParams({ code, state: asked.get('state') ?? '' }).toString();
    },
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
