/** A signed-in person’s own session, sessions and credentials. */
import { type Static, Type } from 'typebox';
import { MerchantId, NO_PARAMS, NO_QUERY, nullable, Reason, Time } from '../parts/answer-parts.ts';
import { defineEndpoints } from '../parts/endpoint.ts';
import { Attestation, ChallengeId, PasskeyName, RegisterChallenge, SignChallenge } from '../parts/passkey-parts.ts';
import { PERMISSION_NAMES } from '../permissions.ts';

const Way = Type.Enum(['passkey', 'password', 'openid', 'recovery', 'link']);

const ActsFor = Type.Union([MerchantId, Type.Null()], { description: 'The merchant. Null for the operator' });

const OwnSession = Type.Object({
  sessionId: Type.String(),
  person: Type.Object({ personId: Type.String(), email: Type.String(), name: Type.String() }),
  merchantId: ActsFor,
  isViewing: Type.Boolean({ description: 'True while an operator user views the portal as the merchant' }),
  permissions: Type.Array(Type.Enum(PERMISSION_NAMES)),
  memberships: Type.Array(Type.Object({ merchantId: ActsFor, role: Type.String() })),
  way: Way,
});

const Session = Type.Object({
  sessionId: Type.String(),
  isThis: Type.Boolean({ description: 'True for the session of this request' }),
  merchantId: ActsFor,
  way: Way,
  address: Type.String(),
  userAgent: Type.String(),
  createdAt: Time,
  lastUsedAt: Time,
});
export type Session = Static<typeof Session>;

const Credentials = Type.Object({
  passkeys: Type.Array(
    Type.Object({ credentialId: Type.String(), name: Type.String(), createdAt: Time, lastUsedAt: nullable(Time) }),
  ),
  passwordChangedAt: nullable(Time),
  recoveryCodesLeft: Type.Integer(),
});
export type Credentials = Static<typeof Credentials>;

const Ended = Type.Object({ ended: Type.Boolean() });

const CredentialId = Type.Object({ credentialId: Type.String({ minLength: 1, maxLength: 200 }) });

const common = {
  permission: null,
  audience: 'person',
  params: NO_PARAMS,
  query: NO_QUERY,
} as const;

export const SESSION_ENDPOINTS = defineEndpoints({
  'session.show': {
    ...common,
    method: 'GET',
    path: '/session',
    summary: 'Show the signed-in user, the session’s team and its permissions',
    answer: OwnSession,
  },
  'session.end': {
    ...common,
    method: 'DELETE',
    path: '/session',
    summary: 'Sign out',
    answer: Ended,
    whileViewing: true,
  },
  'session.switch': {
    ...common,
    method: 'POST',
    path: '/session/switch',
    summary: 'Switch the session to another merchant, or to the operator',
    body: Type.Object({ merchantId: nullable(MerchantId) }, { additionalProperties: false }),
    answer: Type.Object({ merchantId: ActsFor }),
    whileViewing: true,
  },
  'session.viewAs': {
    method: 'POST',
    path: '/merchants/{merchantId}/view',
    summary: 'View the portal as a merchant, read only, until session.switch; the merchant’s audit log records it',
    permission: 'merchants:read',
    audience: 'operator',
    params: Type.Object({ merchantId: MerchantId }),
    query: NO_QUERY,
    body: Type.Object({ reason: Reason }, { additionalProperties: false }),
    answer: Type.Object({ merchantId: MerchantId }),
  },
  'session.stepUp': {
    ...common,
    method: 'POST',
    path: '/session/step-up',
    summary: 'Get the challenge that a passkey signs to confirm one action',
    unrecorded: true,
    body: Type.Object(
      {
        endpoint: Type.String({ minLength: 1, maxLength: 64, examples: ['funds.credit'] }),
        params: Type.Optional(Type.Record(Type.String(), Type.String())),
        query: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
        body: Type.Optional(Type.Unknown()),
      },
      { additionalProperties: false },
    ),
    answer: SignChallenge,
  },
  'sessions.list': {
    ...common,
    method: 'GET',
    path: '/sessions',
    summary: 'List your sessions, newest first',
    answer: Type.Object({ items: Type.Array(Session) }),
  },
  'sessions.end': {
    ...common,
    method: 'POST',
    path: '/sessions/{sessionId}/end',
    summary: 'End one of your sessions now',
    params: Type.Object({ sessionId: Type.String({ minLength: 1, maxLength: 64 }) }),
    answer: Ended,
  },
  'credentials.show': {
    ...common,
    method: 'GET',
    path: '/credentials',
    summary: 'Show your passkeys, and whether you have a password and recovery codes',
    answer: Credentials,
  },
  'passkeys.challenge': {
    ...common,
    method: 'POST',
    path: '/passkeys/challenge',
    summary: 'Get the challenge for another passkey',
    unrecorded: true,
    answer: RegisterChallenge,
  },
  'passkeys.add': {
    ...common,
    method: 'POST',
    path: '/passkeys',
    summary: 'Add a passkey',
    stepUp: true,
    body: Type.Object(
      { challengeId: ChallengeId, attestation: Attestation, name: PasskeyName },
      { additionalProperties: false },
    ),
    answer: Credentials,
  },
  'passkeys.remove': {
    ...common,
    method: 'POST',
    path: '/passkeys/{credentialId}/remove',
    summary: 'Remove a passkey',
    stepUp: true,
    params: CredentialId,
    answer: Credentials,
  },
  'password.challenge': {
    ...common,
    method: 'POST',
    path: '/password/challenge',
    summary: 'Get the secret of a new authenticator app, before setting a password',
    unrecorded: true,
    answer: Type.Object({
      challengeId: ChallengeId,
      secret: Type.String({ description: 'The secret in base32, to type into the app' }),
      link: Type.String({ description: 'The content of the QR code for the app' }),
    }),
  },
  'password.set': {
    ...common,
    method: 'PUT',
    path: '/password',
    summary: 'Set a password together with an authenticator app',
    stepUp: true,
    body: Type.Object(
      {
        challengeId: ChallengeId,
        password: Type.String({ minLength: 12, maxLength: 200 }),
        code: Type.String({ pattern: '^[0-9]{6}$', description: 'The first code of the new app' }),
      },
      { additionalProperties: false },
    ),
    answer: Credentials,
    secretFields: ['password', 'code'],
  },
  'password.remove': {
    ...common,
    method: 'DELETE',
    path: '/password',
    summary: 'Remove the password and its authenticator app',
    stepUp: true,
    answer: Credentials,
  },
  'recoveryCodes.create': {
    ...common,
    method: 'POST',
    path: '/recovery-codes',
    summary: 'Create ten recovery codes, shown once; earlier ones stop working',
    stepUp: true,
    answer: Type.Object({ codes: Type.Array(Type.String()) }),
    secretFields: ['codes'],
  },
  'links.join': {
    ...common,
    method: 'POST',
    path: '/links/join',
    summary: 'Accept another role with a single-use link',
    body: Type.Object({ secret: Type.String({ pattern: '^[A-Za-z0-9]{43}$' }) }, { additionalProperties: false }),
    answer: Type.Object({ merchantId: ActsFor, role: Type.String() }),
    secretFields: ['secret'],
  },
});
