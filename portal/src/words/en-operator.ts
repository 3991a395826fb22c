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
  merchants: {
    title: 'Merchants',
    empty: 'There is no merchant yet.',
    name: 'Name',
    id: 'Merchant',
    created: 'Created',
  },
};
