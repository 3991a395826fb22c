/** The addresses of the pages of signed-in people. Each page is loaded when somebody opens it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import type { PageRoot } from '../../gateway/contract/portal-page.ts';
import { Loading } from './parts/loading/loading.tsx';
import { SignedInShell } from './shell/shell.tsx';

const shell = createRootRoute({ component: SignedInShell });

type PagePath = '/' | `/${PageRoot}` | `/${PageRoot}/${string}`;
type Pages = Partial<Record<PagePath, RouteComponent>>;

const PAGES = {
  '/': lazyRouteComponent(() => import('./pages/first-page.tsx')),
  '/today': lazyRouteComponent(() => import('./pages/home-page.tsx')),
  '/charts': lazyRouteComponent(() => import('./pages/charts-page.tsx')),
  '/payouts': lazyRouteComponent(() => import('./pages/payout-list.tsx')),
  '/payouts/$merchantId/$payoutId': lazyRouteComponent(() => import('./pages/payout-page.tsx')),
  '/new-payout': lazyRouteComponent(() => import('./pages/new-payouts/new-payout-page.tsx')),
  '/new-payout/$merchantId': lazyRouteComponent(() => import('./pages/new-payouts/new-payout-page.tsx')),
  '/batches': lazyRouteComponent(() => import('./pages/new-payouts/batch-list.tsx')),
  '/batches/$merchantId': lazyRouteComponent(() => import('./pages/new-payouts/batch-list.tsx')),
  '/batches/$merchantId/$batchId': lazyRouteComponent(() => import('./pages/new-payouts/batch-page.tsx')),
  '/deposits': lazyRouteComponent(() => import('./pages/deposit-list.tsx')),
  '/deposits/$merchantId/$orderId': lazyRouteComponent(() => import('./pages/deposit-page.tsx')),
  '/held': lazyRouteComponent(() => import('./pages/held-list.tsx')),
  '/held/$rail/$transferKey': lazyRouteComponent(() => import('./pages/office/held-page.tsx')),
  '/balances': lazyRouteComponent(() => import('./pages/balances-page.tsx')),
  '/balances/$merchantId': lazyRouteComponent(() => import('./pages/balances-page.tsx')),
  '/approvals': lazyRouteComponent(() => import('./pages/approval-list.tsx')),
  '/policies': lazyRouteComponent(() => import('./pages/policies-page.tsx')),
  '/proposals/$proposalId': lazyRouteComponent(() => import('./pages/proposal-page.tsx')),
  '/callbacks': lazyRouteComponent(() => import('./pages/callback-list.tsx')),
  '/callbacks/$merchantId/$callbackId': lazyRouteComponent(() => import('./pages/callback-page.tsx')),
  '/requests': lazyRouteComponent(() => import('./pages/request-list.tsx')),
  '/requests/$merchantId/$requestId': lazyRouteComponent(() => import('./pages/request-page.tsx')),
  '/merchants': lazyRouteComponent(() => import('./pages/merchant-list.tsx')),
  '/merchants/$merchantId': lazyRouteComponent(() => import('./pages/office/merchant-page.tsx')),
  '/settings': lazyRouteComponent(() => import('./pages/settings-page.tsx')),
  '/settings/$merchantId': lazyRouteComponent(() => import('./pages/settings-page.tsx')),
  '/developers': lazyRouteComponent(() => import('./pages/developers-page.tsx')),
  '/developers/$merchantId': lazyRouteComponent(() => import('./pages/developers-page.tsx')),
  '/team': lazyRouteComponent(() => import('./pages/team-page.tsx')),
  '/team/$merchantId': lazyRouteComponent(() => import('./pages/team-page.tsx')),
  '/tokens': lazyRouteComponent(() => import('./pages/token-list.tsx')),
  '/rails': lazyRouteComponent(() => import('./pages/office/rail-list.tsx')),
  '/rails/$rail': lazyRouteComponent(() => import('./pages/office/rail-page.tsx')),
  '/routes': lazyRouteComponent(() => import('./pages/office/route-list.tsx')),
  '/differences': lazyRouteComponent(() => import('./pages/office/difference-list.tsx')),
  '/differences/$rail/$day/$kind/$subject': lazyRouteComponent(() => import('./pages/office/difference-page.tsx')),
  '/ledger': lazyRouteComponent(() => import('./pages/office/ledger-page.tsx')),
  '/ledger/movements': lazyRouteComponent(() => import('./pages/movement-list.tsx')),
  '/operations': lazyRouteComponent(() => import('./pages/office/operations-page.tsx')),
  '/recovery': lazyRouteComponent(() => import('./pages/office/recovery-page.tsx')),
  '/audit': lazyRouteComponent(() => import('./pages/audit-list.tsx')),
  '/account': lazyRouteComponent(() => import('./pages/person/account-page.tsx')),
} satisfies Pages;

const pages = Object.entries(PAGES).map(([path, component]) =>
  createRoute({ getParentRoute: () => shell, path, component }),
);

export function createPages() {
  return createRouter({
    routeTree: shell.addChildren(pages),
    defaultPendingComponent: Loading,
    // Filters stay texts: an id of digits is not a number.
    parseSearch: (search) => Object.fromEntries(new URLSearchParams(search)),
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
}
