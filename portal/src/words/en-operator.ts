/** The texts that only the operator’s people see. They are in English alone. */
export const ofOperator = {
  held: {
    title: 'Held money',
    empty: 'No transfer matches.',
    key: 'Key of the transfer',
    mismatch: 'Held because',
    booked: 'Booked',
  },
  merchants: {
    title: 'Merchants',
    empty: 'There is no merchant yet.',
    name: 'Name',
    id: 'Merchant',
    created: 'Created',
  },
};
