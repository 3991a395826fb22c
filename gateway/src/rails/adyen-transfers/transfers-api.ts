/**
 * The requests to Adyen's Transfers API, each with what its answer is worth. A credential that Adyen refuses is told to
 * whoever runs the gateway, whatever was asked.
 */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import type { Deadline } from '../../foundation/deadline.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { ProviderHttp } from '../provider-http.ts';
import type { RailHooks } from '../rail-hooks.ts';
import type { AdyenTransfersConfiguration } from './configuration.ts';
import {
  CREDENTIAL_REFUSED,
  type Page,
  queryPath,
  readPage,
  readSubmission,
  type Submission,
  TRANSFERS_PATH,
  type TransferQuery,
} from './protocol.ts';

/** The rail's name. */
export const ADYEN_TRANSFERS = 'adyen-transfers';
/** A page of a hundred transfers with all their events. */
export const ADYEN_TRANSFERS_LARGEST_ANSWER_BYTES = 2 * 1024 * 1024;

const LONGEST_KEY = 64;

export interface TransfersApi {
  /** Never throws. Under one key Adyen carries a request out once, and answers every repetition as it did the first. */
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
  const alarmed = <Answer extends { kind: string; reason?: string }>(answer: Answer): Answer => {
    if (answer.reason?.startsWith(CREDENTIAL_REFUSED)) hooks.onCredentialRefused(ADYEN_TRANSFERS);
    return answer;
  };
  return {
    async submit(order, body, idempotencyKey, deadline) {
      invariant(idempotencyKey !== '' && idempotencyKey.length <= LONGEST_KEY, 'a key of 1 to 64 characters');
      const own = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
      const request = { verb: 'POST', path: TRANSFERS_PATH, headers: { ...credential(), ...own }, body } as const;
      const reply = await http.exchange(request, deadline);
      if (reply.kind === 'answered') return alarmed(readSubmission(reply.status, reply.body, order));
      return { kind: reply.kind === 'not_connected' ? 'not_taken' : 'unknown', reason: reply.reason };
    },
    async list(query, deadline) {
      const path = queryPath({ ...query, balanceAccount });
      const reply = await http.exchange({ verb: 'GET', path, headers: credential() }, deadline);
      if (reply.kind === 'answered') return alarmed(readPage(reply.status, reply.body));
      return { kind: 'unknown', reason: reply.reason };
    },
  };
}
