/** A passkey device in software. It creates real WebAuthn attestations and assertions, and invalid assertions on request. */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';

/** The fields of a challenge that a device reads. */
interface ChallengeOptions {
  readonly challenge: string;
  readonly rpId?: string;
  readonly rp?: { readonly id: string };
  readonly user?: { readonly id: string };
}

export interface DeviceFaults {
  readonly origin?: string;
  readonly rpId?: string;
  /** Defaults to the last counter plus one. */
  readonly counter?: number;
  readonly userVerified?: boolean;
  readonly userHandle?: string;
}

export interface SoftwarePasskey {
  create(options: ChallengeOptions, faults?: DeviceFaults): Attested;
  get(options: ChallengeOptions, faults?: DeviceFaults): Asserted;
}

interface Credential<Response> {
  readonly id: string;
  readonly rawId: string;
  readonly type: 'public-key';
  readonly response: Response;
}
type Attested = Credential<{ readonly clientDataJSON: string; readonly attestationObject: string }>;
type Asserted = Credential<
  Readonly<Record<'clientDataJSON' | 'authenticatorData' | 'signature' | 'userHandle', string>>
>;

const FLAGS = { present: 0x01, verified: 0x04, attested: 0x40 } as const;

export function createSoftwarePasskey(origin: string): SoftwarePasskey {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const credentialId = randomBytes(32);
  const id = credentialId.toString('base64url');
  let counter = 0;
  let userHandle = '';
  const clientData = (type: string, { challenge }: ChallengeOptions, faults: DeviceFaults) =>
    Buffer.from(JSON.stringify({ type, challenge, origin: faults.origin ?? origin, crossOrigin: false }));
  const authenticatorData = (options: ChallengeOptions, faults: DeviceFaults, extra: Buffer) => {
    counter = faults.counter ?? counter + 1;
    const flags = FLAGS.present | (faults.userVerified === false ? 0 : FLAGS.verified);
    const head = Buffer.alloc(5);
    head.writeUInt8(flags | (extra.length > 0 ? FLAGS.attested : 0));
    head.writeUInt32BE(counter, 1);
    const rpId = faults.rpId ?? options.rpId ?? options.rp?.id ?? '';
    return Buffer.concat([createHash('sha256').update(rpId).digest(), head, extra]);
  };
  return {
    create(options, faults = {}) {
      userHandle = options.user?.id ?? '';
      const length = Buffer.alloc(2);
      length.writeUInt16BE(credentialId.length);
      const attested = Buffer.concat([Buffer.alloc(16), length, credentialId, cbor(coseKey(publicKey))]);
      const authData = authenticatorData(options, faults, attested);
      const attestation = cbor(
        new Map<string, CborValue>([
          ['fmt', 'none'],
          ['attStmt', new Map()],
          ['authData', authData],
        ]),
      );
      const clientDataJSON = clientData('webauthn.create', options, faults).toString('base64url');
      const response = { clientDataJSON, attestationObject: attestation.toString('base64url') };
      return { id, rawId: id, type: 'public-key', response };
    },
    get(options, faults = {}) {
      const data = authenticatorData(options, faults, Buffer.alloc(0));
      const client = clientData('webauthn.get', options, faults);
      const signed = Buffer.concat([data, createHash('sha256').update(client).digest()]);
      const response = {
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', signed, privateKey).toString('base64url'),
        userHandle: faults.userHandle ?? userHandle,
      };
      return { id, rawId: id, type: 'public-key', response };
    },
  };
}

/** Returns an ES256 key in COSE (RFC 9053). */
function coseKey(key: KeyObject): CborValue {
  const { x = '', y = '' } = key.export({ format: 'jwk' });
  const point = (part: string) => Buffer.from(part, 'base64url');
  return new Map<number, CborValue>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, point(x)],
    [-3, point(y)],
  ]);
}

type CborValue = number | string | Buffer | Map<number | string, CborValue>;

/** Encodes CBOR (RFC 8949), as far as WebAuthn needs it. */
function cbor(value: CborValue): Buffer {
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  return Buffer.concat([head(5, value.size), ...[...value].flatMap(([key, each]) => [cbor(key), cbor(each)])]);
}

function head(type: number, count: number): Buffer {
  if (count < 24) return Buffer.from([(type << 5) | count]);
  if (count < 256) return Buffer.from([(type << 5) | 24, count]);
  return Buffer.from([(type << 5) | 25, count >> 8, count & 0xff]);
}
