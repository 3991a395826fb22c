/** Signing in, and accepting single-use links. These endpoints need no credential; the answer sets the session’s cookie. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_PARAMS, NO_QUERY, nullable, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import {
  Assertion,
  Attestation,
  ChallengeId,
  PasskeyName,
  RegisterChallenge,
  SignChallenge,
} from '../parts/passkey-parts.ts';

export const Email = Type.String({ minLength: 3, maxLength: 254, examples: ['ann@example.com'] });

const Secret = Type.String({ pattern: '^[A-Za-z0-9]{43}$', description: 'The part of the link after the #' });

export const SignedIn = Type.Object({
  sessionId: Type.String(),
  personId: Type.String(),
  merchantId: Type.Union([MerchantId, Type.Null()], { description: 'The merchant. Null for the operator' }),
});
export type SignedIn = Static<typeof SignedIn>;

const common = {
  permission: null,
  audience: 'anyone',
  params: NO_PARAMS,
  query: NO_QUERY,
} as const;

export const SIGN_IN_ENDPOINTS = defineEndpoints({
  'signIn.challenge': {
    ...common,
    method: 'POST',
    path: '/sign-in/challenge',
    summary: 'Get a challenge that any passkey of this site may sign',
    answer: SignChallenge,
  },
  'signIn.passkey': {
    ...common,
    method: 'POST',
    path: '/sign-in/passkey',
    summary: 'Sign in with a passkey',
    body: Type.Object({ challengeId: ChallengeId, assertion: Assertion }, { additionalProperties: false }),
    answer: SignedIn,
  },
  'signIn.password': {
    ...common,
    method: 'POST',
    path: '/sign-in/password',
    summary: 'Sign in with a password and a code of an authenticator app',
    body: Type.Object(
      {
        email: Email,
        password: Type.String({ minLength: 1, maxLength: 200 }),
        code: Type.String({ pattern: '^[0-9]{6}$' }),
      },
      { additionalProperties: false },
    ),
    answer: SignedIn,
    secretFields: ['password', 'code'],
  },
  'signIn.recovery': {
    ...common,
    method: 'POST',
    path: '/sign-in/recovery',
    summary: 'Sign in with a recovery code, in order to add a passkey',
    body: Type.Object(
      { email: Email, code: Type.String({ minLength: 1, maxLength: 40 }) },
      { additionalProperties: false },
    ),
    answer: SignedIn,
    secretFields: ['code'],
  },
  'signIn.openid': {
    ...common,
    method: 'POST',
    path: '/sign-in/openid',
    summary: 'Begin to sign in at the operator’s OpenID Connect provider',
    answer: Type.Object({ url: Type.String({ description: 'The URL to open in the browser' }) }),
  },
  'signIn.openidReturn': {
    ...common,
    method: 'POST',
    path: '/sign-in/openid/return',
    summary: 'Sign in with the provider’s response',
    body: Type.Object(
      { query: Type.String({ minLength: 1, maxLength: 8_000, description: 'The query string, without the ?' }) },
      { additionalProperties: false },
    ),
    answer: SignedIn,
    secretFields: ['query'],
  },
  'links.show': {
    ...common,
    method: 'POST',
    path: '/links/show',
    summary: 'Show the purpose of a single-use link',
    body: Type.Object({ secret: Secret }, { additionalProperties: false }),
    answer: Type.Object({
      purpose: Type.Enum(['join', 'reset']),
      email: nullable(Type.String()),
      merchantId: nullable(MerchantId),
      role: nullable(Type.String()),
      expiresAt: Time,
    }),
    secretFields: ['secret'],
  },
  'links.challenge': {
    ...common,
    method: 'POST',
    path: '/links/challenge',
    summary: 'Get the challenge for a new user’s passkey',
    body: Type.Object({ secret: Secret }, { additionalProperties: false }),
    answer: RegisterChallenge,
    secretFields: ['secret'],
  },
  'links.accept': {
    ...common,
    method: 'POST',
    path: '/links/accept',
    summary: 'Accept a link with a new passkey, and sign in',
    body: Type.Object(
      {
        secret: Secret,
        challengeId: ChallengeId,
        attestation: Attestation,
        name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' }),
        email: Type.Optional(Email),
        passkeyName: PasskeyName,
      },
      { additionalProperties: false },
    ),
    answer: SignedIn,
    secretFields: ['secret'],
  },
});
