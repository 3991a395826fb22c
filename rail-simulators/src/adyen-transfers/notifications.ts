/** Notifies the client of each event of a transfer: the entire transfer in a signed body, until a 2xx accepts it. */
import { createHmac } from 'node:crypto';
import { Notifier } from '../kernel/notifier.ts';
import type { Notifies } from '../kernel/provider.ts';
import { jsonLetter, type Letter, post } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import { faultsOf } from './magic-amounts.ts';
import type { TransfersWorks } from './processing.ts';
import { dataView } from './views.ts';

export interface Webhook {
  readonly webhookUrl: string;
  readonly balanceAccount: string;
  /** The key in hexadecimal. */
  readonly hmacKey: string;
}

const OTHER_VALUE = 99_999_999;
const OTHER_KEY = 'f0'.repeat(32);

export function createWebhooks(works: TransfersWorks, webhook: Webhook): Notifies<BookEntry> {
  const modeOf = ({ value }: BookEntry) => faultsOf(works.faults, value).webhooks;
  const write = (entry: BookEntry, hmacKey: string) =>
    letterOf(modeOf(entry) === 'wrong_amount' ? { ...entry, value: OTHER_VALUE } : entry, webhook, hmacKey);
  const notifier = new Notifier<BookEntry>(works, {
    owner: 'Adyen',
    nameOf: ({ id, status }) => `${id} ${status}`,
    subjectOf: ({ id }) => id,
    fault: modeOf,
    write: (entry) => write(entry, webhook.hmacKey),
  });
  return {
    async notify(entry) {
      if (modeOf(entry) === 'forged') await post(write(liesAbout(entry), OTHER_KEY), new AbortController().signal);
      await notifier.notify(entry);
    },
    stop: () => notifier.stop(),
  };
}

/** Returns the opposite status, as a forger reports it. */
function liesAbout(entry: BookEntry): BookEntry {
  return entry.status === 'booked'
    ? { ...entry, status: 'refused', reason: 'declined' }
    : { ...entry, status: 'booked', reason: 'approved' };
}

function letterOf(entry: BookEntry, { webhookUrl, balanceAccount }: Webhook, hmacKey: string): Letter {
  const body = JSON.stringify({
    data: dataView(entry, balanceAccount),
    environment: 'test',
    timestamp: entry.at,
    type: `balancePlatform.transfer.${entry.events.length === 1 ? 'created' : 'updated'}`,
  });
  return jsonLetter(webhookUrl, body, { HmacSignature: signatureOf(body, hmacKey), Protocol: 'HmacSHA256' });
}

/** Signs the body as sent. The key is the bytes that its hexadecimal digits encode. */
export function signatureOf(body: string, hexKey: string): string {
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(body).digest('base64');
}
