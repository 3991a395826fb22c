/**
 * Sends one request to DT One and classifies the response, and finds the transactions with a reference. provider-http.ts
 * decides what a failed exchange proves, refusals.ts what a rejection proves.
 */
import type { Deadline } from '../../foundation/deadline.ts';
import { basicAuthorization } from '../kit/basic-authorization.ts';
import type { ProviderHttp, ProviderReply } from '../kit/provider-http.ts';
import { type Json, readJson } from '../kit/provider-json.ts';
import { type Refused, unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { DT_ONE, type DtOneConfiguration } from './configuration.ts';
import { transactionsOfReference } from './protocol.ts';
import { NO_TRANSACTION, readRefusal } from './refusals.ts';

/** `refused` has the meaning for a new transaction. For other requests, only its reason is used. */
export type DtOneAnswer =
  | { readonly kind: 'done'; readonly answer: Json }
  | { readonly kind: 'refused'; readonly answer: Refused; readonly code: string };

export interface DtOneApi {
  /** Never throws. */
  get(path: string, deadline: Deadline): Promise<DtOneAnswer>;
  /** Never throws. */
  post(path: string, body: string, deadline: Deadline): Promise<DtOneAnswer>;
}

interface DtOneApiParts {
  readonly http: Pick<ProviderHttp, 'exchange'>;
  readonly hooks: RailHooks;
}

export function createDtOneApi(
  { apiKey, apiSecret }: Pick<DtOneConfiguration, 'apiKey' | 'apiSecret'>,
  { http, hooks }: DtOneApiParts,
): DtOneApi {
  const headers = () => ({ authorization: basicAuthorization(apiKey, apiSecret), accept: 'application/json' });

  function read(reply: ProviderReply): DtOneAnswer {
    if (reply.kind !== 'answered') return refused(unanswered(reply));
    const { status, body } = reply;
    if (status !== 200 && status !== 201) {
      const { answer, code, isOfCredentials } = readRefusal(status, body);
      if (isOfCredentials) hooks.onCredentialRefused(DT_ONE);
      return { kind: 'refused', answer, code };
    }
    const answer = readJson(body);
    return answer === undefined ? refused(unknown(`HTTP ${status} without JSON`)) : { kind: 'done', answer };
  }

  return {
    get: async (path, deadline) => read(await http.exchange({ verb: 'GET', path, headers: headers() }, deadline)),
    async post(path, body, deadline) {
      const written = {
        verb: 'POST',
        path,
        headers: { ...headers(), 'content-type': 'application/json' },
        body,
      } as const;
      return read(await http.exchange(written, deadline));
    },
  };
}

function refused(answer: Refused): DtOneAnswer {
  return { kind: 'refused', answer, code: '' };
}

/** The transactions with the reference, possibly none, or the reason why they are unknown. */
type FoundTransactions =
  | { readonly kind: 'listed'; readonly items: readonly Json[] }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Every query about a payout's outcome uses this function. */
export async function findTransaction(
  api: Pick<DtOneApi, 'get'>,
  reference: string,
  deadline: Deadline,
): Promise<FoundTransactions> {
  const called = await api.get(transactionsOfReference(reference), deadline);
  if (called.kind === 'done')
    return Array.isArray(called.answer)
      ? { kind: 'listed', items: called.answer }
      : unknown('DT One’s response does not contain a list');
  // A rejected query proves nothing about the payout, whatever the same code means for a new payout.
  return called.code === NO_TRANSACTION ? { kind: 'listed', items: [] } : unknown(called.answer.reason);
}
