/** The object of an action, by its path, as a link to its page if it has one. */
import { useSession } from '../../api/session.ts';
import { PageLink } from './page-link.tsx';
import { depositPath, merchantPath, type PagePath, payoutPath } from './paths.ts';

const PAGES: readonly (readonly [RegExp, (...parts: string[]) => PagePath])[] = [
  [/^merchants\/([^/]+)$/, (merchantId = '') => merchantPath(merchantId)],
  [/^merchants\/([^/]+)\/payouts\/([^/]+)$/, (merchantId = '', payoutId = '') => payoutPath(merchantId, payoutId)],
  [/^merchants\/([^/]+)\/deposits\/([^/]+)$/, (merchantId = '', orderId = '') => depositPath(merchantId, orderId)],
];

export function ObjectLink({ object }: { object: string }) {
  const isOperator = useSession().merchantId === null;
  for (const [pattern, pathOf] of PAGES) {
    const parts = pattern.exec(object);
    // Merchant users have no page about their own merchant.
    if (parts && (isOperator || parts.length > 2)) return <PageLink to={pathOf(...parts.slice(1))}>{object}</PageLink>;
  }
  return object;
}
