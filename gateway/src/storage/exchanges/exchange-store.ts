/** Implements ExchangeStore over PostgreSQL. */
import type { ExchangeStore, ProviderExchange } from '../../domain/exchanges/exchange-store.ts';
import { writeGroups } from '../cluster/across-servers.ts';
import type { Database } from '../core/database.ts';
import { timestamp } from '../core/parameters.ts';

const APPEND = `
insert into provider_exchanges
  (rail, reference, exchange_id, call, answer, at, duration_ms, method, path, request, status, reply, failure)
select * from unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::integer[], $8::text[],
  $9::text[], $10::bytea[], $11::smallint[], $12::bytea[], $13::text[])`;

const LIST = `
select rail, reference, exchange_id as "exchangeId", call, answer, at, duration_ms as "durationMs", method, path, request, status,
  reply, failure
from provider_exchanges where rail = $1 and reference = $2 order by at, exchange_id limit 100`;

const FORGET = `
delete from provider_exchanges where at < $1 and (rail, reference, exchange_id) in (
  select rail, reference, exchange_id from provider_exchanges where at < $1 order by at limit $2)
returning 1`;

export function createExchangeStore(database: Database): ExchangeStore {
  return {
    append: (exchanges) =>
      writeGroups(
        exchanges,
        ({ reference }) => reference,
        (some) => {
          const rows = some.map(rowOf);
          const columns = (rows[0] ?? []).map((_, column) => rows.map((row) => row[column]));
          return database.query(APPEND, columns);
        },
      ),
    list: (rail, reference) => database.query(LIST, [rail, reference]),
    async forget(before, limit) {
      return (await database.query(FORGET, [timestamp(before), limit])).length;
    },
  };
}

function rowOf(each: ProviderExchange): unknown[] {
  return [
    each.rail,
    each.reference,
    each.exchangeId,
    each.call,
    each.answer,
    timestamp(each.at),
    Math.round(each.durationMs),
    each.method,
    each.path,
    each.request,
    each.status,
    each.reply,
    each.failure,
  ];
}
