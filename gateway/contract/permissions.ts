/** The permissions of the management API, and the roles that hold them. Menus, endpoints, docs and tests follow from here. */

/** Each permission, with what it allows. A token's scopes are permissions; a token never approves. */
export const PERMISSIONS = {
  'merchants:read': 'read merchants, their settings and the dates of their keys',
  'merchants:write': 'create, change, activate and suspend merchants',
  'keys:write': 'rotate the signing keys of merchants',
  'ledger:read': 'read balances, journals and the invariants of the books',
  'funds:write': 'credit and debit the balances of merchants',
  'payouts:read': 'read payouts',
  'payouts:write': 'cancel payouts and resolve unknown outcomes',
  'deposits:read': 'read deposits and held money',
  'deposits:write': 'resolve, return and refund money, and end payment attempts',
  'callbacks:read': 'read callbacks and their delivery attempts',
  'callbacks:write': 'resend callbacks',
  'rails:read': 'read rails, routes and pauses',
  'rails:write': 'change routes, hours, thresholds and pauses',
  'reconciliation:read': 'read differences',
  'reconciliation:write': 'compare days with providers and resolve differences',
  'recovery:read': 'read the progress of a recovery after a restore',
  'recovery:write': 'run a recovery after a restore',
  'vault:write': 'rotate the master key',
  'audit:read': 'read the audit log',
  'tokens:read': 'read API tokens, without their secrets',
  'tokens:write': 'create and revoke API tokens',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];
