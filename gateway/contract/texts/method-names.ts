/** The English names of the methods of payouts, by number, and of payments. */

export const PAYOUT_METHOD_NAMES: Readonly<Record<string, string>> = {
  1: 'Card UAH',
  8: 'Card USD',
  9: 'Card EUR',
  11: 'Card AZN',
  12: 'Card KZT',
  16: 'Card UAH (alternative)',
  17: 'Card AZN (with expiry date)',
  22: 'Card EUR (Visa)',
  23: 'Card EUR (Mastercard)',
  24: 'Mobile KZT',
  26: 'Instant account payout, INR',
  34: 'IBAN payout, UAH',
  70: 'Card sandbox',
  92: 'E-transfer payout, CAD',
  93: 'Card EUR (alternative)',
};

export const PAYMENT_TYPE_NAMES: Readonly<Record<string, string>> = {
  spei: 'SPEI transfer',
  card: 'Card',
  open_banking: 'Open banking',
  e_transfer: 'E-transfer',
  instant_bank: 'Pix',
  bank_transfer_iframe: 'Bank account',
};
