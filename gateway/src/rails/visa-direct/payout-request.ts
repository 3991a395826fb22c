/**
 * Writes a payout as Visa's push of funds (original credit transaction) to a card. Pure. Only this module decrypts the card
 * number.
 *
 * Confirmed by Visa's OpenAPI description: the fields, their lengths, their JSON types, the amount in major units;
 * `senderReference` and the source of funds `05` belong to a disbursement. Not confirmed: the allowed letters of names (sent
 * without accents, and omitted if letters would be lost); whether an issuer outside the United States requires the expiry,
 * which method 22 does not have.
 */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { formatUtc, type Instant } from '../../foundation/clock.ts';
import { formatAmount } from '../../foundation/money.ts';
import { latinText } from '../kit/latin-text.ts';
import { beneficiaryField } from '../kit/rail-answers.ts';
import type { VisaDirectProgramme } from './configuration.ts';
import { identityOf } from './reference.ts';

const DISBURSEMENT = '05';
const MOST_NAME = 30;
const MOST_ACCEPTOR_NAME = 25;

/** Returns JSON that contains the card number. Use it only for the request. */
export function writePush(order: PayoutOrder, programme: VisaDirectProgramme, now: Instant): string {
  const { acquiringBin, acquirerCountry, businessApplication, merchantCategory, sender } = programme;
  const { traceAuditNumber, retrievalReference, senderReference } = identityOf(order.reference);
  const recipientName = latinText(beneficiaryField(order, 'full_name'), /[A-Za-z.-]/).slice(0, MOST_NAME);
  const fields = JSON.stringify({
    systemsTraceAuditNumber: Number(traceAuditNumber),
    retrievalReferenceNumber: retrievalReference,
    acquiringBin: Number(acquiringBin),
    acquirerCountryCode: Number(acquirerCountry),
    transactionCurrencyCode: order.money.currency,
    businessApplicationId: businessApplication,
    ...(merchantCategory === null ? {} : { merchantCategoryCode: Number(merchantCategory) }),
    localTransactionDateTime: formatUtc(now).replace(' ', 'T'),
    sourceOfFundsCode: DISBURSEMENT,
    senderReference,
    senderName: sender.name,
    senderAddress: sender.address,
    senderCity: sender.city,
    senderCountryCode: sender.country,
    recipientPrimaryAccountNumber: beneficiaryField(order, 'account'),
    ...(recipientName === '' ? {} : { recipientName }),
    cardAcceptor: cardAcceptorOf(programme),
  });
  // Written as text, so that no amount passes through a floating point number.
  return `{"amount":${formatAmount(order.money)},${fields.slice(1)}`;
}

function cardAcceptorOf({ cardAcceptorId, terminalId, cardAcceptorCountry, sender }: VisaDirectProgramme) {
  return {
    name: sender.name.slice(0, MOST_ACCEPTOR_NAME),
    idCode: cardAcceptorId,
    terminalId,
    address: { country: cardAcceptorCountry, city: sender.city },
  };
}
