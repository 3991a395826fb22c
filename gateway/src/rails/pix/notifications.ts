/**
 * Reads the bank's callbacks: a list of Pix that arrived for our charges, or that were partly returned. A callback must only
 * make the gateway query the bank, never credit a payment. The certificate proves which bank calls, but not that the callback
 * is about our account: any other client of the bank can direct its own callbacks to our URL, with a txid of ours for its own
 * charge (issue #239 of the API's repository). Our own GET with our own credentials shows only our charges, so it is the
 * proof, and costs one request.
 *
 * Confirmed by the OpenAPI document 2.9.0: `{webhookUrl}/pix`, `{"pix":[…]}` with one or more, sent on receipt and at the end
 * of a devolução, mutual TLS, 200 as acknowledgement. Confirmed by its own example: `devolucoes` as an object. Confirmed by a
 * bank's page: a first POST without `pix` tests the URL. Not confirmed: how often and how long a bank repeats a callback
 * without a 200, and how it treats other statuses.
 */
import { createHash } from 'node:crypto';
import type {
  Acknowledgement,
  RailNotifications,
  RawNotification,
} from '../../domain/notifications/rail-notification.ts';
import { isInNetworks } from '../../foundation/networks.ts';
import { fail, ok } from '../../foundation/result.ts';
import { asFields, readPlainObject } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { PIX, type PixConfiguration, type WebhookTrust } from './configuration.ts';
import { listOf, textOf } from './read-fields.ts';
import { referenceOf } from './reference.ts';

const RECEIVED: Acknowledgement = { status: 200, contentType: 'application/json', body: '{}' };

export function createPixNotifications({ webhook: trust }: Pick<PixConfiguration, 'webhook'>): RailNotifications {
  return {
    name: PIX,
    malformedStatus: 400,
    read(notification) {
      if (!isFromTheBank(notification, trust)) return fail({ kind: 'unauthentic' });
      const fields = readPlainObject(notification.body);
      if (!fields) return malformed('no JSON object');
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

/** SHA-256 in hex of a certificate in RFC 9440's form. Undefined if there is none. */
function fingerprintIn(clientCert: string | undefined): string | undefined {
  const [, base64] = /^:([A-Za-z0-9+/]+={0,2}):$/.exec(clientCert ?? '') ?? [];
  return base64 === undefined ? undefined : createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex');
}
