/** The one list of endpoints. */
import { AUDIT_ENDPOINTS } from './audit.ts';
import { CALLBACK_ENDPOINTS } from './callbacks.ts';
import { DEPOSIT_ENDPOINTS } from './deposits.ts';
import { EVENT_ENDPOINTS } from './events.ts';
import { FIND_ENDPOINTS } from './find.ts';
import { LEDGER_ENDPOINTS } from './ledger.ts';
import { LIST_ENDPOINTS } from './lists.ts';
import { MERCHANT_ENDPOINTS } from './merchants.ts';
import { BATCH_ENDPOINTS } from './new-payouts/batches.ts';
import { NEW_PAYOUT_ENDPOINTS } from './new-payouts/one-payout.ts';
import { PAYOUT_ENDPOINTS } from './payouts.ts';
import { PEOPLE_ENDPOINTS } from './people.ts';
import { POLICY_ENDPOINTS } from './policies.ts';
import { PROPOSAL_ENDPOINTS } from './proposals.ts';
import { RAIL_ENDPOINTS } from './rails.ts';
import { RECONCILIATION_ENDPOINTS } from './reconciliation.ts';
import { RECOVERY_ENDPOINTS } from './recovery.ts';
import { REQUEST_ENDPOINTS } from './requests/requests.ts';
import { ROUTE_ENDPOINTS } from './routes.ts';
import { SESSION_ENDPOINTS } from './sessions.ts';
import { SIGN_IN_ENDPOINTS } from './sign-in.ts';
import { STATEMENT_ENDPOINTS } from './statements.ts';
import { TOKEN_ENDPOINTS } from './tokens.ts';

export const ENDPOINTS = {
  ...MERCHANT_ENDPOINTS,
  ...LEDGER_ENDPOINTS,
  ...STATEMENT_ENDPOINTS,
  ...PAYOUT_ENDPOINTS,
  ...NEW_PAYOUT_ENDPOINTS,
  ...BATCH_ENDPOINTS,
  ...DEPOSIT_ENDPOINTS,
  ...CALLBACK_ENDPOINTS,
  ...LIST_ENDPOINTS,
  ...REQUEST_ENDPOINTS,
  ...FIND_ENDPOINTS,
  ...EVENT_ENDPOINTS,
  ...RAIL_ENDPOINTS,
  ...ROUTE_ENDPOINTS,
  ...RECONCILIATION_ENDPOINTS,
  ...RECOVERY_ENDPOINTS,
  ...POLICY_ENDPOINTS,
  ...PROPOSAL_ENDPOINTS,
  ...TOKEN_ENDPOINTS,
  ...PEOPLE_ENDPOINTS,
  ...SIGN_IN_ENDPOINTS,
  ...SESSION_ENDPOINTS,
  ...AUDIT_ENDPOINTS,
} as const;

export type Endpoints = typeof ENDPOINTS;
export type EndpointName = keyof Endpoints;

export const ENDPOINT_NAMES = Object.keys(ENDPOINTS) as EndpointName[];
