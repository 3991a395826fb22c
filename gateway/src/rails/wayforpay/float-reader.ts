/** Reads our prefunded balance at WayForPay, from which it pays. */
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { fail } from '../../foundation/result.ts';
import type { ProviderHttp } from '../kit/provider-http.ts';
import { WAYFORPAY, type WayForPayAccount } from './configuration.ts';
import { HEADERS } from './protocol.ts';
import { BALANCE_PATH, readBalance, writeBalanceQuery } from './queries.ts';

export function createWayForPayFloatReader(
  account: WayForPayAccount,
  http: Pick<ProviderHttp, 'exchange'>,
): FloatReader {
  return {
    rail: WAYFORPAY,
    async read(deadline) {
      const body = writeBalanceQuery(account);
      const reply = await http.exchange({ verb: 'POST', path: BALANCE_PATH, headers: HEADERS, body }, deadline);
      return reply.kind === 'answered' ? readBalance(reply.status, reply.body) : fail(reply.reason);
    },
  };
}
