/**
 * A complete gateway for black-box tests: the real one, in this process, on its own database, with a bank and a server
 * that receives callbacks. Tests use only HTTP and the operator's commands.
 */
import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { MerchantProfile } from '../../../src/domain/merchants/merchant.ts';
import { systemClock } from '../../../src/foundation/clock.ts';
import type { Currency } from '../../../src/foundation/currency.ts';
import { parseAmount } from '../../../src/foundation/money.ts';
import { systemRandom } from '../../../src/foundation/random.ts';
import { Secret } from '../../../src/foundation/secret.ts';
import { type Gateway, type GatewayOptions, openGateway } from '../../../src/main/compose/compose.ts';
import { type EnvironmentVariables, readConfig } from '../../../src/main/config/config.ts';
import { createTestMerchant, type TestMerchant } from '../merchants/test-merchant.ts';
import { createTestDatabase, type TestDatabase } from '../postgres/postgres.ts';
import { assertExecutedOnce, type BankUnderControl, NO_BANK, startBank } from '../rails/bank-under-control.ts';
import { type CallbackReceiver, startCallbackReceiver } from '../servers/callback-receiver.ts';
import { sleepLongBetweenRounds } from './long-pauses.ts';

export const MASTER_KEY = 'ab'.repeat(32);

export interface MerchantOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly key?: string;
  readonly formKey?: string;
  /** The initial credit: `{ EUR: '100.00' }`. By default the merchant has plenty in every currency. */
  readonly funds?: Partial<Record<Currency, string>>;
  readonly eventUrl?: string;
  /** Changes to the profile, in addition to the addresses of its callbacks. */
  readonly profile?: Partial<MerchantProfile>;
}

export interface RunningGateway {
  readonly url: string;
  readonly opsUrl: string;
  readonly manageUrl: string;
  readonly operations: Gateway['operations'];
  readonly database: TestDatabase;
  readonly bank: BankUnderControl;
  readonly receiver: CallbackReceiver;
  /** Every line of the log so far, at level debug. */
  readonly log: readonly string[];
  /** Generates a name by default, so that tests share a gateway and never a merchant. */
  merchant(options?: MerchantOptions, id?: string): Promise<TestMerchant>;
  /** Throws the first broken invariant, or the payouts that the bank executed twice or without an attempt. */
  verify(): Promise<void>;
  stop(): Promise<void>;
  /** For the end of a test file: stops whether or not the books balance. */
  verifyAndStop(): Promise<void>;
}

interface RunningGatewayOptions extends Pick<GatewayOptions, 'clock' | 'watch' | 'pace' | 'onProgress'> {
  readonly variables?: EnvironmentVariables;
  readonly bankDelays?: Parameters<typeof startBank>[1];
  /** True does not start a bank, so that a payout has only the rail under test. */
  readonly withoutBank?: boolean;
  /** A database that remains when the gateway stops. */
  readonly database?: TestDatabase;
}

/** As long as a test can wait for the bank. */
const PATIENCE = { timeoutMs: 10_000, notFoundProofMs: 5_000, askAfterMs: [1_000, 2_000, 5_000] } as const;

const PLENTY = '1000000.00';
const CURRENCIES: readonly Currency[] = ['AZN', 'CAD', 'EUR', 'INR', 'KZT', 'UAH', 'USD'];

export async function startGateway(options: RunningGatewayOptions = {}): Promise<RunningGateway> {
  const { variables, bankDelays, withoutBank = false, database: kept, ...gatewayOptions } = options;
  const database = kept ?? (await createTestDatabase());
  const receiver = await startCallbackReceiver();
  const port = await freePort();
  const bank = withoutBank ? NO_BANK : await startBank(database.pool, bankDelays);
  const log: string[] = [];
  const config = configOf({
    DATABASE_URL: database.connectionString,
    PORT: String(port),
    WAYFORPAY_URL: bank.url,
    ...variables,
  });
  const { pace = {}, clock = systemClock } = gatewayOptions;
  const patience = withoutBank ? {} : { rail: { ...PATIENCE, ...pace.rail } };
  const gateway = await openGateway(config, {
    ...gatewayOptions,
    clock: clock.sleep === systemClock.sleep ? { ...clock, sleep: sleepLongBetweenRounds } : clock,
    pace: { goodbyeMs: 0, ...pace, ...patience },
    logTo: { write: (line: string) => void log.push(line) },
  });
  const serving = await gateway.serve('all');
  const url = serving.url ?? '';
  let merchants = 0;
  const verify = async () => {
    await verifyBooks(gateway.operations);
    await assertExecutedOnce(bank);
  };
  const stop = async () => {
    await serving.stop();
    await gateway.close();
    await bank.close();
    await receiver.close();
    if (!kept) await database.close();
  };
  return {
    url,
    opsUrl: serving.opsUrl ?? '',
    manageUrl: serving.manageUrl ?? '',
    operations: gateway.operations,
    database,
    bank,
    receiver,
    log,
    merchant: (merchant = {}, id = `M${++merchants}`) =>
      addMerchant(gateway.operations, receiver, () => url, id, merchant),
    verify,
    stop,
    verifyAndStop: () => verify().finally(stop),
  };
}

/** The MANAGE_ORIGIN of every test’s gateway, whatever its port. */
export const ORIGIN = 'http://localhost:8081';

export function configOf(variables: EnvironmentVariables) {
  const config = readConfig({
    METRICS_PORT: '0',
    MANAGE_PORT: '0',
    MANAGE_ORIGIN: ORIGIN,
    GATEWAY_MASTER_KEY: MASTER_KEY,
    LOG_LEVEL: 'debug',
    ...variables,
  });
  if (!config.ok) throw new Error(config.error.join('; '));
  return config.value;
}

/** Creates and funds a merchant by the operator's commands. */
export async function addMerchant(
  operations: Gateway['operations'],
  receiver: CallbackReceiver,
  url: () => string,
  id: string,
  { settings = {}, key, formKey, funds, eventUrl, profile = {} }: MerchantOptions,
): Promise<TestMerchant> {
  const created = await operations.merchants.create({
    merchantId: id,
    profile: { processUrl: receiver.url(id), eventUrl: eventUrl ?? receiver.url(id, 'event'), ...profile },
    settings,
    key: key === undefined ? undefined : new Secret(key),
    formKey: formKey === undefined ? undefined : new Secret(formKey),
  });
  if (!created.ok) throw new Error(JSON.stringify(created.error));
  const credits = funds ?? Object.fromEntries(CURRENCIES.map((currency) => [currency, PLENTY]));
  for (const [currency, amount] of Object.entries(credits)) await credit(operations, id, currency as Currency, amount);
  return createTestMerchant(url, id, created.value.key.reveal(), created.value.formKey.reveal());
}

export async function credit(
  operations: Gateway['operations'],
  merchantId: string,
  currency: Currency,
  amount: string,
  reference = `start-${currency}`,
): Promise<void> {
  const money = parseAmount(amount, currency);
  assert(money, `${amount} is an amount`);
  const moved = await operations.funds.move('credit', merchantId, money, reference, 'for the test');
  assert(moved.ok, moved.ok ? undefined : moved.error.kind);
}

export async function verifyBooks(operations: Pick<Gateway['operations'], 'books'>): Promise<void> {
  const broken = (await operations.books.verify()).filter(({ holds }) => !holds);
  assert.deepEqual(broken, []);
}

/** Below the system's ephemeral ports, so that no other process receives one before its listener opens. */
const FREE_PORTS = { first: 20_000, count: 12_000 };

/** True for the first process of the run that claims the port: a gateway may open its listener much later. */
function isClaimed(port: number): Promise<boolean> {
  return writeFile(join(tmpdir(), `port-${port}`), '', { flag: 'wx' }).then(
    () => true,
    () => false,
  );
}

let portsTried = Math.floor(systemRandom.fraction() * FREE_PORTS.count);

/**
 * A port that was free a moment ago and was never returned before, so that several can be taken before their
 * listeners open.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    portsTried += 1;
    const port = FREE_PORTS.first + (portsTried % FREE_PORTS.count);
    const server = createServer();
    const isFree = await new Promise<boolean>((resolve) => {
      server.once('error', () => resolve(false));
      server.listen(port, '127.0.0.1', () => resolve(true));
    });
    if (!isFree) continue;
    await new Promise((resolve) => server.close(resolve));
    if (await isClaimed(port)) return port;
  }
}
