/** Stores routes and opening hours in PostgreSQL. */

import { readOpeningHours } from '../../domain/routing/opening-hours.ts';
import type { Route, RouteStore } from '../../domain/routing/route.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import type { Database } from '../core/database.ts';
import { wakeWaiting } from './pause-store.ts';

interface RouteRow {
  method: number;
  merchant_id: string;
  rail: string;
  place: number;
  weight: number | null;
  min_amount: bigint | null;
  max_amount: bigint | null;
  cost_fixed: bigint;
  cost_percent: bigint;
}

const READ_ROUTES = `select method, merchant_id, rail, place, weight, min_amount, max_amount, cost_fixed, cost_percent
from routes order by method, merchant_id, place, rail`;

const SET_ROUTE = `insert into routes (method, merchant_id, rail, place, weight, min_amount, max_amount, cost_fixed, cost_percent)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (method, merchant_id, rail) do update set place = excluded.place, weight = excluded.weight,
  min_amount = excluded.min_amount, max_amount = excluded.max_amount, cost_fixed = excluded.cost_fixed,
  cost_percent = excluded.cost_percent`;

/** The value of the merchant column that means all merchants. */
const EVERY_MERCHANT = '';

export function createRouteStore(database: Database): RouteStore {
  return {
    async read() {
      const routes = await database.query<RouteRow>(READ_ROUTES);
      const hours = await database.query<{ rail: string; hours: string }>('select rail, hours from rail_hours');
      return { routes: routes.map(routeFromRow), hours: hours.map(({ rail, hours: text }) => hoursOf(rail, text)) };
    },
    async set(route) {
      await database.query(SET_ROUTE, [
        ...[route.method, route.merchantId ?? EVERY_MERCHANT, route.rail, route.place, route.weight],
        ...[route.minAmount, route.maxAmount, route.costFixed, route.costPercent],
      ]);
    },
    async remove(method, merchantId, rail) {
      const removed = await database.query(
        'delete from routes where method = $1 and merchant_id = $2 and rail = $3 returning 1',
        [method, merchantId ?? EVERY_MERCHANT, rail],
      );
      return removed.length > 0;
    },
    setHours: (rail, hours, at) =>
      database.transaction(async (transaction) => {
        await transaction.query('delete from rail_hours where rail = $1', [rail]);
        if (hours) await transaction.query('insert into rail_hours (rail, hours) values ($1, $2)', [rail, hours.text]);
        await wakeWaiting(transaction, 'rail', rail, at);
      }),
  };
}

function routeFromRow(row: RouteRow): Route {
  const merchantId: MerchantId | null = row.merchant_id === EVERY_MERCHANT ? null : row.merchant_id;
  const { method, rail, place, weight } = row;
  const { min_amount: minAmount, max_amount: maxAmount, cost_fixed: costFixed, cost_percent: costPercent } = row;
  return { method, merchantId, rail, place, weight, minAmount, maxAmount, costFixed, costPercent };
}

function hoursOf(rail: string, text: string) {
  const hours = readOpeningHours(text);
  invariant(hours, `the opening hours of ${rail} can't be read`);
  return { rail, hours };
}
