/**
 * Reads the prefunded balance of our account at RazorpayX. Confirmed by its page on balances: `available_amount` in paise,
 * with the account's number. Not confirmed: that this number is RazorpayX Lite's customer identifier.
 */
import type { FloatReader } from '../../domain/rails/float-reader.ts';
import { fail, ok } from '../../foundation/result.ts';
import type { RazorpayXApi } from './api.ts';
import { RAZORPAYX, type RazorpayXConfiguration } from './configuration.ts';
import { BALANCES_PATH, readBalance } from './protocol.ts';

export function createRazorpayXFloatReader(
  { accountNumber }: Pick<RazorpayXConfiguration, 'accountNumber'>,
  api: Pick<RazorpayXApi, 'get'>,
): FloatReader {
  return {
    rail: RAZORPAYX,
    async read(deadline) {
      const called = await api.get(BALANCES_PATH, deadline);
      if (called.kind !== 'done') return fail(called.answer.reason);
      const balance = readBalance(accountNumber, called.fields);
      return balance.ok ? ok([balance.value]) : balance;
    },
  };
}
