/** The texts that only the operator’s people see. They are in English alone. */
export const ofOperator = {
  held: {
    title: 'Held money',
    empty: 'No transfer matches.',
    key: 'Key of the transfer',
    mismatch: 'Held because',
    booked: 'Booked',
  },
  exchanges: {
    title: 'Exchanges with the provider',
    show: 'Requests and answers',
    none: 'Nothing is kept of this attempt. The gateway keeps unusual calls and a sample of the others, for 14 days.',
    request: 'Request',
    reply: 'Answer',
  },
  merchantActs: {
    activate: 'Activate',
    activateText: 'The merchant may send real payouts from now on.',
    suspend: 'Suspend',
    suspendText: 'The gateway rejects new requests of the merchant. Pending payments continue.',
    credit: 'Add money',
    creditText: 'The amount is added to the merchant’s available balance.',
    debit: 'Remove money',
    debitText: 'The amount is removed from the merchant’s available balance.',
    reference: 'Your id of this posting',
    referenceHint: 'Such as the number of the transfer. The same id posts nothing again.',
    endAttempts: 'End the attempts',
    endAttemptsText: 'Only after the provider confirmed that nothing was paid. The attempts in flight fail.',
  },
  merchants: {
    title: 'Merchants',
    empty: 'There is no merchant yet.',
    name: 'Name',
    id: 'Merchant',
    created: 'Created',
  },
};
