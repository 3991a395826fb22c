/** The English names of the accounts of the ledger, and of the actors, events and expected steps of a payment. */
export const ACCOUNT_NAMES: Readonly<Record<string, string>> = {
  available: 'Available',
  reserved: 'Reserved',
  owed: 'Owed',
  fees: 'Fees',
  suspense: 'Held',
  operator_funding: 'Operator’s funds',
};

export const EVENT_NAMES: Readonly<Record<string, string>> = {
  approval_required: 'Approval required',
  accepted: 'Accepted',
  approved: 'Approved',
  opened: 'Opened',
  submitted: 'Submitted',
  created: 'Created',
  executed: 'Paid by the bank',
  declined: 'Declined',
  cancelled: 'Cancelled',
  expired: 'Expired',
  lapsed: 'Not approved in time',
  received: 'Money received',
  progressed: 'Progress at the bank',
  rerouted: 'Rerouted to another rail',
  resolved: 'Decided by a user',
  reversed: 'Reversed by the bank',
  displaced: 'Displaced by a later order',
  refund_requested: 'Refund requested',
  return_requested: 'Return requested',
};

export const STEP_NOTES: Readonly<Record<string, string>> = {
  approval: 'by then, or the payout is blocked and its money released',
  ask: 'unless the bank notifies the gateway first',
  pay: 'by then',
  callback: 'within seconds after the result',
};

export const ACTOR_NAMES: Readonly<Record<string, string>> = {
  merchant: 'merchant',
  gateway: 'gateway',
  payer: 'payer',
  operator: 'operator',
  bank: 'bank',
};
