/** The initial reads of the operator's first page. */
import type { Permission } from '../../../../gateway/contract/permissions.ts';
import type { OwnSession } from '../../api/session.ts';

export const MOST = 100;
const limit = { query: { limit: MOST } };

/** The sources of the inbox, each with the permission that it needs. */
export const INBOX_READS = {
  payouts: ['payouts.overdue', limit, 'payouts:read'],
  payments: ['deposits.overdue', limit, 'deposits:read'],
  held: ['transfers.held', limit, 'deposits:read'],
  differences: ['differences.list', {}, 'reconciliation:read'],
  awaiting: ['payouts.awaiting', limit, 'payouts:read'],
  proposals: ['proposals.list', limit, 'proposals:read'],
  undelivered: ['callbacks.list', { query: { state: 'undelivered', limit: MOST } }, 'callbacks:read'],
  failing: ['callbacks.failing', {}, 'callbacks:read'],
  rails: ['rails.list', {}, 'rails:read'],
  pauses: ['pauses.list', {}, 'rails:read'],
  invitations: ['invitations.list', {}, 'people:read'],
} as const;

/** The sources of the first steps, for a user who may read all of them. */
export const STEP_READS = {
  people: ['people.list', {}, 'people:read'],
  invitations: INBOX_READS.invitations,
  merchants: ['merchants.list', {}, 'merchants:read'],
  rails: INBOX_READS.rails,
  payouts: ['payouts.list', { query: { state: 'success', limit: 1 } }, 'payouts:read'],
  callbacks: ['callbacks.list', { query: { state: 'delivered', limit: 1 } }, 'callbacks:read'],
} as const;

const HIDDEN = 'first-steps-hidden';

export const areStepsHidden = (): boolean => localStorage.getItem(HIDDEN) !== null;
export const hideSteps = (): void => localStorage.setItem(HIDDEN, 'yes');

export const mayReadSteps = (may: (permission: Permission) => boolean): boolean =>
  Object.values(STEP_READS).every(([, , permission]) => may(permission));

/** Calls `read` for each request that the page makes as soon as it renders. */
export function readInboxEarly(
  { permissions }: OwnSession,
  read: typeof import('../../api/client.ts').readEarly,
): void {
  const may = (permission: Permission) => permissions.includes(permission);
  const steps = !areStepsHidden() && mayReadSteps(may) ? Object.values(STEP_READS) : [];
  for (const [name, options, permission] of new Set([...Object.values(INBOX_READS), ...steps]))
    if (may(permission)) read(name, options as never);
}
