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
import { createHash } from 'node:crypto';
import type { Acknowledgement, RailNotifications, RawNotification } from '../../domain/rails/rail-notification.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { fail, ok } from '../../foundation/result.ts';
import { asFields, readPlainObject } from '../kit/provider-json.ts';
import { PIX, type PixConfiguration, type WebhookTrust } from './configuration.ts';
import { referenceOf } from './identifiers.ts';
import { listOf, textOf } from './read-json.ts';

const RECEIVED: Acknowledgement = { status: 200, contentType: 'application/json', body: '{}' };

export function createPixNotifications({ webhook: trust }: Pick<PixConfiguration, 'webhook'>): RailNotifications {
  return {
    name: PIX,
    malformedStatus: 400,
    read(notification) {
      if (!isFromTheBank(notification, trust)) return fail({ kind: 'unauthentic' });
      const fields = readPlainObject(notification.body);
      if (!fields) return fail({ kind: 'malformed', reason: 'no JSON object' });
      const references = listOf(fields, 'pix').map((pix) => referenceOf(textOf(asFields(pix), 'txid')));
      const known = new Set(references.filter((reference) => reference !== undefined));
      const news = [...known].map((reference) => ({ kind: 'payment', news: { kind: 'ask', reference } }) as const);
      return ok({ news, acknowledgement: RECEIVED });
    },
  };
}

function isFromTheBank({ headers, clientAddress }: RawNotification, trust: WebhookTrust): boolean {
  const shown = fingerprintIn(headers['client-cert']);
  return (
    (shown !== undefined && trust.certificateFingerprints.includes(shown)) ||
    isInNetworks(clientAddress, trust.allowList)
  );
}

/** SHA-256, hex, of a certificate as RFC 9440 writes it; undefined where there is none. */
function fingerprintIn(clientCert: string | undefined): string | undefined {
  const [, base64] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(clientCert ?? '') ?? [];
  return base64 === undefined ? undefined : createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
}
