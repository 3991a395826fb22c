/**
 * Reads the prefunded balance at Freedom Pay. Confirmed by its pages: the URL, the currency in request and response, and the
 * balance as a decimal number. Not confirmed: whether the balance excludes pending payouts.
 */
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { fail, ok } from '../../foundation/result.ts';
import type { FreedomPayApi } from './api.ts';
import { FREEDOM_PAY } from './configuration.ts';
import { balanceRequest, readBalance } from './protocol.ts';
import { reasonOf } from './refusals.ts';

export function createFreedomPayFloatReader(api: FreedomPayApi): FloatReader {
  return {
    rail: FREEDOM_PAY,
    async read(deadline) {
      const called = await api.call(balanceRequest(), deadline);
      if (called.kind === 'error') return fail(reasonOf(called.code));
      if (called.kind !== 'said') return fail(called.reason);
      const money = readBalance(called.fields);
      return money ? ok([money]) : fail('Freedom Pay’s response does not contain a readable balance');
    },
  };
}
