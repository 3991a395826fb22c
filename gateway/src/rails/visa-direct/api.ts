/**
 * Sends one request to Visa with our credentials, and encrypts the message if a key is configured. It reports a refused
 * credential to the hook; protocol.ts decides what the response means otherwise.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { Clock } from '../../foundation/clock.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import type { Random } from '../../foundation/random.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import {
  isCertificateRefused,
  type ProviderHttp,
  type ProviderReply,
  type ProviderRequest,
} from '../kit/provider-http.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { type MessageEncryption, VISA_DIRECT, type VisaDirectConfiguration } from './configuration.ts';
import { decryptMessage, encryptMessage } from './message-encryption.ts';
import { isCredentialRefused } from './protocol.ts';

interface VisaApiParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
  readonly clock: Clock;
  readonly random: Random;
}

export type VisaApi = Pick<ProviderHttp, 'exchange'>;

interface Keys {
  readonly visaKey: KeyObject;
  readonly ownKey: KeyObject;
}

export function createVisaApi(
  { userId, password, encryption }: Pick<VisaDirectConfiguration, 'userId' | 'password' | 'encryption'>,
  { http, hooks, clock, random }: VisaApiParts,
): VisaApi {
  const credential = () => ({
    accept: 'application/json',
    authorization: basicAuthorization(userId, password),
  });

  async function exchangeEncrypted(
    request: ProviderRequest,
    { keyId }: MessageEncryption,
    { visaKey, ownKey }: Keys,
    deadline: Deadline,
  ): Promise<ProviderReply> {
    const headers = { ...credential(), ...request.headers, keyId };
    const parts = { keyId, visaKey, now: clock.now(), random };
    const body = request.body === undefined ? {} : { body: encryptMessage(request.body, parts) };
    const reply = await http.exchange({ ...request, headers, ...body }, deadline);
    return reply.kind === 'answered' ? { ...reply, body: decryptMessage(reply.body, ownKey) } : reply;
  }

  async function exchange(request: ProviderRequest, deadline: Deadline): Promise<ProviderReply> {
    if (encryption === null) {
      return http.exchange({ ...request, headers: { ...credential(), ...request.headers } }, deadline);
    }
    const keys = readKeys(encryption);
    const reason = 'our keys for messages cannot be read: check VISA_DIRECT_ENCRYPTION_FILE and …_DECRYPTION_KEY_FILE';
    return keys ? exchangeEncrypted(request, encryption, keys, deadline) : { kind: 'not_connected', reason };
  }

  return {
    async exchange(request, deadline) {
      const reply = await exchange(request, deadline);
      const isRefused = reply.kind === 'answered' && isCredentialRefused(reply.status, reply.body);
      if (isRefused || isCertificateRefused(reply)) hooks.onCredentialRefused(VISA_DIRECT);
      return reply;
    },
  };
}

/** Reads the keys each time, because the files may appear and change while the gateway runs. */
function readKeys({ visaKeyFile, ownKeyFile }: MessageEncryption): Keys | undefined {
  try {
    return { visaKey: createPublicKey(readFileSync(visaKeyFile)), ownKey: createPrivateKey(readFileSync(ownKeyFile)) };
  } catch {
    return undefined;
  }
}
