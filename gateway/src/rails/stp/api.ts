/** Sends the queries of queries.ts to STP, signed and within a deadline. A missing response has an unknown outcome. */
import type { KeyObject } from 'node:crypto';
import type { Deadline } from '../../foundation/deadline.ts';
import type { ProviderHttp, ProviderReply } from '../kit/provider-http.ts';
import { unknown } from '../kit/rail-answers.ts';
import type { RailHooks } from '../kit/rail-hooks.ts';
import { STP } from './configuration.ts';
import {
  isQueryKeyRefused,
  RECONCILIATION_PATH,
  type ReconciliationPage,
  type ReconciliationQuery,
  readReconciliation,
  readTransferAnswer,
  TRANSFER_QUERY_PATH,
  type TransferAnswer,
  type TransferQuery,
  writeReconciliationQuery,
  writeTransferQuery,
} from './queries.ts';

export type Exchange = Pick<ProviderHttp, 'exchange'>;

/** The headers of every request to STP. */
export const HEADERS = { 'content-type': 'application/json' };

/** Sends STP's queries over separate connections. The hook reports a rejected signature, whichever caller queried. */
export function createQueries(http: Exchange, hooks: RailHooks): Exchange {
  return {
    async exchange(request, deadline) {
      const reply = await http.exchange(request, deadline);
      if (reply.kind === 'answered' && isQueryKeyRefused(reply.body)) hooks.onCredentialRefused(STP);
      return reply;
    },
  };
}

export async function askTransfer(
  http: Exchange,
  query: TransferQuery,
  privateKey: KeyObject,
  deadline: Deadline,
): Promise<TransferAnswer> {
  const reply = await post(http, TRANSFER_QUERY_PATH, writeTransferQuery(query, privateKey), deadline);
  return reply.kind === 'answered' ? readTransferAnswer(reply.status, reply.body) : unknown(reply.reason);
}

export async function askPage(
  http: Exchange,
  query: ReconciliationQuery,
  privateKey: KeyObject,
  deadline: Deadline,
): Promise<ReconciliationPage> {
  const reply = await post(http, RECONCILIATION_PATH, writeReconciliationQuery(query, privateKey), deadline);
  return reply.kind === 'answered' ? readReconciliation(reply.status, reply.body) : unknown(reply.reason);
}

function post(http: Exchange, path: string, body: string, deadline: Deadline): Promise<ProviderReply> {
  return http.exchange({ verb: 'POST', path, headers: HEADERS, body }, deadline);
}
