/** Notifies the client at the URL in its dashboard, until a 200 accepts it. */
import { Notifier } from '../kernel/notifier.ts';
import { formLetter, type Letter } from '../kernel/retrying-sender.ts';
import { type BookEntry, isPayout } from './book.ts';
import { seal } from './envelope.ts';
import { faultsOf } from './magic-amounts.ts';
import type { Account, EpointWorks } from './processing.ts';
import { callbackView, registeredView } from './views.ts';

const OTHER_AMOUNT = '999999.99';
const BOUNDARY = 'epoint-boundary';

export function createCallbacks(works: EpointWorks, url: string, { privateKey }: Account): Notifier<BookEntry> {
  const modeOf = (entry: BookEntry) =>
    (isPayout(entry) ? faultsOf(works.faults, entry.amount) : works.faults).callbacks;
  return new Notifier<BookEntry>(works, {
    owner: 'Epoint',
    nameOf: ({ cardId, kind }) => `${cardId} ${kind}`,
    subjectOf: (entry) => (isPayout(entry) ? entry.transaction : entry.cardId),
    // Maps `off` to `on`, because a registered card always causes a notification.
    fault: (entry) => modeOf(entry).replace(/^off$/, 'on'),
    write(entry) {
      const mode = modeOf(entry);
      const view = isPayout(entry)
        ? callbackView(entry, mode === 'wrong_amount' ? OTHER_AMOUNT : entry.amount)
        : registeredView(entry);
      const form = seal(view, mode === 'forged' ? `not ${privateKey}` : privateKey);
      return mode === 'multipart' ? multipartLetter(url, form) : formLetter(url, form);
    },
    isAccepted: ({ status }) => status === 200,
  });
}

function multipartLetter(url: string, fields: Readonly<Record<string, string>>): Letter {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  );
  const headers = { 'content-type': `multipart/form-data; boundary=${BOUNDARY}` };
  return { url, headers, body: `${parts.join('')}--${BOUNDARY}--\r\n` };
}
