/** Stores routes and opening hours in PostgreSQL. */

import { readOpeningHours } from '../../domain/routing/opening-hours.ts';
import type { IsCurrent, Route, RouteStore } from '../../domain/routing/route-store.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { invariant } from '../../foundation/invariant.ts';
import { lockKey } from '../core/advisory-locks.ts';
import type { Database, Queryable } from '../core/database.ts';
import { wakeWaiting } from './pause-store.ts';

interface RouteRow {
  method: number;
  merchant_id: string;
  rail: string;
  rank: number;
  weight: number | null;
  min_amount: bigint | null;
  max_amount: bigint | null;
  cost_fixed: bigint;
  cost_percent: bigint;
}

const READ_ROUTES = `select method, merchant_id, rail, rank, weight, min_amount, max_amount, cost_fixed, cost_percent
from routes order by method, merchant_id, rank, rail`;

const SET_ROUTE = `insert into routes (method, merchant_id, rail, rank, weight, min_amount, max_amount, cost_fixed, cost_percent)
values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
on conflict (method, merchant_id, rail) do update set rank = excluded.rank, weight = excluded.weight,
  min_amount = excluded.min_amount, max_amount = excluded.max_amount, cost_fixed = excluded.cost_fixed,
  cost_percent = excluded.cost_percent`;

/** The value of the merchant column that means all merchants. */
const EVERY_MERCHANT = '';

export function createRouteStore(database: Database): RouteStore {
  return {
    async read() {
      const routes = await readRoutes(database);
      const hours = await database.query<{ rail: string; hours: string }>('select rail, hours from rail_hours');
      return { routes, hours: hours.map(({ rail, hours: text }) => hoursOf(rail, text)) };
    },
    set: (route, isCurrent) =>
      database.transaction(async (transaction) => {
        if (!(await isStillCurrent(transaction, isCurrent))) return false;
        await transaction.query(SET_ROUTE, [
          route.method,
          route.merchantId ?? EVERY_MERCHANT,
          route.rail,
          route.rank,
          route.weight,
          route.minAmount,
          route.maxAmount,
          route.costFixed,
          route.costPercent,
        ]);
        return true;
      }),
    remove: (method, merchantId, rail, isCurrent) =>
      database.transaction(async (transaction) => {
        if (!(await isStillCurrent(transaction, isCurrent))) return 'stale';
        const removed = await transaction.query(
          'delete from routes where method = $1 and merchant_id = $2 and rail = $3 returning 1',
          [method, merchantId ?? EVERY_MERCHANT, rail],
        );
        return removed.length > 0 ? 'removed' : 'none';
      }),
    setHours: (rail, hours, at) =>
      database.transaction(async (transaction) => {
        await transaction.query('delete from rail_hours where rail = $1', [rail]);
        if (hours) await transaction.query('insert into rail_hours (rail, hours) values ($1, $2)', [rail, hours.text]);
        await wakeWaiting(transaction, 'new_hours', 'rail', rail, at);
      }),
  };
}

async function readRoutes(database: Queryable): Promise<Route[]> {
  return (await database.query<RouteRow>(READ_ROUTES)).map(routeFromRow);
}

/** Waits for the turn of this change, so that no other change comes between the comparison and the write. */
async function isStillCurrent(transaction: Queryable, isCurrent?: IsCurrent): Promise<boolean> {
  if (!isCurrent) return true;
  await transaction.query(`select pg_advisory_xact_lock(${lockKey('turn', "'routes'")})::text as held`, []);
  return isCurrent(await readRoutes(transaction));
}

function routeFromRow(row: RouteRow): Route {
  const merchantId: MerchantId | null = row.merchant_id === EVERY_MERCHANT ? null : row.merchant_id;
  const { method, rail, rank, weight } = row;
  const { min_amount: minAmount, max_amount: maxAmount, cost_fixed: costFixed, cost_percent: costPercent } = row;
  return { method, merchantId, rail, rank, weight, minAmount, maxAmount, costFixed, costPercent };
}

function hoursOf(rail: string, text: string) {
  const hours = readOpeningHours(text);
  invariant(hours, `stored opening hours of ${rail} cannot be parsed`);
  return { rail, hours };
}
