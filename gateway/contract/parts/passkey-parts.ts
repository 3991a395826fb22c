/** The parts of WebAuthn that several endpoints share. Browsers give and take them as JSON. */
import { type Static, Type } from 'typebox';

const Base64Url = Type.String({ pattern: '^[A-Za-z0-9_-]{1,20000}$', description: 'Base64url without padding' });

/** The answer of a device that signed a challenge (PublicKeyCredential.toJSON). */
export const Assertion = Type.Object(
  {
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Base64Url,
      authenticatorData: Base64Url,
      signature: Base64Url,
      userHandle: Type.Optional(Type.Union([Base64Url, Type.Null()])),
    }),
  },
  { description: 'The toJSON() of the credential that navigator.credentials.get() returned' },
);

/** The answer of a device that made a passkey. */
export const Attestation = Type.Object(
  {
    id: Base64Url,
    rawId: Base64Url,
    type: Type.Literal('public-key'),
    response: Type.Object({
      clientDataJSON: Base64Url,
      attestationObject: Base64Url,
      transports: Type.Optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
    }),
  },
  { description: 'The toJSON() of the credential that navigator.credentials.create() returned' },
);

export const ChallengeId = Type.String({ minLength: 1, maxLength: 64 });

const Descriptor = Type.Object({
  id: Type.String(),
  type: Type.Literal('public-key'),
  transports: Type.Array(Type.String()),
});

/** `publicKey` for PublicKeyCredential.parseRequestOptionsFromJSON(). */
export const SignChallenge = Type.Object({
  challengeId: ChallengeId,
  publicKey: Type.Object({
    challenge: Type.String(),
    rpId: Type.String(),
    allowCredentials: Type.Array(Descriptor, { description: 'Empty if any passkey of this site may sign' }),
    userVerification: Type.Literal('required'),
    timeout: Type.Integer(),
  }),
});
export type SignChallenge = Static<typeof SignChallenge>;

/** `publicKey` for PublicKeyCredential.parseCreationOptionsFromJSON(). */
export const RegisterChallenge = Type.Object({
  challengeId: ChallengeId,
  publicKey: Type.Object({
    challenge: Type.String(),
    rp: Type.Object({ id: Type.String(), name: Type.String() }),
    user: Type.Object({ id: Type.String(), name: Type.String(), displayName: Type.String() }),
    pubKeyCredParams: Type.Array(Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer() })),
    excludeCredentials: Type.Array(Descriptor),
    authenticatorSelection: Type.Object({
      residentKey: Type.Literal('required'),
      requireResidentKey: Type.Literal(true),
      userVerification: Type.Literal('required'),
    }),
    attestation: Type.Literal('none'),
    timeout: Type.Integer(),
  }),
});
export type RegisterChallenge = Static<typeof RegisterChallenge>;

export const PasskeyName = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'The user’s name for the device',
});

/** The header `Step-Up`: base64url of this, as JSON. */
export const StepUpProof = Type.Union([
  Type.Object({ challengeId: ChallengeId, assertion: Assertion }),
  Type.Object({ code: Type.String({ pattern: '^[0-9]{6}$', description: 'A code of the authenticator app' }) }),
]);
export type StepUpProof = Static<typeof StepUpProof>;

export const STEP_UP_HEADER = 'step-up';
/** Browsers send no such header from another site without asking first. */
export const CLIENT_HEADER = 'x-gateway-client';
