/** The English remedies of the differences of reconciliation. */
export const DIFFERENCE_REMEDIES: Readonly<Record<string, string>> = {
  missing_here:
    'Search for the reference, and ask the provider who requested the payout. The gateway never sends a payout with this reference.',
  missing_there:
    'Ask the provider about the payout. If the list was read too early, compare the day again. If the bank never paid, record the outcome with its proof.',
  amount: 'Compare both records with the merchant’s order. Agree with the provider on the correct amount.',
  state: 'Ask the provider now. If the bank proves another outcome, record it.',
  duplicate: 'Ask the provider whether it paid twice. If it did, recover the second payment.',
  unreadable: 'Look up the entry at the provider, and report it to the maintainers of the rail.',
  excess:
    'Ask the provider why it reversed more than the remaining amount. The gateway posted only part of the reversal, or none.',
  refund_amount: 'Ask the provider how much it refunded. The gateway does not accept the other amount.',
  reversal_amount: 'Ask the provider which amount is correct. The ledger keeps the amount of the first report.',
  contradiction: 'This report moved no money. Ask the provider for proof, and record the outcome that it proves.',
  payout_amount: 'The gateway rejected the notification. Ask the bank about the payout, and follow its response.',
  unconfirmed: 'Do not move money for this notification. Ask the provider for proof through another channel.',
  unknown_reference: 'Ask the provider whose payment it is. It may be another client’s, or be forged.',
  transfer_amount: 'Ask the provider which amount is correct. Then credit or debit the merchant by the difference.',
  transfer_unreadable: 'Look up the entry at the provider, and report it to the maintainers of the rail.',
};
