/**
 * Reads the prefunded balance for payouts at VoPay. Confirmed by VoPay's description: `account/balance`, whose
 * AvailableFunds is the balance without pending and held amounts.
 */
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { fail, ok } from '../../foundation/result.ts';
import type { VoPayApi } from './api.ts';
import { VOPAY } from './configuration.ts';
import { balanceRequest, readAvailable } from './payout-messages.ts';

export function createVoPayFloatReader(api: VoPayApi): FloatReader {
  return {
    rail: VOPAY,
    async read(deadline) {
      const called = await api.call(balanceRequest(), deadline);
      if (called.kind !== 'done') return fail(called.reason);
      const money = readAvailable(called.fields);
      return money ? ok([money]) : fail('VoPay’s response does not contain a readable balance');
    },
  };
}
