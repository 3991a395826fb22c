/** The strings that only operator users see, in English only. */
export const ofOperator = {
  exchanges: {
    title: 'Exchanges with the provider',
    show: 'Requests and responses',
    none: 'No exchange of this attempt is stored. The gateway keeps unusual calls and a sample of the others for 14 days.',
    request: 'Request',
    reply: 'Response',
  },
  /** A request with an invalid signature. */
  unproven: 'The sender is not authenticated. Someone else may have sent this in the merchant’s name.',
  thresholds: 'The settings of each merchant hold the amount above which its payouts wait for approval.',
  /** A pending payment, for users who respond to its merchant. */
  waits: {
    merchantCan: 'The merchant can',
    pauses: 'View pauses',
    whoMay: (roles: string) => `The operator’s roles that can decide this: ${roles}.`,
  },
  merchantActs: {
    activate: 'Activate',
    activateText: 'The merchant can send real payouts from now on.',
    suspend: 'Suspend',
    suspendText: 'The gateway rejects new requests of the merchant. Pending payments continue.',
    credit: 'Add money',
    creditText: 'The amount is added to the merchant’s available balance.',
    debit: 'Remove money',
    debitText: 'The amount is removed from the merchant’s available balance.',
    reference: 'Your ID for this posting',
    referenceHint: 'For example, the transfer number. Using the same ID again has no effect.',
    ask: 'Query the bank now',
    askText: 'A final response from the bank completes the payout.',
    endAttempts: 'End attempts',
    endAttemptsText:
      'Use this only after the provider confirmed that nothing was paid. It fails all attempts in flight.',
  },
  merchants: {
    title: 'Merchants',
    empty: 'There are no merchants yet.',
    name: 'Name',
    id: 'Merchant',
    created: 'Created',
  },
};
