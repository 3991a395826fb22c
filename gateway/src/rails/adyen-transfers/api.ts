/** Sends requests to Adyen's Transfers API and classifies the responses. Reports rejected credentials to the hook. */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { ProviderHttp, ProviderReply, ProviderRequest } from '../kit/provider-http.ts';
import { unanswered, unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { ADYEN_TRANSFERS, type AdyenTransfersConfiguration } from './configuration.ts';
import {
  isCredentialRefused,
  type Page,
  queryPath,
  readPage,
  readSubmission,
  type Submission,
  TRANSFERS_PATH,
  type TransferQuery,
} from './protocol.ts';

/** Enough for a page of a hundred transfers with all their events. */
export const ADYEN_TRANSFERS_LARGEST_ANSWER_BYTES = 2 * 1024 * 1024;

const LONGEST_KEY = 64;

export interface TransfersApi {
  /** Never throws. Adyen executes requests with the same key once, and repeats the first response. */
  submit(order: PayoutOrder, body: string, idempotencyKey: string, deadline: Deadline): Promise<Submission>;
  /** Never throws. */
  list(query: Omit<TransferQuery, 'balanceAccount'>, deadline: Deadline): Promise<Page>;
}

export function createTransfersApi(
  { apiKey, balanceAccount }: Pick<AdyenTransfersConfiguration, 'apiKey' | 'balanceAccount'>,
  http: Pick<ProviderHttp, 'exchange'>,
  hooks: RailHooks,
): TransfersApi {
  const credential = () => ({ 'x-api-key': apiKey.reveal() });

  async function exchange(request: ProviderRequest, deadline: Deadline): Promise<ProviderReply> {
    const reply = await http.exchange({ ...request, headers: { ...credential(), ...request.headers } }, deadline);
    const isRefused = reply.kind === 'answered' && isCredentialRefused(reply.status, reply.body);
    if (isRefused) hooks.onCredentialRefused(ADYEN_TRANSFERS);
    return reply;
  }

  return {
    async submit(order, body, idempotencyKey, deadline) {
      invariant(
        idempotencyKey !== '' && idempotencyKey.length <= LONGEST_KEY,
        'idempotency key is not 1 to 64 characters',
      );
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
      const reply = await exchange({ verb: 'POST', path: TRANSFERS_PATH, headers, body }, deadline);
      return reply.kind === 'answered' ? readSubmission(reply.status, reply.body, order) : unanswered(reply);
    },
    async list(query, deadline) {
      const path = queryPath({ ...query, balanceAccount });
      const reply = await exchange({ verb: 'GET', path, headers: {} }, deadline);
      return reply.kind === 'answered' ? readPage(reply.status, reply.body) : unknown(reply.reason);
    },
  };
}
