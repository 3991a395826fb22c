/** Notifies the client of each status change, at the URL in the transaction, until a 2xx accepts it. */
import { basic } from '../kernel/credentials.ts';
import { Notifier } from '../kernel/notifier.ts';
import { jsonLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, DtOneWorks } from './processing.ts';
import { transactionView } from './views.ts';

const OTHER_REFERENCE = '99-FoReIgN1';

export function createCallbacks(works: DtOneWorks, account: Account): Notifier<BookEntry> {
  const modeOf = ({ tiyn }: BookEntry) => faultsOf(works.faults, tiyn).notifications;
  return new Notifier<BookEntry>(works, {
    owner: 'DT One',
    nameOf: ({ id, className }) => `${className} of ${id}`,
    subjectOf: ({ id }) => id,
    fault: modeOf,
    write(entry) {
      const mode = modeOf(entry);
      const password = mode === 'forged' ? `not ${account.callbackPassword}` : account.callbackPassword;
      const lie = mode === 'lying' ? ({ className: 'COMPLETED', message: 'COMPLETED' } as const) : {};
      const foreign = mode === 'foreign_reference' ? { externalId: OTHER_REFERENCE } : {};
      const headers = { authorization: basic(account.callbackUsername, password) };
      return jsonLetter(entry.callbackUrl, transactionView({ ...entry, ...lie, ...foreign }), headers);
    },
  });
}
