/**
 * What the bank tells by itself: a list of Pix that came for charges of ours, or of which something went back. Each is news
 * that the bank is to be asked, never that something was paid. The certificate proves which bank it is and not that it
 * speaks of our account: any other client of the bank can have its own callbacks sent to our address, with a txid of ours
 * that it chose for a charge of its own (issue #239 of the API's repository). Our own GET under our own credentials shows
 * our charges alone, so it is the proof, and it costs one request for a payment that is worth more.
 *
 * Confirmed by the OpenAPI document 2.9.0: `{webhookUrl}/pix`, `{"pix":[…]}` with one or more, told on receipt and when a
 * devolução ends, mutual TLS, 200 for received. By its own example: `devolucoes` that is an object. By a bank's page: a first
 * POST without `pix` tries whether the address answers. Not confirmed: how often and how long a bank repeats what is not
 * answered with 200, and what it does on any other status.
 */
import type { PaymentNews } from '../../domain/deposits/payment-rail.ts';
import type { Acknowledgement, NotificationFailure, RawNotification } from '../../domain/rail-notification.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { PIX } from './bank.ts';
import type { PixConfiguration, WebhookTrust } from './configuration.ts';
import { referenceOf } from './identifiers.ts';
import { asFields, listOf, readObject, textOf } from './read-fields.ts';

export interface PixNotification extends RawNotification {
  /** SHA-256 of the certificate that the caller proved to hold, hex; absent where the listener saw none. */
  readonly clientCertificate?: string;
}

export interface ReadPixNotification {
  readonly news: readonly PaymentNews[];
  readonly acknowledgement: Acknowledgement;
}

export interface PixPaymentNotifications {
  /** The rail's name; the bank appends it to the registered address by itself. */
  readonly name: string;
  /** What a callback that can't be read is answered with. */
  readonly malformedStatus: number;
  read(notification: PixNotification): Result<ReadPixNotification, NotificationFailure>;
}

const RECEIVED: Acknowledgement = { status: 200, contentType: 'application/json', body: '{}' };

export function createPixPaymentNotifications({
  webhook: trust,
}: Pick<PixConfiguration, 'webhook'>): PixPaymentNotifications {
  return {
    name: PIX,
    malformedStatus: 400,
    read(notification) {
      if (!isFromTheBank(notification, trust)) return fail({ kind: 'unauthentic' });
      const fields = readObject(notification.body);
      if (!fields) return fail({ kind: 'malformed', reason: 'no JSON object' });
      const references = listOf(fields, 'pix').map((pix) => referenceOf(textOf(asFields(pix), 'txid')));
      const known = new Set(references.filter((reference) => reference !== undefined));
      return ok({ news: [...known].map((reference) => ({ kind: 'ask', reference })), acknowledgement: RECEIVED });
    },
  };
}

function isFromTheBank({ clientCertificate, clientAddress }: PixNotification, trust: WebhookTrust): boolean {
  return (
    (clientCertificate !== undefined &&
      trust.certificateFingerprints.some((known) => isSame(known, clientCertificate))) ||
    isInNetworks(clientAddress, trust.allowList)
  );
}

/** Written with or without colons, in either case. */
function isSame(known: string, shown: string): boolean {
  const plain = (fingerprint: string) => fingerprint.replaceAll(':', '').toLowerCase();
  return /^[0-9a-f]{64}$/.test(plain(known)) && plain(known) === plain(shown);
}
