/** Routes: the rails that the payouts of a method may use. */
import type { ReplayedShare, ROUTE_ENDPOINTS, Route as RouteView } from '../../../../contract/endpoints/routes.ts';
import type { GatewayOperations } from '../../../domain/gateway-operations.ts';
import { type RouteRejection, routesVersion } from '../../../domain/routing/edit-routes.ts';
import type { ReplayedSums, ReplayedShare as Share } from '../../../domain/routing/replay/replay-routes.ts';
import type { Route } from '../../../domain/routing/route-store.ts';
import type { Currency } from '../../../foundation/currency.ts';
import { formatAmount, parseAmount, parsePercent } from '../../../foundation/money.ts';
import { fail, ok, type Result } from '../../../foundation/result.ts';
import type { HandlersOf, ManageRequest } from '../handler.ts';
import { type ManageProblem, MERCHANT_NOT_FOUND, notFound } from '../problems.ts';
import { reasonsText } from '../views/history-views.ts';
import { instantText } from '../views/instant-text.ts';

type RouteEndpoints = typeof ROUTE_ENDPOINTS;

export function routeHandlers({ routes, methods }: GatewayOperations): HandlersOf<RouteEndpoints> {
  const view = (route: Route) => viewRoute(route, methods.currencyOf(route.method) ?? null);
  return {
    async 'routes.list'() {
      const { routes: all } = await routes.read();
      const version = routesVersion(all);
      return ok({ answer: { version, items: all.map(view) }, entityTag: version });
    },
    async 'routes.replay'({ body: { days, routes: wanted } }) {
      const draft: Route[] = [];
      for (const { method, rail, merchantId, currency: _, ...body } of wanted) {
        const query = merchantId === null ? {} : { merchantId };
        const route = readRoute({ params: { method, rail }, query, body }, methods.currencyOf(method));
        if (!route.ok) return route;
        draft.push(route.value);
      }
      const { from, payouts, isWhole, shares } = await routes.replay(draft, days);
      return ok({ answer: { from: instantText(from), payouts, isWhole, items: shares.map(viewShare) } });
    },
    async 'routes.set'({ params, query, body, ifMatch }) {
      const route = readRoute({ params, query, body }, methods.currencyOf(params.method));
      if (!route.ok) return route;
      if (ifMatch === null) return fail(NO_VERSION);
      const before = await find(routes, route.value);
      const set = await routes.set(route.value, ifMatch);
      if (!set.ok) return fail(routeProblem(set.error, params.rail));
      const answer = view(set.value);
      return ok({ answer, change: { before: before ? view(before) : null, after: answer } });
    },
    async 'routes.remove'({ params: { method, rail }, query: { merchantId = null }, ifMatch }) {
      if (ifMatch === null) return fail(NO_VERSION);
      const before = await find(routes, { method, rail, merchantId });
      const removed = await routes.remove(method, merchantId, rail, ifMatch);
      if (!removed.ok) return fail(routeProblem(removed.error, rail));
      return ok({ answer: { removed: true }, change: { before: before ? view(before) : null, after: null } });
    },
  };
}

async function find(routes: GatewayOperations['routes'], key: Pick<Route, 'method' | 'rail' | 'merchantId'>) {
  return (await routes.read()).routes.find(
    ({ method, rail, merchantId }) => method === key.method && rail === key.rail && merchantId === key.merchantId,
  );
}

/** Returns the defaults of a route: first rank, no weight, no limits, no cost. */
function readRoute(
  { params, query, body }: Pick<ManageRequest<RouteEndpoints['routes.set']>, 'params' | 'query' | 'body'>,
  currency: Currency | undefined,
): Result<Route, ManageProblem> {
  const { method, rail } = params;
  if (!currency) return fail(notFound(`No payout method has the number ${method}.`, 'method'));
  const { rank = 1, weight = null, min = null, max = null, costFixed = '0', costPercent = '0' } = body;
  const minAmount = min === null ? null : parseAmount(min, currency)?.minor;
  const maxAmount = max === null ? null : parseAmount(max, currency)?.minor;
  const fixed = /^0+(\.0+)?$/.test(costFixed) ? 0n : parseAmount(costFixed, currency)?.minor;
  const percent = parsePercent(costPercent);
  if (minAmount === undefined) return fail(notAnAmount('min', currency));
  if (maxAmount === undefined) return fail(notAnAmount('max', currency));
  if (fixed === undefined) return fail(notAnAmount('costFixed', currency));
  if (percent === undefined)
    return fail({
      code: 'invalid-request',
      field: '/costPercent',
      detail: 'costPercent must be a percentage below 100.',
    });
  const merchantId = query.merchantId ?? null;
  return ok({ method, rail, merchantId, rank, weight, minAmount, maxAmount, costFixed: fixed, costPercent: percent });
}

function notAnAmount(field: string, currency: string): ManageProblem {
  const detail = `${field} must be an amount above zero, with the decimals of ${currency}.`;
  return { code: 'invalid-request', field: `/${field}`, detail };
}

function viewRoute(route: Route, currency: Currency | null): RouteView {
  const text = (minor: bigint) => (currency === null ? String(minor) : formatAmount({ currency, minor }));
  const { method, merchantId, rail, rank, weight, minAmount, maxAmount } = route;
  return {
    method,
    currency,
    merchantId,
    rail,
    rank,
    weight,
    min: minAmount === null ? null : text(minAmount),
    max: maxAmount === null ? null : text(maxAmount),
    costFixed: text(route.costFixed),
    costPercent: percentText(route.costPercent),
  };
}

function viewShare({ now, draft, ...share }: Share): ReplayedShare {
  const text = (minor: bigint) => formatAmount({ currency: share.currency, minor });
  const view = ({ count, amount, cost }: ReplayedSums) => ({ count, amount: text(amount), cost: text(cost) });
  return { ...share, why: reasonsText(share.why), now: view(now), draft: view(draft) };
}

/** Formats millionths as a percentage, for example `1.25` for 12500. */
function percentText(millionths: bigint): string {
  const [whole, part] = [millionths / 10_000n, millionths % 10_000n];
  return part === 0n ? `${whole}` : `${whole}.${part.toString().padStart(4, '0').replace(/0+$/, '')}`;
}

const NO_VERSION: ManageProblem = {
  code: 'if-match-missing',
  detail: 'Read the routes, and send their ETag as If-Match, so that no other change is lost.',
};

/** Also used for hours and thresholds, whose requests contain a rail. */
export function routeProblem(rejection: RouteRejection, rail: string): ManageProblem {
  switch (rejection.kind) {
    case 'no_such_rail': {
      const detail = `No rail is called "${rail}". Rails: ${rejection.rails.join(', ')}.`;
      return { code: 'not-found', field: 'rail', detail };
    }
    case 'method_not_carried': {
      const detail = `${rail} does not carry that method. It carries ${rejection.methods.join(', ')}.`;
      return { code: 'rejected', field: 'method', detail };
    }
    case 'merchant_not_found':
      return { ...MERCHANT_NOT_FOUND, field: 'merchantId' };
    case 'limits_crossed':
      return { code: 'invalid-request', field: '/min', detail: 'min must not exceed max.' };
    case 'no_such_route':
      return notFound('The method has no route over this rail. "gateway route list" lists the routes.');
    case 'changed_meanwhile':
      return { code: 'changed-meanwhile', detail: 'Read the routes again, and repeat the change with their new ETag.' };
  }
}
