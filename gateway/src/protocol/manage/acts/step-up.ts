/**
 * The confirmation of dangerous actions. The user’s passkey signs the hash of the endpoint, its parameters and its body, so a
 * confirmation is valid for exactly one action. A program needs none, because its token never approves.
 */

import { Compile } from 'typebox/compile';
import { ENDPOINTS, type EndpointName } from '../../../../contract/endpoints.ts';
import type { Endpoint } from '../../../../contract/parts/endpoint.ts';
import { STEP_UP_HEADER, StepUpProof } from '../../../../contract/parts/passkey-parts.ts';
import type { Caller, CallerSession } from '../../../domain/people/caller.ts';
import {
  type Signature,
  type SignatureProof,
  type SignParts,
  verifySignature,
} from '../../../domain/people/sign-in/person-signature.ts';
import { MINUTE_MS } from '../../../foundation/clock.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import { ownQuery } from '../callers/own-query.ts';
import type { ManageProblem } from '../problems.ts';
import { createRequestReader, type RequestParts } from '../read-request.ts';
import { type Fingerprint, hashOfAct } from './perform-act.ts';

const PROOF = Compile(StepUpProof);
/** A user without a credential may add one within this time after signing in. A stolen session is usually older. */
const FRESH_MS = 15 * MINUTE_MS;

/** Returns the hash of an action that a user is about to perform, or a problem if the request would be invalid. */
export function hashOfRequest(
  name: string,
  caller: Caller,
  request: RequestParts,
  fingerprint: Fingerprint,
): Result<Buffer, ManageProblem> {
  const endpoint: Endpoint | undefined = Object.hasOwn(ENDPOINTS, name) ? ENDPOINTS[name as EndpointName] : undefined;
  if (!endpoint)
    return fail({ code: 'invalid-request', field: '/endpoint', detail: 'endpoint must be an endpoint of this API.' });
  const read = createRequestReader(endpoint)({ ...request, query: ownQuery(endpoint, caller, request.query) });
  if (!read.ok) return read;
  const { params, query, body } = read.value;
  return ok(hashOfAct({ name, params: params as Record<string, string>, query, body }, fingerprint));
}

/** Reads the proof from the header. The value is undefined if the action needs no proof from this caller. */
export async function readProof(
  parts: SignParts,
  endpoint: Endpoint,
  { session }: Caller,
  header: unknown,
): Promise<Result<SignatureProof | undefined, ManageProblem>> {
  if (!endpoint.stepUp || !session) return ok(undefined);
  if (endpoint.audience === 'person' && (await hasNothingToConfirmWith(parts, session)))
    return parts.clock.now() - session.createdAt < FRESH_MS ? ok(undefined) : fail(SIGN_IN_AGAIN);
  const proof = typeof header === 'string' ? parse(header) : undefined;
  if (!PROOF.Check(proof)) return fail(REQUIRED);
  if ('code' in proof && (await needsPasskey(parts, endpoint, session))) return fail(PASSKEY_REQUIRED);
  return ok('code' in proof ? { kind: 'totp', code: proof.code } : { kind: 'passkey', ...proof });
}

/** The value is undefined if the action needs no proof from this caller. */
export async function verifyProof(
  parts: SignParts,
  { session }: Caller,
  hash: Buffer,
  proof: SignatureProof | undefined,
): Promise<Result<Signature | undefined, ManageProblem>> {
  if (!session || !proof) return ok(undefined);
  const signature = await verifySignature(parts, session, hash, proof);
  return signature ? ok(signature) : fail(WRONG);
}

async function needsPasskey(
  { people }: SignParts,
  { stepUp }: Endpoint,
  { personId }: CallerSession,
): Promise<boolean> {
  return stepUp === 'passkey' || (stepUp === 'strongest' && (await people.passkeys(personId)).length > 0);
}

/** A user who signed in with a recovery code, or who has no credential yet, may add a credential without a confirmation. */
async function hasNothingToConfirmWith({ people }: SignParts, { personId, way }: CallerSession): Promise<boolean> {
  if (way === 'recovery') return true;
  return (await people.passkeys(personId)).length === 0 && (await people.findPassword(personId)) === undefined;
}

function parse(header: string): unknown {
  try {
    return JSON.parse(Buffer.from(header, 'base64url').toString());
  } catch {
    return undefined;
  }
}

const REQUIRED: ManageProblem = {
  code: 'step-up-required',
  detail: `Confirm the action: sign the challenge of POST /manage/v1/session/step-up, and send the response in the header ${STEP_UP_HEADER}.`,
};

const SIGN_IN_AGAIN: ManageProblem = {
  code: 'step-up-required',
  detail: 'Sign in again: without a passkey or a password, you can add one only within 15 minutes of the sign-in.',
};

const PASSKEY_REQUIRED: ManageProblem = {
  code: 'step-up-required',
  detail: 'Confirm this action with a passkey. An authenticator code is not accepted here.',
};

const WRONG: ManageProblem = {
  code: 'step-up-required',
  detail: 'The confirmation is invalid, was used before, or belongs to another action. Confirm the action again.',
};
