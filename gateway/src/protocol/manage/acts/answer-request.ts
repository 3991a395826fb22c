/**
 * Responds to an authorised request: a read through its handler, a dry run without a change, and an action once per
 * idempotency key, after its confirmation and under the policies.
 */
import type { FastifyRequest } from 'fastify';
import type { EndpointName } from '../../../../contract/endpoints.ts';
import { type Endpoint, isAct } from '../../../../contract/parts/endpoint.ts';
import { STEP_UP_HEADER } from '../../../../contract/parts/passkey-parts.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import type { SignParts } from '../../../domain/people/sign-in/person-signature.ts';
import { invariant } from '../../../foundation/invariant.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { Answered, AnsweredFile, Handler, ManageRequest } from '../handler.ts';
import type { ManageProblem } from '../problems.ts';
import { type ActAnswer, type ActParts, hashOfAct, performAct } from './perform-act.ts';
import { isRehearsal, rehearseAct } from './rehearse-act.ts';
import { readProof, verifyProof } from './step-up.ts';
import { performUnderPolicies, type TwoPeopleParts } from './two-people.ts';

export interface AnswerParts extends ActParts, TwoPeopleParts {
  /** The parts that verify confirmations of dangerous actions. */
  readonly people: SignParts;
}

export interface NamedHandler {
  readonly name: string;
  readonly endpoint: Endpoint;
  readonly handler: Handler<Endpoint>;
}

export async function answerRequest(
  parts: AnswerParts,
  named: NamedHandler,
  asked: ManageRequest<Endpoint>,
  request: FastifyRequest,
): Promise<Result<ActAnswer | AnsweredFile, ManageProblem>> {
  const { endpoint, handler } = named;
  const name = named.name as EndpointName;
  if (isRehearsal(endpoint, asked.query)) {
    const rehearsal = await rehearseAct(parts.runInTransaction, {
      name,
      endpoint,
      request: { ...asked, act: request.id },
    });
    return ok({ status: 200, text: JSON.stringify(rehearsal), repeated: false });
  }
  return isAct(endpoint) ? answerAct(parts, named, asked, request) : answerReading(handler, asked);
}

async function answerReading(
  handler: Handler<Endpoint>,
  asked: ManageRequest<Endpoint>,
): Promise<Result<ActAnswer | AnsweredFile, ManageProblem>> {
  const result = await handler(asked);
  if (!result.ok) return result;
  if ('file' in result.value) return ok(result.value);
  const { answer, entityTag, cookies } = result.value;
  const headers = { ...(entityTag === undefined ? {} : { entityTag }), ...(cookies === undefined ? {} : { cookies }) };
  return ok({ status: 200, text: JSON.stringify(answer), repeated: false, records: recordsIn(answer), ...headers });
}

/** Returns the items of a list; any other response is one record. */
function recordsIn(answer: unknown): number {
  const items = typeof answer === 'object' && answer !== null && 'items' in answer ? answer.items : undefined;
  return Array.isArray(items) ? items.length : 1;
}

async function answerAct(
  parts: AnswerParts,
  { name, endpoint, handler }: NamedHandler,
  asked: ManageRequest<Endpoint>,
  request: FastifyRequest,
): Promise<Result<ActAnswer, ManageProblem>> {
  const { caller, query, body } = asked;
  const idempotencyKey = request.headers['idempotency-key'];
  if (typeof idempotencyKey !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(idempotencyKey))
    return fail({
      code: 'idempotency-key-missing',
      detail: 'Send the header Idempotency-Key: 1 to 255 visible characters, unique per action, such as a UUID.',
    });
  const proof = await readProof(parts.people, endpoint, caller, request.headers[STEP_UP_HEADER]);
  if (!proof.ok) return proof;
  const params = asked.params as Record<string, string>;
  return performAct(parts, {
    name,
    endpoint,
    caller,
    idempotencyKey,
    address: addressOf(caller, request),
    requestId: request.id,
    params,
    query,
    body,
    async perform(act) {
      const hash = hashOfAct({ name, params, query, body }, parts.fingerprint);
      const signature = await verifyProof(parts.people, caller, hash, proof.value);
      if (!signature.ok) return signature;
      const request = { ...asked, act, signature: signature.value };
      return performUnderPolicies(parts, { name: name as EndpointName, endpoint, request }, async () => {
        const done = await handler(request);
        invariant(!done.ok || !('file' in done.value), 'action returned a file');
        return done as Result<Answered<unknown>, ManageProblem>;
      });
    },
  });
}

/** The command line on the server has no address. */
export function addressOf({ actor }: Caller, { ip }: FastifyRequest): string | null {
  return actor.kind === 'emergency' ? null : ip;
}
