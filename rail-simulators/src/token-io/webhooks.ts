/**
 * Tells the client what became of payments, refunds and the account, each thing until it is accepted by HTTP 200. The faults
 * of webhooks are played here; why something is told is token-io.ts's.
 */
import { generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import type { Clock } from '../clock.ts';
import { type Attempt, postJson } from '../kernel/retrying-sender.ts';
import { Telling } from '../kernel/telling.ts';
import type { BookEntry } from './book.ts';
import type { Faults } from './faults.ts';
import { payerIban, paymentView, providerPaymentIdOf, type ShownParts } from './views.ts';

export interface WebhooksOptions extends ShownParts {
  readonly url: string;
  readonly clock: Clock;
  readonly faults: Readonly<Faults>;
  readonly privateKey: KeyObject;
  /** How long a late webhook is late, and how long one waits for another to overtake it. */
  readonly lateMs: number;
  readonly log: (line: string) => void;
  readonly onAccepted: (entry: BookEntry) => void;
}

export class Webhooks extends Telling<BookEntry, 'accepted'> {
  constructor(options: WebhooksOptions) {
    super({
      ...options,
      owner: 'Token.io',
      nameOf: ({ reference, webhook }) => `${reference}.${webhook?.event}`,
      subjectOf: ({ id }) => id,
      fault: () => options.faults.webhooks,
      attempt: (entry, stopping) => tell(options, entry, stopping),
    });
  }
}

async function tell(options: WebhooksOptions, entry: BookEntry, stopping: AbortSignal): Promise<Attempt<'accepted'>> {
  const { webhook } = entry;
  if (webhook === null) return { answer: 'accepted' };
  const { url, faults, privateKey } = options;
  if (faults.webhooks === 'off') return { refusal: 'switched off' };
  const body = JSON.stringify(bodyOf(options, entry));
  const key = faults.webhooks === 'foreign_key' ? keyOfNobody() : privateKey;
  const headers = {
    'token-event': webhook.event,
    'token-signature': sign(null, Buffer.from(body), key).toString('base64url'),
  };
  const sent = faults.webhooks === 'forged' ? body.replaceAll(`"${entry.amount}"`, `"${otherAmount}"`) : body;
  const reply = await postJson(url, sent, headers, stopping);
  if ('refusal' in reply) return reply;
  return reply.status === 200 ? { answer: 'accepted' } : { refusal: `HTTP ${reply.status}` };
}

let foreignKey: KeyObject | undefined;

/** A key that nobody knows, for what only seems to come from Token.io. */
function keyOfNobody(): KeyObject {
  foreignKey ??= generateKeyPairSync('ed25519').privateKey;
  return foreignKey;
}

const otherAmount = '999999.99';
const otherMember = 'm:somebodyElse:5zKtXEAq';

function bodyOf(options: WebhooksOptions, entry: BookEntry): object {
  const { faults, account } = options;
  const { webhook, at, refund, reference, amount, localInstrument, id } = entry;
  const memberId = faults.webhooks === 'foreign_member' ? otherMember : options.memberId;
  const told = faults.webhooks === 'wrong_amount' ? otherAmount : amount;
  const common = { id: webhook?.id, createdAtMs: String(Date.parse(at)) };
  switch (webhook?.event) {
    case 'VIRTUAL_ACCOUNT_CREDIT_RECEIVED':
      return {
        ...common,
        virtualAccountCreditReceived: {
          providerPaymentId: providerPaymentIdOf(id),
          amount: told,
          currency: 'EUR',
          paymentCreatedTime: at,
          description: reference,
          providerAccountId: account.id,
          localInstrument,
          debtorInformation: { iban: payerIban },
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
      const initiation = { ...view.initiation, amount: { value: told, currency: 'EUR' } };
      return { ...common, eventType: webhook?.event, payment: { ...view, initiation } };
    }
  }
}
