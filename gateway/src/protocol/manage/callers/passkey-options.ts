/** The options of WebAuthn, as browsers read them from JSON. */
import type { RegisterChallenge, SignChallenge } from '../../../../contract/parts/passkey-parts.ts';
import type { Site } from '../../../domain/people/people-parts.ts';
import { type Passkey, userHandleOf } from '../../../domain/people/person.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';

const TIMEOUT_MS = 5 * MINUTE_MS;
/** Ed25519, ECDSA with P-256 and RSA, as COSE numbers. */
export const ALGORITHMS = [-8, -7, -257];

interface Issued {
  readonly challengeId: string;
  readonly challenge: Buffer;
}

export function rpIdOf({ origin }: Site): string {
  return new URL(origin).hostname;
}

/** `passkeys` are those that may sign. If empty, any passkey may. */
export function signOptions(
  site: Site,
  { challengeId, challenge }: Issued,
  passkeys: readonly Passkey[],
): SignChallenge {
  return {
    challengeId,
    publicKey: {
      challenge: challenge.toString('base64url'),
      rpId: rpIdOf(site),
      allowCredentials: passkeys.map(describePasskey),
      userVerification: 'required',
      timeout: TIMEOUT_MS,
    },
  };
}

export function registerOptions(
  site: Site,
  { challengeId, challenge }: Issued,
  user: { readonly personId: string; readonly email: string; readonly name: string },
  passkeys: readonly Passkey[],
): RegisterChallenge {
  return {
    challengeId,
    publicKey: {
      challenge: challenge.toString('base64url'),
      rp: { id: rpIdOf(site), name: site.name },
      user: { id: userHandleOf(user.personId), name: user.email, displayName: user.name },
      pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: 'public-key', alg })),
      excludeCredentials: passkeys.map(describePasskey),
      authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      attestation: 'none',
      timeout: TIMEOUT_MS,
    },
  };
}

function describePasskey({ credentialId, transports }: Passkey) {
  return { id: credentialId, type: 'public-key' as const, transports: [...transports] };
}
