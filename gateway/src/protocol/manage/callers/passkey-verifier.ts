/** Verifies WebAuthn responses for this site. Each function returns undefined for an invalid response. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import type { Site } from '../../../domain/people/people-parts.ts';
import type { PasskeyVerifier } from '../../../domain/people/sign-in/passkey-verifier.ts';
import { ALGORITHMS, rpIdOf } from './passkey-options.ts';

export function createPasskeyVerifier(site: Site): PasskeyVerifier {
  const expected = (challenge: Buffer) => ({
    expectedChallenge: challenge.toString('base64url'),
    expectedOrigin: site.origin,
    expectedRPID: rpIdOf(site),
    requireUserVerification: true,
  });
  return {
    register: (response, challenge) =>
      unlessInvalid(async () => {
        const made = response as RegistrationResponseJSON;
        const { verifyRegistrationResponse } = await import('@simplewebauthn/server');
        if (!(await isUnattested(made))) return undefined;
        const { verified, registrationInfo } = await verifyRegistrationResponse({
          response: made,
          supportedAlgorithmIDs: ALGORITHMS,
          ...expected(challenge),
        });
        if (!verified) return undefined;
        const { id, publicKey, counter } = registrationInfo.credential;
        return {
          credentialId: id,
          publicKey: Buffer.from(publicKey),
          counter,
          transports: made.response.transports ?? [],
        };
      }),
    readCredentialId: (response) => (response as AuthenticationResponseJSON).id,
    verify: (response, challenge, passkey) =>
      unlessInvalid(async () => {
        const signed = response as AuthenticationResponseJSON;
        const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
        const { verified, authenticationInfo } = await verifyAuthenticationResponse({
          response: signed,
          ...expected(challenge),
          // The caller compares the counter, in one statement with its update.
          credential: { id: passkey.credentialId, publicKey: new Uint8Array(passkey.publicKey), counter: 0 },
        });
        if (!verified) return undefined;
        const { clientDataJSON, authenticatorData, signature, userHandle } = signed.response;
        return {
          counter: authenticationInfo.newCounter,
          userHandle: userHandle ?? null,
          evidence: { clientDataJSON, authenticatorData, signature },
        };
      }),
  };
}

/** The gateway requests no attestation. To verify one, the library would load lists of revoked certificates. */
async function isUnattested({ response }: RegistrationResponseJSON): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const attestation = decodeAttestationObject(new Uint8Array(Buffer.from(response.attestationObject, 'base64url')));
  return attestation.get('fmt') === 'none' || attestation.get('attStmt').get('x5c') === undefined;
}

/** The library throws for every invalid response. */
async function unlessInvalid<Value>(verify: () => Promise<Value | undefined>): Promise<Value | undefined> {
  try {
    return await verify();
  } catch {
    return undefined;
  }
}
