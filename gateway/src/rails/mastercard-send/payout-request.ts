/**
 * Writes a payout as Mastercard's disbursement to a card. Pure. Only this file reveals the card number.
 *
 * Confirmed by Mastercard's API description: the fields, all of them strings; the amount in minor units; the card as an
 * account URI; a recipient with a first and a last name; a reference of 6 to 40 characters that is unique for us. Not
 * confirmed: the allowed letters of names, so they are sent without accents. The rail declines a name that would lose letters,
 * because no disbursement goes without a name.
 */
import type { PayoutOrder } from '../../domain/payouts/payout-rail.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import { latinText } from '../kit/latin-text.ts';
import { beneficiaryField, type Declined, declined } from '../kit/rail-answers.ts';
import type { MastercardSendProgramme } from './configuration.ts';

/** Returns JSON that contains the card number. Use it only for the request. */
export function writeDisbursement(order: PayoutOrder, programme: MastercardSendProgramme): Result<string, Declined> {
  const words = latinText(beneficiaryField(order, 'full_name'), /[A-Za-z.-]/).split(' ');
  const lastName = words.at(-1);
  if (!lastName) return fail(declined('invalid_beneficiary', 'Mastercard needs full_name in Latin letters'));
  const { paymentType, senderAccount, originCountry } = programme;
  return ok(
    JSON.stringify({
      payment_disbursement: {
        disbursement_reference: order.reference,
        payment_type: paymentType,
        amount: String(order.money.minor),
        currency: order.money.currency,
        sender_account_uri: senderAccount,
        funding_source: 'DEPOSIT_ACCOUNT',
        recipient_account_uri: `pan:${beneficiaryField(order, 'account')}`,
        // A recipient with one name has it as first and last name, because Mastercard requires both.
        recipient: { first_name: words.slice(0, -1).join(' ') || lastName, last_name: lastName },
        ...(originCountry === null ? {} : { payment_origination_country: originCountry }),
      },
    }),
  );
}
