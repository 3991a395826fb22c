/** One-time codes of authenticator apps (RFC 6238). The database stores only a seed; the key is in the vault. */
import { Secret as OtpSecret, TOTP } from 'otpauth';
import { type Clock, SECOND_MS } from '../../../foundation/clock.ts';
import { keyedHash } from '../../../foundation/keyed-hash.ts';
import { Secret } from '../../../foundation/secret.ts';

export interface TotpParts {
  readonly clock: Clock;
  /** Derives the secrets of the apps from their seeds. 32 bytes in base64. */
  readonly totpKey: Secret;
  /** The name of this gateway in the apps. */
  readonly site: { readonly name: string };
}

export const TOTP_SEED_BYTES = 20;
const PURPOSE = 'secrets of authenticator apps';
const PERIOD_SECONDS = 30;
const SECRET_BYTES = 20;
/** A clock may be off by one step. */
const WINDOW = 1;

/** The key is derived from the key of the keyed hash, which a restore recovers and a rotation keeps. */
export function totpKeyFrom(fingerprintKey: Secret): Secret {
  return new Secret(keyedHash(fingerprintKey, PURPOSE).toString('base64'));
}

/** Returns the link that an authenticator app reads from a QR code. */
export function totpLink(
  parts: TotpParts,
  seed: Buffer,
  email: string,
): { readonly secret: Secret; readonly link: Secret } {
  const totp = totpOf(parts, seed, email);
  return { secret: new Secret(totp.secret.base32), link: new Secret(totp.toString()) };
}

/** Returns the time step of a valid code, or undefined if the code is invalid. */
export function checkTotp(parts: TotpParts, seed: Buffer, code: string): number | undefined {
  const timestamp = parts.clock.now();
  const totp = totpOf(parts, seed, '');
  const delta = totp.validate({ token: code.replaceAll(' ', ''), timestamp, window: WINDOW });
  return delta === null ? undefined : Math.floor(timestamp / (PERIOD_SECONDS * SECOND_MS)) + delta;
}

function totpOf({ totpKey, site }: TotpParts, seed: Buffer, label: string): TOTP {
  const hash = keyedHash(totpKey, seed);
  const secret = new OtpSecret({ buffer: new Uint8Array(hash.subarray(0, SECRET_BYTES)).buffer });
  return new TOTP({ issuer: site.name, label, secret, period: PERIOD_SECONDS });
}
