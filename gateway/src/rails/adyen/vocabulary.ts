/**
 * Maps Adyen's refusal reasons to the reasons that a payer may see. Adyen asks integrators to hide details from payers,
 * because thieves use them to test stolen cards. All reasons that hint at fraud therefore map to one.
 *
 * Confirmed by several public clients that contain Adyen's list: codes and texts up to 46. The texts matter because a webhook
 * contains no code. Codes for card terminals map to the default.
 */
import type { PaymentRefusal } from '../../domain/payments/payment-rail.ts';

export interface Refusal {
  readonly refusal: PaymentRefusal;
  /** True if another attempt, with this card or another card, may succeed. */
  readonly canRetry: boolean;
}

type Row = readonly [code: string, text: string, refusal: PaymentRefusal, canRetry?: false];

const TABLE: readonly Row[] = [
  ['2', 'Refused', 'declined'],
  ['3', 'Referral', 'declined'],
  ['4', 'Acquirer Error', 'declined'],
  ['5', 'Blocked Card', 'declined'],
  ['6', 'Expired Card', 'expired_card'],
  ['7', 'Invalid Amount', 'declined'],
  ['8', 'Invalid Card Number', 'wrong_card_data'],
  ['9', 'Issuer Unavailable', 'declined'],
  ['10', 'Not supported', 'declined'],
  ['11', '3D Not Authenticated', 'authentication_failed'],
  ['12', 'Not enough balance', 'insufficient_funds'],
  ['14', 'Acquirer Fraud', 'suspected_fraud', false],
  ['15', 'Cancelled', 'declined'],
  ['16', 'Shopper Cancelled', 'cancelled_by_payer'],
  ['20', 'FRAUD', 'suspected_fraud', false],
  ['21', 'Not Submitted', 'declined'],
  ['22', 'FRAUD-CANCELLED', 'suspected_fraud', false],
  ['23', 'Transaction Not Permitted', 'declined'],
  ['24', 'CVC Declined', 'wrong_card_data'],
  ['25', 'Restricted Card', 'declined'],
  ['26', 'Revocation Of Auth', 'declined'],
  ['27', 'Declined Non Generic', 'declined'],
  ['28', 'Withdrawal amount exceeded', 'limit'],
  ['29', 'Withdrawal count exceeded', 'limit'],
  ['31', 'Issuer Suspected Fraud', 'suspected_fraud', false],
  ['32', 'AVS Declined', 'payer_details'],
  ['38', 'Authentication required', 'authentication_failed'],
  ['39', 'RReq not received from DS', 'authentication_failed'],
  ['42', '3DS Authentication Error', 'authentication_failed'],
];

const toRefusal = ([, , refusal, canRetry]: Row): Refusal => ({ refusal, canRetry: canRetry ?? true });
const BY_CODE: ReadonlyMap<string, Refusal> = new Map(TABLE.map((row) => [row[0], toRefusal(row)]));
const BY_TEXT: ReadonlyMap<string, Refusal> = new Map(TABLE.map((row) => [row[1].toLowerCase(), toRefusal(row)]));
const OTHER: Refusal = { refusal: 'declined', canRetry: true };

export function refusalOfCode(code: string): Refusal {
  return BY_CODE.get(code) ?? OTHER;
}

/** Maps a webhook's `reason`: one of Adyen's messages, or the bank's own text, which decides nothing. */
export function refusalOfText(reason: string): Refusal {
  return BY_TEXT.get(reason.toLowerCase()) ?? OTHER;
}
