/** The addresses of the pages of signed-in people. Each page is loaded when somebody opens it. */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  type RouteComponent,
} from '@tanstack/react-router';
import type { PageRoot } from '../../gateway/contract/portal-page.ts';
import { loadWithStyles } from './load-with-styles.ts';
import { FirstPage } from './pages/first-page.tsx';
import { Loading } from './parts/loading/loading.tsx';
import { SignedInShell } from './shell/shell.tsx';

const shell = createRootRoute({ component: SignedInShell });

type PagePath = '/' | `/${PageRoot}` | `/${PageRoot}/${string}`;
type Pages = Partial<Record<PagePath, RouteComponent>>;

const page: typeof lazyRouteComponent = (load) => lazyRouteComponent(() => loadWithStyles(load));

const PAGES = {
  '/': FirstPage,
  '/today': page(() => import('./pages/home-page.tsx')),
  '/charts': page(() => import('./pages/charts-page.tsx')),
  '/payouts': page(() => import('./pages/payout-list.tsx')),
  '/payouts/$merchantId/$payoutId': page(() => import('./pages/payout-page.tsx')),
  '/new-payout': page(() => import('./pages/new-payouts/new-payout-page.tsx')),
  '/new-payout/$merchantId': page(() => import('./pages/new-payouts/new-payout-page.tsx')),
  '/batches': page(() => import('./pages/new-payouts/batch-list.tsx')),
  '/batches/$merchantId': page(() => import('./pages/new-payouts/batch-list.tsx')),
  '/batches/$merchantId/$batchId': page(() => import('./pages/new-payouts/batch-page.tsx')),
  '/deposits': page(() => import('./pages/deposit-list.tsx')),
  '/deposits/$merchantId/$orderId': page(() => import('./pages/deposit-page.tsx')),
  '/held': page(() => import('./pages/held-list.tsx')),
  '/held/$rail/$transferKey': page(() => import('./pages/office/held-page.tsx')),
  '/balances': page(() => import('./pages/balances-page.tsx')),
  '/balances/$merchantId': page(() => import('./pages/balances-page.tsx')),
  '/approvals': page(() => import('./pages/approval-list.tsx')),
  '/policies': page(() => import('./pages/policies-page.tsx')),
  '/proposals/$proposalId': page(() => import('./pages/proposal-page.tsx')),
  '/callbacks': page(() => import('./pages/callback-list.tsx')),
  '/callbacks/$merchantId/$callbackId': page(() => import('./pages/callback-page.tsx')),
  '/requests': page(() => import('./pages/request-list.tsx')),
  '/requests/$merchantId/$requestId': page(() => import('./pages/request-page.tsx')),
  '/merchants': page(() => import('./pages/merchant-list.tsx')),
  '/merchants/$merchantId': page(() => import('./pages/office/merchant-page.tsx')),
  '/settings': page(() => import('./pages/settings-page.tsx')),
  '/settings/$merchantId': page(() => import('./pages/settings-page.tsx')),
  '/developers': page(() => import('./pages/developers-page.tsx')),
  '/developers/$merchantId': page(() => import('./pages/developers-page.tsx')),
  '/team': page(() => import('./pages/team-page.tsx')),
  '/team/$merchantId': page(() => import('./pages/team-page.tsx')),
  '/tokens': page(() => import('./pages/token-list.tsx')),
  '/rails': page(() => import('./pages/office/rail-list.tsx')),
  '/rails/$rail': page(() => import('./pages/office/rail-page.tsx')),
  '/routes': page(() => import('./pages/office/route-list.tsx')),
  '/differences': page(() => import('./pages/office/difference-list.tsx')),
  '/differences/$rail/$day/$kind/$subject': page(() => import('./pages/office/difference-page.tsx')),
  '/ledger': page(() => import('./pages/office/ledger-page.tsx')),
  '/ledger/movements': page(() => import('./pages/movement-list.tsx')),
  '/operations': page(() => import('./pages/office/operations-page.tsx')),
  '/recovery': page(() => import('./pages/office/recovery-page.tsx')),
  '/audit': page(() => import('./pages/audit-list.tsx')),
  '/account': page(() => import('./pages/person/account-page.tsx')),
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
