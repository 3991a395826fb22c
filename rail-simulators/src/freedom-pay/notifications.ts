/** Notifies the client of a payout's outcome, at the URL in the payout, until a 200 accepts it. */
import { toText } from '../kernel/amounts.ts';
import { Notifier } from '../kernel/notifier.ts';
import { formLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import { sentenceOf } from './errors.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, FreedomPayWorks } from './processing.ts';
import { type Fields, signed } from './signature.ts';

export function createCallbacks(
  works: FreedomPayWorks,
  { merchantId, payoutSecret }: Account,
  onAccepted: (entry: BookEntry) => void,
): Notifier<BookEntry> {
  const modeOf = ({ amount }: BookEntry) => faultsOf(works.faults, amount).notifications;
  return new Notifier<BookEntry>(works, {
    owner: 'Freedom Pay',
    nameOf: ({ paymentId }) => String(paymentId),
    subjectOf: ({ paymentId }) => paymentId,
    fault: modeOf,
    write(entry) {
      const { postLink, amount } = entry;
      const mode = modeOf(entry);
      const balance = toText(works.book.float());
      const fields = callbackOf(entry, merchantId, balance, mode === 'wrong_amount' ? '999999.99' : amount);
      const script = postLink.slice(postLink.lastIndexOf('/') + 1);
      return formLetter(postLink, signed(script, fields, payoutSecret, mode === 'forged' ? 'wrong' : 'right'));
    },
    isAccepted: ({ status }) => status === 200,
    onAccepted,
  });
}

function callbackOf(entry: BookEntry, merchantId: string, balance: string, amount: string): Fields {
  const { paymentId, orderId, maskedCard, status, code, at } = entry;
  const failure = code === '' ? {} : { pg_error_code: code, pg_error_description: sentenceOf(code) };
  return {
    pg_payment_id: String(paymentId),
    pg_order_id: orderId,
    pg_merchant_id: merchantId,
    pg_status: status === 'success' ? 'ok' : 'error',
    pg_balance: balance,
    pg_payment_amount: amount,
    pg_to_pay: amount,
    pg_payment_date: at.slice(0, 19).replace('T', ' '),
    pg_card_hash: maskedCard,
    ...failure,
  };
}
