/** POST /payment/balance: a merchant's available and reserved money in one currency (decision 26). */
import type { LedgerStore } from '../../domain/ledger/ledger-store.ts';
import { type AccountName, balanceOf } from '../../domain/ledger/transfer.ts';
import { formatAmount } from '../../foundation/money.ts';
import { ok } from '../../foundation/result.ts';
import { signedSet } from '../signatures/merchant-signature.ts';
import { coverFields } from './authenticate-request.ts';
import type { PayoutEndpoint } from './payout-endpoint.ts';
import { readCurrency } from './read-currency.ts';

export const BALANCE_SIGNED = signedSet(['merchant', 'currency'], { isClosed: true });

export function createPaymentBalance(ledger: Pick<LedgerStore, 'balances'>): PayoutEndpoint {
  return {
    name: 'balance',
    path: '/payment/balance',
    rateSetting: 'status_rate_limit',
    cover: (body) => coverFields(body, BALANCE_SIGNED),
    async answer({ merchant, body }) {
      const currency = readCurrency(body);
      if (!currency.ok) return currency;
      const balances = await ledger.balances(merchant.merchantId, currency.value);
      const amount = (account: AccountName) =>
        formatAmount({ currency: currency.value, minor: balanceOf(balances, account) });
      const fields = {
        status: 'Success',
        currency: currency.value,
        balance: amount('available'),
        reserved: amount('reserved'),
      };
      return ok({ kind: 'signed', fields });
    },
  };
}
