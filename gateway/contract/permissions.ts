/** The permissions of the management API, and the roles that hold them. Menus, endpoints, docs and tests follow from here. */

/** Each permission, with what it allows. A token's scopes are permissions; a token never approves. */
export const PERMISSIONS = {
  'merchants:read': 'read merchants, their settings and the dates of their keys',
  'merchants:write': 'create, change, activate and suspend merchants',
  'keys:write': 'rotate the signing keys of merchants',
  'ledger:read': 'read balances, volumes, statements and the invariants of the books',
  'funds:write': 'credit and debit the balances of merchants',
  'payouts:read': 'read payouts',
  'payouts:write': 'cancel payouts and resolve unknown outcomes',
  'payouts:create': 'create payouts, one by one and in batches',
  'deposits:read': 'read deposits and held money',
  'deposits:write': 'resolve, return and refund money, and end payment attempts',
  'personal:read': 'read unmasked accounts, email addresses and names of payers and beneficiaries',
  'events:read': 'read events: what happened to the objects that the other permissions show',
  'callbacks:read': 'read callbacks and their delivery attempts',
  'callbacks:write': 'resend callbacks, and record conformance runs of a receiver',
  'requests:read': 'read the request log: rejected requests of merchants and a sample of the accepted requests',
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
  'people:read': 'read users, their roles and their invitations',
  'people:write': 'invite users, change their roles, remove them and reset their credentials',
  'policies:read': 'read the rules that require a second person',
  'policies:write': 'change the rules that require a second person',
  'proposals:read': 'read proposals, which wait for a second person',
  'proposals:approve': 'approve and reject other users’ proposals',
  'signatures:explain': 'let the signature doctor explain their merchant’s invalid signatures',
  'payouts:approve': 'approve and cancel payouts that wait for a second person',
} as const;

export type Permission = keyof typeof PERMISSIONS;

export const PERMISSION_NAMES = Object.keys(PERMISSIONS) as Permission[];

/** Only a person approves, or asks the signature doctor, so no token has these. */
const OF_PEOPLE_ONLY: readonly Permission[] = ['proposals:approve', 'payouts:approve', 'signatures:explain'];

/** The permissions that a token may have. */
export const SCOPE_NAMES = PERMISSION_NAMES.filter((name) => !OF_PEOPLE_ONLY.includes(name));

export interface Role {
  /** Completes "A person who …". */
  readonly meaning: string;
  readonly permissions: readonly Permission[];
}

/** The permissions that have a meaning for one merchant. */
const OF_A_MERCHANT: readonly Permission[] = [
  'personal:read',
  'events:read',
  'merchants:read',
  'merchants:write',
  'keys:write',
  'ledger:read',
  'payouts:read',
  'payouts:write',
  'payouts:create',
  'deposits:read',
  'deposits:write',
  'callbacks:read',
  'callbacks:write',
  'audit:read',
  'tokens:read',
  'tokens:write',
  'people:read',
  'people:write',
  'policies:read',
  'policies:write',
  'proposals:read',
  'proposals:approve',
  'payouts:approve',
  'requests:read',
  'signatures:explain',
];

/** The roles of a merchant's people. */
export const MERCHANT_ROLES = {
  owner: { meaning: 'is responsible for the merchant', permissions: OF_A_MERCHANT },
  finance: {
    meaning: 'pays, refunds and reads statements',
    permissions: [
      'personal:read',
      'events:read',
      'merchants:read',
      'ledger:read',
      'payouts:read',
      'payouts:write',
      'deposits:read',
      'payouts:create',
      'deposits:write',
      'callbacks:read',
      'audit:read',
      'people:read',
      'policies:read',
      'proposals:read',
    ],
  },
  approver: {
    meaning: 'approves payouts and proposals of others',
    permissions: [
      'personal:read',
      'events:read',
      'merchants:read',
      'ledger:read',
      'payouts:read',
      'deposits:read',
      'audit:read',
      'people:read',
      'policies:read',
      'proposals:read',
      'proposals:approve',
      'payouts:approve',
    ],
  },
  developer: {
    meaning: 'integrates the API and rotates keys',
    permissions: [
      'events:read',
      'requests:read',
      'signatures:explain',
      'merchants:read',
      'keys:write',
      'payouts:read',
      'deposits:read',
      'callbacks:read',
      'callbacks:write',
      'tokens:read',
      'tokens:write',
      'audit:read',
      'proposals:read',
    ],
  },
  support: {
    meaning: 'answers questions about payments and resends callbacks',
    permissions: [
      'merchants:read',
      'payouts:read',
      'deposits:read',
      'callbacks:read',
      'callbacks:write',
      'personal:read',
      'events:read',
      'requests:read',
    ],
  },
  viewer: {
    meaning: 'reads balances and payments',
    permissions: ['merchants:read', 'ledger:read', 'payouts:read', 'deposits:read', 'callbacks:read', 'events:read'],
  },
} as const satisfies Readonly<Record<string, Role>>;

const READS = PERMISSION_NAMES.filter((name) => name.endsWith(':read'));
const PAYMENTS_READ = ['merchants:read', 'ledger:read', 'payouts:read', 'deposits:read', 'callbacks:read'] as const;

/** The roles of the operator's people. */
export const OPERATOR_ROLES = {
  administrator: { meaning: 'is responsible for the gateway', permissions: PERMISSION_NAMES },
  operations: {
    meaning: 'keeps payments, rails and callbacks running',
    permissions: [
      'personal:read',
      'events:read',
      'requests:read',
      ...PAYMENTS_READ,
      'payouts:write',
      'deposits:write',
      'callbacks:write',
      'rails:read',
      'rails:write',
      'audit:read',
      'reconciliation:read',
      'reconciliation:write',
      'recovery:read',
      'recovery:write',
      'policies:read',
      'proposals:read',
    ],
  },
  treasury: {
    meaning: 'moves funds and reconciles with providers',
    permissions: [
      'personal:read',
      'events:read',
      ...PAYMENTS_READ,
      'funds:write',
      'rails:read',
      'reconciliation:read',
      'reconciliation:write',
      'audit:read',
      'policies:read',
      'proposals:read',
    ],
  },
  approver: {
    meaning: 'approves payouts and proposals of others',
    permissions: [
      'personal:read',
      'events:read',
      ...PAYMENTS_READ,
      'rails:read',
      'reconciliation:read',
      'audit:read',
      'people:read',
      'policies:read',
      'proposals:read',
      'proposals:approve',
      'payouts:approve',
    ],
  },
  risk: {
    meaning: 'suspends merchants, pauses payouts and sets policies',
    permissions: [
      'personal:read',
      'events:read',
      ...PAYMENTS_READ,
      'merchants:write',
      'rails:read',
      'rails:write',
      'reconciliation:read',
      'audit:read',
      'policies:read',
      'policies:write',
      'proposals:read',
    ],
  },
  support: {
    meaning: 'answers merchants’ questions and resends callbacks',
    permissions: [
      'merchants:read',
      'payouts:read',
      'deposits:read',
      'callbacks:read',
      'callbacks:write',
      'rails:read',
      'requests:read',
    ],
  },
  auditor: { meaning: 'reads everything', permissions: READS },
} as const satisfies Readonly<Record<string, Role>>;

export type MerchantRole = keyof typeof MERCHANT_ROLES;
export type OperatorRole = keyof typeof OPERATOR_ROLES;
type RoleName = MerchantRole | OperatorRole;

export const ROLE_NAMES = [
  ...new Set([...Object.keys(MERCHANT_ROLES), ...Object.keys(OPERATOR_ROLES)]),
] as readonly RoleName[];

/** `merchantId` is null for the operator. Returns undefined if no such role exists. Such a role allows nothing. */
export function roleOf(merchantId: string | null, role: string): Role | undefined {
  const roles: Readonly<Record<string, Role>> = merchantId === null ? OPERATOR_ROLES : MERCHANT_ROLES;
  return Object.hasOwn(roles, role) ? roles[role] : undefined;
}
