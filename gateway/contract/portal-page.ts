/** The contract between the built pages of the portal and the server that serves them. */

/** Placeholder in the built page that the server replaces with the response’s CSP nonce. */
export const NONCE_PLACEHOLDER = '__NONCE__';

/** The element of the page with the visitor's own session, as `session.show` answers it. Null: not signed in. Empty: unknown. */
export const SESSION_ELEMENT = 'session';

/** Placeholder in the built page that the server replaces with the content of that element. */
export const SESSION_PLACEHOLDER = '"__SESSION__"';

/** The first part of each address of a page. The server answers each of them with the same page. */
export const PAGE_ROOTS = [
  'sign-in',
  'join',
  'today',
  'charts',
  'payouts',
  'new-payout',
  'batches',
  'deposits',
  'held',
  'balances',
  'approvals',
  'proposals',
  'policies',
  'callbacks',
  'requests',
  'merchants',
  'settings',
  'developers',
  'team',
  'tokens',
  'rails',
  'routes',
  'differences',
  'ledger',
  'operations',
  'recovery',
  'audit',
  'account',
] as const;
export type PageRoot = (typeof PAGE_ROOTS)[number];

/** The path of the built files below the origin. A name contains the hash of its content. */
export const ASSETS_PATH = '/assets';

/** The ending of the compressed copy next to a built file. */
export const COMPRESSED_ENDING = '.br';
