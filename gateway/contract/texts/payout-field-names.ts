/** The English names of the fields of a payout. */
export const PAYOUT_FIELD_NAMES: Readonly<Record<string, string>> = {
  amount: 'Amount',
  full_name: 'Name of the beneficiary',
  exp_date: 'Expiry date of the card',
  customs_phone: 'Phone number of the beneficiary',
  customs_email: 'Email address of the beneficiary',
  customs_ifsc: 'IFSC of the bank',
  customs_ip: 'IP address of the beneficiary',
  customs_card: 'Card of the beneficiary',
  customs_inn: 'Tax number (INN), passport or identity card',
  customs_birthday: 'Date of birth (day-month-year)',
  customs_address: 'Street address',
  customs_city: 'City',
  customs_state: 'State or region',
  customs_post_code: 'Postcode',
  customs_user_id: 'Your ID for the beneficiary',
  customs_country: 'Country (two letters)',
  institution: 'Bank of the beneficiary',
  paid_to: 'Paid to',
  concept: 'Transfer description',
  reason: 'Reason',
};

export const BENEFICIARY_ACCOUNT_NAMES: Readonly<Record<string, string>> = {
  card: 'Card number',
  phone: 'Phone number',
  bank_account: 'Account number',
  iban: 'IBAN',
  account_or_email: 'Account number or email address',
};
