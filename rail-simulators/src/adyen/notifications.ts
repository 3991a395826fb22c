/** Notifies the client of each event with one item per signed webhook, until a 2xx accepts it. */
import { createHmac } from 'node:crypto';
import { Notifier } from '../kernel/notifier.ts';
import type { Notifies } from '../kernel/provider.ts';
import { jsonLetter, post } from '../kernel/retrying-sender.ts';
import type { BookEntry, WebhookEvent } from './book.ts';
import type { AdyenWorks } from './processing.ts';

export interface Webhook {
  readonly url: string;
  readonly merchantAccount: string;
  /** The key in hexadecimal. */
  readonly hmacKey: string;
}

type Lie = 'none' | 'amount' | 'forged';

export function createWebhooks(
  works: AdyenWorks,
  webhook: Webhook,
  onAccepted: (entry: BookEntry) => void,
): Notifies<BookEntry> {
  const write = (entry: BookEntry, lie: Lie) => jsonLetter(webhook.url, bodyOf(entry, lie, webhook));
  const notifier = new Notifier<BookEntry>(works, {
    owner: 'Adyen',
    nameOf: ({ event }) => `${event?.eventCode} ${event?.pspReference}`,
    subjectOf: ({ pspReference }) => pspReference,
    fault: () => works.faults.webhooks,
    write: (entry) => write(entry, works.faults.webhooks === 'wrong_amount' ? 'amount' : 'none'),
    onAccepted,
    waitsWhenOff: true,
  });
  return {
    async notify(entry) {
      if (works.faults.webhooks === 'forged') void post(write(entry, 'forged'), new AbortController().signal);
      await notifier.notify(entry);
    },
    stop: () => notifier.stop(),
  };
}

function bodyOf(entry: BookEntry, lie: Lie, { merchantAccount, hmacKey }: Webhook): object {
  const { event, currency, brand, lastFour, at } = entry;
  const { value = 0, success = false, ...rest } = event ?? ({} as Partial<WebhookEvent>);
  const item = {
    ...(rest as Omit<WebhookEvent, 'value' | 'success'>),
    amount: { currency, value: lie === 'amount' ? 99_999_999 : value },
    eventDate: at,
    merchantAccountCode: merchantAccount,
    paymentMethod: brand,
    // A forger reports a successful payment.
    success: String(success || lie === 'forged'),
  };
  const hmacSignature = signatureOf(item, lie === 'forged' ? 'f0'.repeat(32) : hmacKey);
  const additionalData = { hmacSignature, cardSummary: lastFour };
  return { live: 'false', notificationItems: [{ NotificationRequestItem: { ...item, additionalData } }] };
}

type SignedItem = Omit<WebhookEvent, 'value' | 'success' | 'reason'> & {
  readonly amount: { readonly currency: string; readonly value: number };
  readonly merchantAccountCode: string;
  readonly success: string;
};

/** Signs eight fields, joined by colons without escaping. The key is the bytes that its hexadecimal digits encode. */
export function signatureOf(item: SignedItem, hexKey: string): string {
  const { pspReference, originalReference, merchantAccountCode, merchantReference, amount, eventCode, success } = item;
  const fields = [
    pspReference,
    originalReference,
    merchantAccountCode,
    merchantReference,
    amount.value,
    amount.currency,
    eventCode,
    success,
  ];
  return createHmac('sha256', Buffer.from(hexKey, 'hex')).update(fields.join(':')).digest('base64');
}
