/** Reads what the stand-in bank tells on its own account: authenticity over the raw bytes first, then the shape. */
import type { NotificationReading, PayoutNews, RailNotifications } from '../../domain/rail-notification.ts';
import { isCurrency } from '../../foundation/currency.ts';
import { type Money, parseAmount } from '../../foundation/money.ts';
import { fail, ok } from '../../foundation/result.ts';
import { equalInConstantTime } from '../../foundation/secret.ts';
import type { StandInBankConfiguration } from './configuration.ts';
import { STAND_IN_BANK } from './payout-rail.ts';
import { declineCode, notificationSignature, readObject, readWord, SIGNATURE_HEADER } from './protocol.ts';

const REFERENCE = /^[A-Za-z0-9._:~-]{1,128}$/;

export function createStandInBankNotifications({ secret }: StandInBankConfiguration): RailNotifications {
  return {
    name: STAND_IN_BANK,
    malformedStatus: 400,
    read({ body, headers }) {
      const signature = headers[SIGNATURE_HEADER] ?? '';
      if (!equalInConstantTime(signature, notificationSignature(body, secret))) return fail({ kind: 'unauthentic' });
      const fields = readObject(body);
      return fields ? readNews(fields) : malformed('the body is not a JSON object');
    },
  };
}

function readNews(fields: Readonly<Record<string, unknown>>): NotificationReading {
  const { reference, status } = fields;
  if (typeof reference !== 'string' || !REFERENCE.test(reference)) return malformed('reference');
  const reason = readWord(fields['reason']);
  const money = readMoney(fields);
  if (money === undefined) return malformed('amount');
  const common = { reference, money };
  switch (status) {
    case 'executed':
      return news({ kind: 'executed', ...common });
    case 'declined':
      return news({ kind: 'declined', ...common, code: declineCode(reason), reason });
    case 'reversed':
      return news({ kind: 'reversed', ...common, reason });
    default:
      return malformed('status');
  }
}

/** Null: the bank names no amount, as its document has it. Undefined: it names one that can't be read. */
function readMoney({ amount, currency }: Readonly<Record<string, unknown>>): Money | null | undefined {
  if (amount === undefined && currency === undefined) return null;
  if (typeof amount !== 'string' || typeof currency !== 'string' || !isCurrency(currency)) return undefined;
  return parseAmount(amount, currency);
}

const ACKNOWLEDGEMENT = { status: 200, contentType: 'text/plain', body: 'OK' };

const news = (item: PayoutNews): NotificationReading => ok({ news: [item], acknowledgement: ACKNOWLEDGEMENT });
const malformed = (reason: string): NotificationReading => fail({ kind: 'malformed', reason });
