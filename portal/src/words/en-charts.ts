/** Charts, in English. */
export const EN_CHARTS = {
  charts: {
    title: 'Charts',
    asTable: 'The same as a table',
    time: 'Time',
    range: 'Range',
    days: (count: string) => `${count} days`,
    currency: 'Currency',
    split: 'By',
    splits: { rail: 'Rail', method: 'Method' },
    paidOut: 'Paid out',
    paidIn: 'Paid in',
    successRate: 'Payouts that succeeded, in percent',
    waits: 'Time to the result of payouts',
    other: 'Others',
    nothing: 'No payment of this currency ended in this time.',
    results: 'Results',
    within: 'Within',
    longer: 'longer',
    balances: 'Balance over time',
    none: 'none',
  },
};
