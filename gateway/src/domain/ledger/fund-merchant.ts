/** The operator's credit and debit commands: they post funding, each reference once. */
import type { Currency } from '../../foundation/currency.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { isId } from '../../foundation/identifiers.ts';
import type { Money } from '../../foundation/money.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { type WordsRejection, wordsFault } from '../audit/act-words.ts';
import { OPERATOR_MERCHANT } from '../merchants/merchant.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import { fundMerchant, withdrawFunding } from './journals.ts';
import type { LedgerStore } from './ledger-store.ts';
import { type Balances, balanceOf } from './transfer.ts';

export type FundingFailure =
  | { readonly kind: 'merchant_not_found' }
  | { readonly kind: 'merchant_reserved' }
  | { readonly kind: 'invalid_reference' }
  | WordsRejection
  /** The reference was used for a different amount, currency or direction. */
  | { readonly kind: 'reference_already_used' }
  | { readonly kind: 'insufficient_funds'; readonly available: Money };

interface FundingDone {
  /** False if this reference already posted the same funding, so no money moved now. */
  readonly posted: boolean;
  readonly balances: Balances;
}

interface MoveFundsParts {
  readonly ledger: LedgerStore;
  readonly directory: Pick<MerchantDirectory, 'find'>;
}

const PLANS = {
  credit: fundMerchant,
  debit: (order: Parameters<typeof withdrawFunding>[0], _balances: Balances) => withdrawFunding(order),
} as const;

export async function moveFunds(
  { ledger, directory }: MoveFundsParts,
  direction: 'credit' | 'debit',
  merchantId: MerchantId,
  money: Money,
  reference: string,
  reason: string,
): Promise<Result<FundingDone, FundingFailure>> {
  if (!isId(reference)) return fail({ kind: 'invalid_reference' });
  const fault = wordsFault({ reason });
  if (fault) return fail(fault);
  if (merchantId === OPERATOR_MERCHANT) return fail({ kind: 'merchant_reserved' });
  if (!(await directory.find(merchantId))) return fail({ kind: 'merchant_not_found' });
  const order = { merchantId, currency: money.currency, amount: money.minor, reference };
  const outcome = await ledger.post(merchantId, money.currency, reason, (balances) =>
    PLANS[direction](order, balances),
  );
  if (outcome.kind === 'posted') return ok({ posted: true, balances: outcome.balances });
  if (outcome.kind === 'insufficient_funds') {
    return fail({ kind: 'insufficient_funds', available: available(outcome.balances, money.currency) });
  }
  if (!outcome.same) return fail({ kind: 'reference_already_used' });
  return ok({ posted: false, balances: await ledger.balances(merchantId, money.currency) });
}

function available(balances: Balances, currency: Currency): Money {
  return { currency, minor: balanceOf(balances, 'available') };
}
