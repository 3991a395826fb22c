/** The signatures of both sides: HMAC-MD5, in lower-case hexadecimal, over values joined by semicolons. */
import { createHmac } from 'node:crypto';
import type { Fields } from '../kernel/fields.ts';

const fieldsOf = (text: string): readonly string[] => text.split(';');

/** The fields that the client signs. */
export const REQUEST_SIGNED = {
  P2P_CREDIT: fieldsOf('merchantAccount;orderReference;amount;currency;cardBeneficiary;rec2Token'),
  P2P_ACCOUNT: fieldsOf('merchantAccount;orderReference;amount;currency;iban;okpo;accountName'),
  CHECK_STATUS: fieldsOf('merchantAccount;orderReference'),
  TRANSACTION_LIST: fieldsOf('merchantAccount;dateBegin;dateEnd'),
  balance: fieldsOf('merchantAccount'),
} as const;

/**
 * The fields that WayForPay signs: for a status query and a purchase, for a payout to a card, and for a payout to an account.
 */
export const ANSWER_SIGNED = {
  general: fieldsOf('merchantAccount;orderReference;amount;currency;authCode;cardPan;transactionStatus;reasonCode'),
  P2P_CREDIT: fieldsOf('merchantAccount;orderReference;amount;currency;authCode;transactionStatus;reasonCode'),
  P2P_ACCOUNT: fieldsOf('merchantAccount;orderReference;amount;currency;transactionStatus;reasonCode'),
} as const;

/** An absent field counts as empty. */
export function signatureOf(fields: Fields, signed: readonly string[], key: string): string {
  const values = signed.map((name) => String(fields[name] ?? ''));
  return createHmac('md5', key).update(values.join(';')).digest('hex');
}
