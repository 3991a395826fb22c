/** Implements RailHealthStore over PostgreSQL. */
import { HEALTH_KEPT_FOR_MS, type RailFloat, type RailHealth } from '../../domain/rails/rail-health.ts';
import type { HealthWitness, RailHealthStore } from '../../domain/rails/rail-health-store.ts';
import type { Currency } from '../../foundation/currency.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const REPORT = `
with kept as materialized (
  select not exists (
    select from json_to_recordset($5) as w(rail text, at timestamptz)
    where not exists (
      select from rail_health as h where h.rail = w.rail and h.process = $1 and h.reported_at >= w.at)) as is_kept),
reported as (
  insert into rail_health (rail, process, breaker, in_flight, reported_at)
  select rail, $1, breaker, in_flight, $2 from json_to_recordset($3) as r(rail text, breaker text, in_flight integer)
  where (select is_kept from kept)
  on conflict (rail, process) do update set breaker = excluded.breaker, in_flight = excluded.in_flight,
    reported_at = greatest(rail_health.reported_at, excluded.reported_at)),
old as (delete from rail_health where reported_at < $4 and process <> $1 and (select is_kept from kept))
select is_kept as "isKept" from kept`;

const MARK = `
insert into rail_health (rail, process, breaker, in_flight, reported_at) values ($1, $2, 'closed', 0, $3)
on conflict (rail, process) do update set reported_at = greatest(rail_health.reported_at, excluded.reported_at)`;

const RECORD_FLOATS = `
insert into rail_floats (rail, currency, amount, read_at)
select $1, currency, amount, $2 from json_to_recordset($3) as r(currency text, amount bigint)
on conflict (rail, currency) do update set amount = excluded.amount, read_at = excluded.read_at`;

const SET_THRESHOLD = `
insert into rail_floats (rail, currency, low_mark) values ($1, $2, $3)
on conflict (rail, currency) do update set low_mark = excluded.low_mark`;

export function createRailHealthStore(database: Database): RailHealthStore {
  return {
    async report(witness, health, at) {
      const rows = health.map(({ rail, breaker, inFlight }) => ({ rail, breaker, in_flight: inFlight }));
      const times = [timestamp(at), timestamp(at - HEALTH_KEPT_FOR_MS)] as const;
      const values = [witness.process, times[0], JSON.stringify(rows), times[1], witnessRows(witness)];
      const [reported] = await database.query<{ isKept: boolean }>(REPORT, values);
      return reported?.isKept === true;
    },
    async mark(process, rail, at) {
      await database.prepared('mark-rail-health', MARK, [rail, process, timestamp(at)]);
    },
    health: (since) =>
      database.query<RailHealth>(
        'select rail, breaker, in_flight as "inFlight" from rail_health where reported_at >= $1 order by rail, process',
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
      return rows.map(
        ({ read_at: readAt, low_mark: threshold, ...rest }): RailFloat => ({ ...rest, readAt, threshold }),
      );
    },
    async setFloatThreshold(rail, currency, threshold) {
      await database.query(SET_THRESHOLD, [rail, currency, threshold]);
    },
  };
}

/** Returns the reports of a witness, as the JSON parameter of a statement. */
export function witnessRows({ reported }: Pick<HealthWitness, 'reported'>): string {
  return JSON.stringify(reported.map(({ rail, at }) => ({ rail, at: timestamp(at) })));
}
