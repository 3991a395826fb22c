/**
 * The pages of signed-in users by URL. Each page loads when a user opens it. The first page is outside the router, which loads
 * after it.
 */
import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  Outlet,
  type RouteComponent,
  RouterProvider,
  useRouterState,
} from '@tanstack/react-router';
import { useLayoutEffect } from 'react';
import type { PageRoot } from '../../gateway/contract/portal-page.ts';
import { useLivePages } from './api/live.ts';
import { useMay } from './api/session.ts';
import { Themed } from './look/themed.tsx';
import { Toasts } from './parts/acts/toasts.tsx';
import { type Filters, FiltersContext, filtersOf, showPlace } from './parts/links/address.ts';
import { Exports } from './parts/lists/exports.tsx';
import { Loading } from './parts/loading/loading.tsx';
import { NoSuchPage } from './parts/loading/shown.tsx';
import { loadWithStyles } from './start/load-with-styles.ts';

const root = createRootRoute({ component: CurrentPage });

/** Reports the current page to the frame, in the same paint. */
function CurrentPage() {
  const pathname = useRouterState({ select: ({ location }) => location.pathname });
  const isFirst = useRouterState({ select: ({ matches }) => matches.at(-1)?.routeId === FIRST });
  const filters = useRouterState({ select: ({ matches }): Filters => matches.at(-1)?.search ?? {} });
  useLayoutEffect(() => showPlace({ pathname, first: isFirst ? filters : null }), [pathname, isFirst, filters]);
  return (
    <FiltersContext value={filters}>
      <Outlet />
    </FiltersContext>
  );
}

const FIRST = '/';

type RoutePath = '/' | `/${PageRoot}` | `/${PageRoot}/${string}`;
type Pages = Partial<Record<RoutePath, RouteComponent>>;

const page: typeof lazyRouteComponent = (load) => lazyRouteComponent(() => loadWithStyles(load));

const PAGES = {
  [FIRST]: () => null,
  '/today': page(() => import('./pages/home/home-page.tsx')),
  '/charts': page(() => import('./pages/home/charts-page.tsx')),
  '/payouts': page(() => import('./pages/payouts/payout-list.tsx')),
  '/payouts/$merchantId/$payoutId': page(() => import('./pages/payouts/payout-page.tsx')),
  '/new-payout': page(() => import('./pages/payouts/new/new-payout-page.tsx')),
  '/new-payout/$merchantId': page(() => import('./pages/payouts/new/new-payout-page.tsx')),
  '/batches': page(() => import('./pages/batches/batch-list.tsx')),
  '/batches/$merchantId': page(() => import('./pages/batches/batch-list.tsx')),
  '/batches/$merchantId/$batchId': page(() => import('./pages/batches/batch-page.tsx')),
  '/deposits': page(() => import('./pages/deposits/deposit-list.tsx')),
  '/deposits/$merchantId/$orderId': page(() => import('./pages/deposits/deposit-page.tsx')),
  '/held': page(() => import('./pages/deposits/held-list.tsx')),
  '/held/$rail/$transferKey': page(() => import('./pages/deposits/held-page.tsx')),
  '/balances': page(() => import('./pages/ledger/balances-page.tsx')),
  '/balances/$merchantId': page(() => import('./pages/ledger/balances-page.tsx')),
  '/approvals': page(() => import('./pages/payouts/approval-list.tsx')),
  '/policies': page(() => import('./pages/proposals/policies-page.tsx')),
  '/proposals/$proposalId': page(() => import('./pages/proposals/proposal-page.tsx')),
  '/callbacks': page(() => import('./pages/callbacks/callback-list.tsx')),
  '/callbacks/$merchantId/$callbackId': page(() => import('./pages/callbacks/callback-page.tsx')),
  '/requests': page(() => import('./pages/requests/request-list.tsx')),
  '/requests/$merchantId/$requestId': page(() => import('./pages/requests/request-page.tsx')),
  '/merchants': page(() => import('./pages/merchants/merchant-list.tsx')),
  '/merchants/$merchantId': page(() => import('./pages/merchants/merchant-page.tsx')),
  '/settings': page(() => import('./pages/merchants/settings-page.tsx')),
  '/settings/$merchantId': page(() => import('./pages/merchants/settings-page.tsx')),
  '/developers': page(() => import('./pages/requests/developers-page.tsx')),
  '/developers/$merchantId': page(() => import('./pages/requests/developers-page.tsx')),
  '/team': page(() => import('./pages/people/team-page.tsx')),
  '/team/$merchantId': page(() => import('./pages/people/team-page.tsx')),
  '/tokens': page(() => import('./pages/people/token-list.tsx')),
  '/rails': page(() => import('./pages/rails/rail-list.tsx')),
  '/rails/$rail': page(() => import('./pages/rails/rail-page.tsx')),
  '/routes': page(() => import('./pages/rails/route-list.tsx')),
  '/differences': page(() => import('./pages/reconciliation/difference-list.tsx')),
  '/differences/$rail/$day/$kind/$subject': page(() => import('./pages/reconciliation/difference-page.tsx')),
  '/ledger': page(() => import('./pages/ledger/ledger-page.tsx')),
  '/ledger/movements': page(() => import('./pages/ledger/movement-list.tsx')),
  '/operations': page(() => import('./pages/operations/operations-page.tsx')),
  '/recovery': page(() => import('./pages/operations/recovery-page.tsx')),
  '/audit': page(() => import('./pages/people/audit-list.tsx')),
  '/account': page(() => import('./pages/people/account-page.tsx')),
} satisfies Pages;

const pages = Object.entries(PAGES).map(([path, component]) =>
  createRoute({ getParentRoute: () => root, path, component }),
);

export function createPages() {
  return createRouter({
    routeTree: root.addChildren(pages),
    defaultPendingComponent: Loading,
    defaultNotFoundComponent: NoSuchPage,
    defaultPreload: 'intent',
    // Filters stay strings: an id that consists of digits is not a number.
    parseSearch: filtersOf,
    stringifySearch: (search) => {
      const entries = Object.entries(search).filter(([, value]) => value !== undefined && value !== '');
      const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
      return text === '' ? '' : `?${text}`;
    },
  });
}

/** The page at the URL, and the parts of the frame that the first page does not need. */
export function Pages({ router }: { router: ReturnType<typeof createPages> }) {
  useLivePages(useMay()('events:read'));
  return (
    <Themed>
      <RouterProvider router={router} />
      <div className="corner">
        <Toasts />
        <Exports />
      </div>
    </Themed>
  );
}
