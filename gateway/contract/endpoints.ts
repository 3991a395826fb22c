/** The one list of endpoints. */
import { AUDIT_ENDPOINTS } from './endpoints/audit.ts';
import { BATCH_ENDPOINTS } from './endpoints/batches.ts';
import { CALLBACK_ENDPOINTS } from './endpoints/callbacks.ts';
import { DEPOSIT_ENDPOINTS } from './endpoints/deposits.ts';
import { EVENT_ENDPOINTS } from './endpoints/events.ts';
import { FIND_ENDPOINTS } from './endpoints/find.ts';
import { LEDGER_ENDPOINTS } from './endpoints/ledger.ts';
import { LIST_ENDPOINTS } from './endpoints/lists.ts';
import { MERCHANT_ENDPOINTS } from './endpoints/merchants.ts';
import { NEW_PAYOUT_ENDPOINTS } from './endpoints/new-payouts.ts';
import { PAYOUT_ENDPOINTS } from './endpoints/payouts.ts';
import { PEOPLE_ENDPOINTS } from './endpoints/people.ts';
import { POLICY_ENDPOINTS } from './endpoints/policies.ts';
import { PROPOSAL_ENDPOINTS } from './endpoints/proposals.ts';
import { RAIL_ENDPOINTS } from './endpoints/rails.ts';
import { RECONCILIATION_ENDPOINTS } from './endpoints/reconciliation.ts';
import { RECOVERY_ENDPOINTS } from './endpoints/recovery.ts';
import { REQUEST_ENDPOINTS } from './endpoints/requests.ts';
import { ROUTE_ENDPOINTS } from './endpoints/routes.ts';
import { SESSION_ENDPOINTS } from './endpoints/sessions.ts';
import { SIGN_IN_ENDPOINTS } from './endpoints/sign-in.ts';
import { STATEMENT_ENDPOINTS } from './endpoints/statements.ts';
import { TOKEN_ENDPOINTS } from './endpoints/tokens.ts';
import { VAULT_ENDPOINTS } from './endpoints/vault.ts';

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
  ...VAULT_ENDPOINTS,
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
