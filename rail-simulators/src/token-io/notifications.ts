/** Notifies the client of each event of payments, refunds and the account, until a 200 accepts it. */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { Notifier } from '../kernel/notifier.ts';
import { jsonLetter } from '../kernel/retrying-sender.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import type { TokenIoWorks } from './processing.ts';
import { PAYER_IBAN, paymentView, providerPaymentIdOf, type ShownParts } from './views.ts';

interface WebhooksParts extends ShownParts {
  readonly webhookUrl: string;
  readonly privateKey: KeyObject;
}

export function createWebhooks(
  works: TokenIoWorks,
  parts: WebhooksParts,
  onAccepted: (entry: BookEntry) => void,
): Notifier<BookEntry> {
  const { faults } = works;
  return new Notifier<BookEntry>(works, {
    owner: 'Token.io',
    nameOf: ({ reference, webhook }) => `${reference}.${webhook?.event}`,
    subjectOf: ({ id }) => id,
    fault: () => faults.webhooks,
    write(entry) {
      const body = JSON.stringify(bodyOf(parts, faults, entry));
      const key = faults.webhooks === 'foreign_key' ? keyOfNobody() : parts.privateKey;
      const signature = sign(null, Buffer.from(body), key).toString('base64url');
      const isForged = faults.webhooks === 'forged';
      const sent = isForged ? body.replaceAll(`"${entry.amount}"`, `"${OTHER_AMOUNT}"`) : body;
      const headers = { 'token-event': entry.webhook?.event ?? '', 'token-signature': signature };
      return jsonLetter(parts.webhookUrl, sent, headers);
    },
    isAccepted: ({ status }) => status === 200,
    onAccepted,
  });
}

let foreignKey: KeyObject | undefined;

/** Returns a random key for forged messages. */
function keyOfNobody(): KeyObject {
  foreignKey ??= generateKeyPairSync('ed25519').privateKey;
  return foreignKey;
}

const OTHER_AMOUNT = '999999.99';
const OTHER_MEMBER = 'm:somebodyElse:5zKtXEAq';

function bodyOf(options: WebhooksParts, faults: Readonly<Faults>, entry: BookEntry): object {
  const { account } = options;
  const { webhook, at, refund, reference, amount, localInstrument, id } = entry;
  const memberId = faults.webhooks === 'foreign_member' ? OTHER_MEMBER : options.memberId;
  const sent = faults.webhooks === 'wrong_amount' ? OTHER_AMOUNT : amount;
  const common = { id: webhook?.id, createdAtMs: String(Date.parse(at)) };
  switch (webhook?.event) {
    case 'VIRTUAL_ACCOUNT_CREDIT_RECEIVED':
      return {
        ...common,
        virtualAccountCreditReceived: {
          providerPaymentId: providerPaymentIdOf(id),
          amount: sent,
          currency: 'EUR',
          paymentCreatedTime: at,
          description: reference,
          providerAccountId: account.id,
          localInstrument,
          debtorInformation: { iban: PAYER_IBAN },
          creditorInformation: { iban: account.iban, name: account.name },
          memberId,
        },
      };
    case 'REFUND_STATUS_CHANGED':
      return {
        ...common,
        refundStatusChanged: { refundId: refund?.id, memberId, status: refund?.status, refId: refund?.refId },
      };
    default: {
      const view = paymentView(entry, { ...options, memberId });
      const initiation = { ...view.initiation, amount: { value: sent, currency: 'EUR' } };
      return { ...common, eventType: webhook?.event, payment: { ...view, initiation } };
    }
  }
}
