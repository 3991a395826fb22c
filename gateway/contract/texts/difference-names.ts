/** The English names of the differences of reconciliation, and of the reasons to hold a transfer. */

export const MISMATCH_TEXTS: Readonly<Record<string, string>> = {
  other_currency: 'currency differs from the order',
  short: 'less than the order amount',
  over: 'more than the order amount',
  late: 'the order was already final',
  twice: 'the order was already paid',
  other_payer: 'the order names another payer',
  unmatched: 'no order has this account number',
  displaced: 'a later order displaced its order',
};

export const DIFFERENCE_NAMES: Readonly<Record<string, string>> = {
  missing_here: 'Only in the provider’s records',
  missing_there: 'Only in the ledger',
  amount: 'The amounts differ',
  state: 'The states differ',
  duplicate: 'The provider lists it twice',
  unreadable: 'An entry cannot be read',
  excess: 'More was reversed than was paid',
  refund_amount: 'A refund of another amount',
  reversal_amount: 'A repeated report with another amount',
  contradiction: 'The bank contradicts a final state',
  payout_amount: 'Notification with a different amount',
  unknown_reference: 'Notification for an unknown reference',
  unconfirmed: 'Notification that the bank does not confirm',
  transfer_amount: 'The amount of a transfer changed',
  transfer_unreadable: 'A transfer cannot be read',
};
