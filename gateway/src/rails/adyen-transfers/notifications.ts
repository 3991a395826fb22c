/**
 * Reads Adyen's webhooks about transfers: one per event, signed over its raw body. The outer `status` decides, whatever the
 * order of the events in it. The gateway acknowledges a transfer that is not ours (another account, another kind of transfer,
 * a reference in another format) and a status that is not final. Otherwise Adyen would hold back everything behind it.
 *
 * Confirmed by Adyen's OpenAPI description of the webhook: its envelope, the two types, and `data` as the transfer with its
 * events. Confirmed by its pages: any 2xx acknowledges a webhook. Adyen repeats three times immediately, then for up to 30
 * days, oldest first. An event may arrive twice and in any order. Not confirmed: a complete example of a card payout that
 * failed or was returned.
 *
 * The gateway ignores a refusal for an insufficient balance: the response to our own request also contains it, and the worker
 * sends the payout again. A cancellation is accepted only in the response to a query.
 */
import type {
  Acknowledgement,
  NotificationReading,
  PayoutNews,
  RailNotifications,
} from '../../domain/notifications/rail-notification.ts';
import { fail, ok } from '../../foundation/result.ts';
import { isOwnReference } from '../kit/own-reference.ts';
import { type JsonObject, objectOf, readObject, textOf } from '../kit/provider-json.ts';
import { malformed } from '../kit/rail-answers.ts';
import { ADYEN_TRANSFERS, type AdyenTransfersConfiguration } from './configuration.ts';
import { isCardPayout, meaningOf, readTransfer, type Transfer } from './protocol.ts';
import { isSigned, SIGNATURE_HEADER } from './webhook-signature.ts';

const TYPES: ReadonlySet<string> = new Set(['balancePlatform.transfer.created', 'balancePlatform.transfer.updated']);
const ACCEPTED: Acknowledgement = {
  status: 200,
  contentType: 'application/json',
  body: '{"notificationResponse":"[accepted]"}',
};

type Account = Pick<AdyenTransfersConfiguration, 'balanceAccount' | 'hmacKeys'>;

export function createAdyenTransfersNotifications({ balanceAccount, hmacKeys }: Account): RailNotifications {
  return {
    name: ADYEN_TRANSFERS,
    malformedStatus: 500,
    read({ body, headers }) {
      if (!isSigned(body, headers[SIGNATURE_HEADER] ?? '', hmacKeys)) return fail({ kind: 'unauthentic' });
      const fields = readObject(body);
      if (!fields) return malformed('no JSON object');
      return TYPES.has(textOf(fields, 'type')) ? readData(objectOf(fields, 'data'), balanceAccount) : accepted([]);
    },
  };
}

function readData(data: JsonObject | undefined, balanceAccount: string): NotificationReading {
  const isOfAccount = textOf(objectOf(data, 'balanceAccount'), 'id') === balanceAccount;
  if (!isOfAccount || !isCardPayout(data) || !isOwnReference(textOf(data, 'reference'))) return accepted([]);
  const transfer = readTransfer(data);
  return transfer ? accepted(newsOf(transfer)) : malformed('data');
}

function newsOf(transfer: Transfer): readonly PayoutNews[] {
  const { reference, money } = transfer;
  const meaning = meaningOf(transfer);
  switch (meaning.kind) {
    case 'executed':
    case 'declined':
    case 'reversed':
      return [{ ...meaning, reference, money }];
    default:
      return [];
  }
}

const accepted = (news: readonly PayoutNews[]): NotificationReading => ok({ news, acknowledgement: ACCEPTED });
