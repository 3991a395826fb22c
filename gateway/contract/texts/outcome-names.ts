/** The English names of the outcomes of callbacks, and of the reasons why a payment did not succeed. */
export const DELIVERY_OUTCOMES: Readonly<Record<string, string>> = {
  accepted: 'Accepted',
  refused_status: 'A status other than 2xx',
  refused_body: 'The response body is not OK',
  redirected: 'A redirect, which the gateway does not follow',
  timed_out: 'No complete response in time',
  unreachable: 'Unreachable',
  forbidden_address: 'A private network address, which the gateway does not call',
  no_address: 'No URL is set',
};

export const FAILURE_NAMES: Readonly<Record<string, string>> = {
  unspecified: 'for another reason',
  bank_declined: 'declined by the bank',
  invalid_beneficiary: 'invalid beneficiary details',
  limit_or_risk: 'limit or risk',
  expired: 'expired',
  cancelled: 'cancelled',
  declined: 'declined',
  displaced: 'replaced by another order',
  insufficient_funds: 'insufficient funds',
};
