/** The addresses of the pages about one object. */
import type { PageRoot } from '../../../../gateway/contract/portal-page.ts';

/** The path of a page with its filters, or only new filters for the same page. */
export type PagePath = '/' | `/?${string}` | `?${string}` | `/${PageRoot}` | `/${PageRoot}${'/' | '?'}${string}`;

const join = (root: PageRoot, ...parts: string[]): PagePath => `/${root}/${parts.map(encodeURIComponent).join('/')}`;

export const payoutPath = (merchantId: string, payoutId: string) => join('payouts', merchantId, payoutId);
export const newPayoutPath = (merchantId: string) => join('new-payout', merchantId);
export const batchesPath = (merchantId: string) => join('batches', merchantId);
export const batchPath = (merchantId: string, batchId: string) => join('batches', merchantId, batchId);
/** `merchantId` is null if the list contains only one merchant. */
export const batchPayoutsPath = (batchId: string, merchantId: string | null): PagePath =>
  `/payouts?${new URLSearchParams({ batchId, ...(merchantId === null ? {} : { merchantId }) })}`;
export const depositPath = (merchantId: string, orderId: string) => join('deposits', merchantId, orderId);
export const callbackPath = (merchantId: string, callbackId: string) => join('callbacks', merchantId, callbackId);
export const requestPath = (merchantId: string, requestId: string) => join('requests', merchantId, requestId);
export const balancesPath = (merchantId: string) => join('balances', merchantId);
export const proposalPath = (proposalId: string) => join('proposals', proposalId);
export const merchantPath = (merchantId: string) => join('merchants', merchantId);
export const settingsPath = (merchantId: string) => join('settings', merchantId);
export const developersPath = (merchantId: string) => join('developers', merchantId);
export const heldPath = (rail: string, transferKey: string) => join('held', rail, transferKey);
export const railPath = (rail: string) => join('rails', rail);
export const teamPath = (merchantId: string) => join('team', merchantId);
export const differencePath = ({
  rail,
  day,
  kind,
  subject,
}: Readonly<Record<'rail' | 'day' | 'kind' | 'subject', string>>) => join('differences', rail, day, kind, subject);
export const callbackListPath = (filters: Readonly<Record<string, string>>): PagePath =>
  `/callbacks?${new URLSearchParams(filters)}`;
export const movementsPath = (filters: Readonly<Record<string, string>> = {}): PagePath =>
  `/ledger/movements?${new URLSearchParams(filters)}`;

/** The operator's own account in the books, which the API lists among the merchants. It is always suspended. */
export const OPERATOR_MERCHANT = 'operator';
