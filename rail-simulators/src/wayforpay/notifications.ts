/** Notifies the client at the URL in the payout, until a response with the client's signature accepts it. */
import { isSame } from '../kernel/credentials.ts';
import { parseKeepingNumbers } from '../kernel/fields.ts';
import { Notifier } from '../kernel/notifier.ts';
import { jsonLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, WayForPayWorks } from './processing.ts';
import { signatureOf } from './signature.ts';
import { signedView } from './views.ts';

const OTHER_AMOUNT = '999999.99';

export function createCallbacks(
  works: WayForPayWorks,
  account: Account,
  onAccepted: (entry: BookEntry) => void,
): Notifier<BookEntry> {
  const { faults } = works;
  const modeOf = ({ kopecks }: BookEntry) => faultsOf(faults, kopecks).callbacks;
  return new Notifier<BookEntry>(works, {
    owner: 'WayForPay',
    nameOf: ({ reference, status }) => `${reference} ${status}`,
    subjectOf: ({ reference }) => reference,
    fault: modeOf,
    write(entry) {
      const mode = modeOf(entry);
      const signer = mode === 'forged' ? { ...account, secretKey: `not ${account.secretKey}` } : account;
      const change = mode === 'wrong_amount' ? { amount: OTHER_AMOUNT } : {};
      const signedAs = faults.signing === 'general' ? 'general' : entry.type;
      return jsonLetter(entry.serviceUrl, signedView(entry, signer, signedAs, change));
    },
    isAccepted({ status, text }, { reference }) {
      const fields = parseKeepingNumbers(text) ?? {};
      const isTheirs = isSame(
        fields['signature'],
        signatureOf(fields, ['orderReference', 'status', 'time'], account.secretKey),
      );
      return isTheirs && status === 200 && fields['status'] === 'accept' && fields['orderReference'] === reference;
    },
    onAccepted,
  });
}
