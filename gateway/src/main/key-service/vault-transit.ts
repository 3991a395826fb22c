/**
 * KeyService over the transit engine of HashiCorp Vault and OpenBao. Its ciphertexts begin with `vault:v1:`, where the
 * number is the version of the key. https://developer.hashicorp.com/vault/api-docs/secret/transit#decrypt-data
 */
import { request } from 'undici';
import { type Clock, SECOND_MS } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { type KeyService, KeyServiceError } from './key-service.ts';

interface VaultTransitOptions {
  /** A URL without a trailing slash. */
  readonly url: string;
  readonly token: Secret;
  /** The name of the key. */
  readonly key: string;
  readonly clock: Clock;
}

const ANSWERS_WITHIN_MS = 5 * SECOND_MS;
/** A key service that restarts or changes its leader is available again within seconds. */
const RETRY_AFTER_MS = [SECOND_MS, 2 * SECOND_MS, 4 * SECOND_MS] as const;

const REFUSED: Readonly<Record<number, string>> = {
  400: 'cannot decrypt the value: check that KEY_SERVICE_KEY is the key that sealed it',
  403: 'refuses the token: check KEY_SERVICE_TOKEN and its policy (update on transit/decrypt/KEY)',
  404: 'does not know this path: check KEY_SERVICE_URL, and that the transit engine is enabled',
};

export function createVaultTransit(options: VaultTransitOptions): KeyService {
  const { url, clock } = options;
  return {
    async open(sealed) {
      for (const pauseMs of [...RETRY_AFTER_MS, null]) {
        const answer = await decrypt(options, sealed);
        if (typeof answer !== 'string') return answer;
        if (pauseMs === null)
          throw new KeyServiceError(
            `The key service at ${url} is unavailable (${answer}). Check its URL and its token`,
          );
        await clock.sleep(pauseMs);
      }
      throw new Error('unreachable');
    },
  };
}

/** Resolves to a string, the reason, if the failure may be temporary. */
async function decrypt({ url, token, key }: VaultTransitOptions, sealed: string): Promise<Secret | string> {
  try {
    const { statusCode, body } = await request(`${url}/v1/transit/decrypt/${encodeURIComponent(key)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-vault-token': token.reveal(), 'x-vault-request': 'true' },
      body: JSON.stringify({ ciphertext: sealed }),
      signal: AbortSignal.timeout(ANSWERS_WITHIN_MS),
    });
    const text = await body.text();
    if (statusCode === 200) return readPlaintext(url, text);
    const refusal = REFUSED[statusCode];
    if (refusal !== undefined) throw new KeyServiceError(`The key service at ${url} ${refusal}`);
    return `HTTP ${statusCode}`;
  } catch (error) {
    if (error instanceof KeyServiceError) throw error;
    return (error as Error).message || (error as Error).name;
  }
}

function readPlaintext(url: string, text: string): Secret {
  const plaintext = plaintextIn(text);
  if (typeof plaintext === 'string' && plaintext !== '')
    return new Secret(
      Buffer.from(plaintext, 'base64')
        .toString('utf8')
        .replace(/\r?\n$/, ''),
    );
  throw new KeyServiceError(`The response of the key service at ${url} does not contain a value`);
}

/** Returns undefined if the response contains no value. The parser's error might quote the value. */
function plaintextIn(text: string): unknown {
  try {
    const answer: { data?: { plaintext?: unknown } } | null = JSON.parse(text);
    return answer?.data?.plaintext;
  } catch {
    return undefined;
  }
}
