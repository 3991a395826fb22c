/** The merchants of a benchmark. All of them share one key and have money for payouts and a callback URL. */
import { Secret } from '../../src/foundation/secret.ts';
import type { Gateway } from '../../src/main/compose/compose.ts';

export const BENCH_KEY = new Secret('bench-key-0123456789-0123456789-0123456789');
/** The default number of merchants, large enough that no single balance is a bottleneck. */
export const MERCHANTS = 100;
const FUNDS = 10n ** 13n;
const MADE_AT_ONCE = 8;

const NAMES_BEGIN = 'bench-';

/** Distributes indexes to merchants in turn. */
export const merchantOf = (index: number, merchants: number) => `${NAMES_BEGIN}${index % merchants}`;

/** Returns the SQL expression for the same name, with the default number of merchants. `number` is an SQL expression. */
export const merchantSql = (number: string) => `('${NAMES_BEGIN}' || ${number} % ${MERCHANTS})`;

/** Creates those of the first `count` merchants that do not exist yet. */
export async function prepareMerchants(gateway: Gateway, processUrl: string, count: number): Promise<void> {
  const rows = await gateway.core.database.query<{ merchant_id: string }>(`select merchant_id from merchants`);
  const there = new Set(rows.map((row) => row.merchant_id));
  const missing = Array.from({ length: count }, (_, index) => merchantOf(index, count)).filter((id) => !there.has(id));
  const makeAll = async () => {
    for (let id = missing.pop(); id !== undefined; id = missing.pop()) await makeMerchant(gateway, processUrl, id);
  };
  await Promise.all(Array.from({ length: MADE_AT_ONCE }, makeAll));
}

export async function makeMerchant({ operations }: Gateway, processUrl: string, merchantId: string): Promise<void> {
  const made = await operations.merchants.create({ merchantId, profile: { processUrl }, settings: {}, key: BENCH_KEY });
  if (!made.ok) throw new Error(JSON.stringify(made.error));
  await operations.funds.move('credit', merchantId, { currency: 'UAH', minor: FUNDS }, 'bench', 'benchmark');
}
