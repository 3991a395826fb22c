/**
 * Reads the prefunded balances at DT One. Confirmed by its API description: one account per currency, and `available` without
 * the amounts held for pending transactions. The accounts are in our own currency, not in the recipient's.
 */
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { fail } from '../../foundation/result.ts';
import type { DtOneApi } from './api.ts';
import { DT_ONE } from './configuration.ts';
import { BALANCES_PATH, readBalances } from './protocol.ts';

export function createDtOneFloatReader(api: Pick<DtOneApi, 'get'>): FloatReader {
  return {
    rail: DT_ONE,
    async read(deadline) {
      const called = await api.get(BALANCES_PATH, deadline);
      if (called.kind !== 'done') return fail(called.answer.reason);
      return Array.isArray(called.answer)
        ? readBalances(called.answer)
        : fail('DT One’s response does not contain a list');
    },
  };
}
