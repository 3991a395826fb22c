/**
 * Reads the available amount of our balance account for payouts. It uses another API of Adyen under the same key, which
 * needs a role for it. The balance must not affect any payout.
 */
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { fail } from '../../foundation/result.ts';
import type { ProviderHttp } from '../kit/provider-http.ts';
import { ADYEN_TRANSFERS, type AdyenTransfersConfiguration } from './configuration.ts';
import { balancesPath, readBalances } from './protocol.ts';

export function createAdyenTransfersFloatReader(
  { apiKey, balanceAccount }: Pick<AdyenTransfersConfiguration, 'apiKey' | 'balanceAccount'>,
  http: Pick<ProviderHttp, 'exchange'>,
): FloatReader {
  return {
    rail: ADYEN_TRANSFERS,
    async read(deadline) {
      const headers = { 'x-api-key': apiKey.reveal() };
      const reply = await http.exchange({ verb: 'GET', path: balancesPath(balanceAccount), headers }, deadline);
      return reply.kind === 'answered' ? readBalances(reply.status, reply.body, balanceAccount) : fail(reply.reason);
    },
  };
}
