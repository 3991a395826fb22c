/** Decides whether a caller may perform an action: by the endpoint's audience, the merchant, and the roles. */
import type { FastifyRequest } from 'fastify';
import { type Endpoint, isAct, permissionsOf } from '../../../../contract/parts/endpoint.ts';
import type { Caller } from '../../../domain/people/caller.ts';
import { isPermitted } from '../handler.ts';
import { type ManageProblem, NOT_FOUND } from '../problems.ts';

/** An endpoint or an object that the caller may not see is reported as nonexistent. */
export function rejectCaller(endpoint: Endpoint, caller: Caller, request: FastifyRequest): ManageProblem | undefined {
  if (endpoint.audience === 'anyone') return undefined;
  const viewing = caller.isViewing && isAct(endpoint) && !endpoint.whileViewing ? ONLY_VIEWING : undefined;
  if (endpoint.audience === 'person') return caller.session ? viewing : NOT_FOUND;
  if (caller.merchantId !== null) {
    if (endpoint.audience === 'operator') return NOT_FOUND;
    const named = [request.params, request.query].flatMap((values) => namedMerchant(values));
    if (named.some((merchantId) => merchantId !== caller.merchantId)) return NOT_FOUND;
  }
  if (isPermitted(caller, endpoint)) return viewing;
  return {
    code: 'forbidden',
    detail: `The credential lacks the permission ${permissionsOf(endpoint).join(' or ')}.`,
  };
}

const ONLY_VIEWING: ManageProblem = {
  code: 'forbidden',
  detail: 'Read-only while viewing as a merchant. Leave the view first.',
};

function namedMerchant(values: unknown): unknown[] {
  const merchantId = (values as Readonly<Record<string, unknown>>)['merchantId'];
  return merchantId === undefined ? [] : [merchantId].flat();
}
