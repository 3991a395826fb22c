/**
 * Visa's side of message encryption. It decrypts the client's messages with Visa's key and encrypts the responses with the
 * client's key. The keys are in the certificate folder and survive a restart.
 */
import {
  constants,
  createCipheriv,
  createDecipheriv,
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  privateDecrypt,
  publicEncrypt,
} from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';

export const KEY_ID = 'simulated-key-id';

interface MessageKeys {
  /** Visa's private key. */
  readonly visaKey: KeyObject;
  /** The client's public key. */
  readonly clientKey: KeyObject;
}

const PADDED = { padding: constants.RSA_PKCS1_OAEP_PADDING, oaepHash: 'sha256' } as const;

/** Writes `encryption-key.pem` (Visa's, public) and `decryption-key.pem` (the client's, private) for the client. */
export function openMessageKeys(folder: string): MessageKeys {
  const place = (name: string) => join(folder, name);
  const [own, client] = [place('visa-message-key.pem'), place('decryption-key.pem')];
  for (const path of [own, client]) {
    if (existsSync(path)) continue;
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    writeFileSync(path, privateKey.export({ type: 'pkcs8', format: 'pem' }), { mode: 0o600 });
  }
  const visaKey = createPrivateKey(readFileSync(own));
  writeFileSync(place('encryption-key.pem'), createPublicKey(visaKey).export({ type: 'spki', format: 'pem' }));
  return { visaKey, clientKey: createPublicKey(readFileSync(client)) };
}

/** `isRequired` rejects unencrypted messages, as outside the sandbox. */
export function encryptedRoutes(
  routes: readonly Route[],
  keys: MessageKeys,
  isRequired: () => boolean,
): readonly Route[] {
  let count = 0;
  return routes.map((route) => ({
    ...route,
    async answer(request) {
      if (request.headers['keyid'] === undefined) return isRequired() ? REFUSED : route.answer(request);
      const decrypted = request.headers['keyid'] === KEY_ID ? opened(request, keys.visaKey) : undefined;
      const reply = decrypted === undefined ? REFUSED : await route.answer(decrypted);
      count += 1;
      return reply === 'never' ? reply : sealed(reply, keys.clientKey, count);
    },
  }));
}

/** Visa's error message does not mention encryption. */
const REFUSED: Reply = { status: 400, body: { responseStatus: { status: 400, code: '9180', severity: 'ERROR' } } };

/** Returns undefined if the body is not encrypted for Visa. A GET has no body. */
function opened(request: ProviderRequest, visaKey: KeyObject): ProviderRequest | undefined {
  if (request.body.length === 0) return request;
  const { encData = '' } = (parseJson(request.body) ?? {}) as { encData?: string };
  const [header = '', ...parts] = encData.split('.');
  const [key, iv, text, tag] = parts.map((part) => Buffer.from(part, 'base64url'));
  if (!key || !iv || !text || !tag) return undefined;
  try {
    const decipher = createDecipheriv('aes-128-gcm', privateDecrypt({ key: visaKey, ...PADDED }, key), iv);
    decipher.setAAD(Buffer.from(header)).setAuthTag(tag);
    return { ...request, body: Buffer.concat([decipher.update(text), decipher.final()]) };
  } catch {
    return undefined;
  }
}

/** Uses a counter instead of random numbers, because it protects no real data. */
function sealed(reply: Exclude<Reply, 'never'>, clientKey: KeyObject, count: number): Reply {
  const text = typeof reply.body === 'string' ? reply.body : JSON.stringify(reply.body);
  const made = createHash('sha256').update(`answer ${count}`).digest();
  const [key, iv] = [made.subarray(0, 16), made.subarray(16, 28)];
  const header = Buffer.from(JSON.stringify({ alg: 'RSA-OAEP-256', enc: 'A128GCM', kid: KEY_ID })).toString(
    'base64url',
  );
  const cipher = createCipheriv('aes-128-gcm', key, iv).setAAD(Buffer.from(header));
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()]);
  const parts = [publicEncrypt({ key: clientKey, ...PADDED }, key), iv, encrypted, cipher.getAuthTag()];
  const encData = [header, ...parts.map((part) => part.toString('base64url'))].join('.');
  return { ...reply, body: { encData }, contentType: 'application/json' };
}
