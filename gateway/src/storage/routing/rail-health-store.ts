/** Implements RailHealthStore over PostgreSQL. */
import {
  HEALTH_KEPT_FOR_MS,
  type RailFloat,
  type RailHealth,
  type RailHealthStore,
} from '../../domain/routing/rail-health.ts';
import type { Currency } from '../../foundation/currency.ts';
import { type Database, timestamp, timestampOrNull } from '../core/database.ts';

const TELL = `
with kept as materialized (
  select $5::timestamptz is null or exists (select from rail_health where process = $1 and told_at >= $5) as is_kept),
told as (
  insert into rail_health (rail, process, breaker, under_way, told_at)
  select rail, $1, breaker, under_way, $2 from json_to_recordset($3) as r(rail text, breaker text, under_way integer)
  where (select is_kept from kept)
  on conflict (rail, process) do update set breaker = excluded.breaker, under_way = excluded.under_way, told_at = excluded.told_at),
old as (delete from rail_health where told_at < $4 and process <> $1)
select is_kept as "isKept" from kept`;

const RECORD_FLOATS = `
insert into rail_floats (rail, currency, amount, read_at)
select $1, currency, amount, $2 from json_to_recordset($3) as r(currency text, amount bigint)
on conflict (rail, currency) do update set amount = excluded.amount, read_at = excluded.read_at`;

const SET_LOW_MARK = `
insert into rail_floats (rail, currency, low_mark) values ($1, $2, $3)
on conflict (rail, currency) do update set low_mark = excluded.low_mark`;

export function createRailHealthStore(database: Database): RailHealthStore {
  return {
    async tell(process, health, at, toldAt) {
      const rows = health.map(({ rail, breaker, inFlight }) => ({ rail, breaker, under_way: inFlight }));
      const times = { at: timestamp(at), old: timestamp(at - HEALTH_KEPT_FOR_MS), told: timestampOrNull(toldAt) };
      const values = [process, times.at, JSON.stringify(rows), times.old, times.told];
      const [told] = await database.query<{ isKept: boolean }>(TELL, values);
      return told?.isKept === true;
    },
    health: (since) =>
      database.query<RailHealth>(
        'select rail, breaker, under_way as "inFlight" from rail_health where told_at >= $1 order by rail, process',
        [timestamp(since)],
      ),
    async recordFloats(rail, amounts, at) {
      const rows = amounts.map(({ currency, minor }) => ({ currency, amount: minor.toString() }));
      await database.query(RECORD_FLOATS, [rail, timestamp(at), JSON.stringify(rows)]);
    },
    async floats() {
      const rows = await database.query<{
        rail: string;
        currency: Currency;
        amount: bigint | null;
        read_at: number | null;
        low_mark: bigint | null;
      }>('select rail, currency, amount, read_at, low_mark from rail_floats order by rail, currency');
      return rows.map(({ read_at: readAt, low_mark: lowMark, ...rest }): RailFloat => ({ ...rest, readAt, lowMark }));
    },
    async setLowMark(rail, currency, lowMark) {
      await database.query(SET_LOW_MARK, [rail, currency, lowMark]);
    },
  };
}
