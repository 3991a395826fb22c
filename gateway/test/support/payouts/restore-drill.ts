/**
 * The setup for restore drills: banks with their own books, a gateway in a separate process, and merchants that follow the
 * merchant documentation. The database is lost and restored to an earlier state, while the banks and merchants keep theirs.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Gateway } from '../../../src/main/compose/compose.ts';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { migrate } from '../../../src/storage/migrations/migrate.ts';
import { type GatewayProcess, startGatewayProcess } from '../gateway/gateway-process.ts';
import { addMerchant, freePort, MASTER_KEY } from '../gateway/running-gateway.ts';
import type { TestMerchant } from '../merchants/test-merchant.ts';
import { type RestorablePostgres, startRestorablePostgres } from '../postgres/restorable-postgres.ts';
import {
  PAYOUT_PROVIDERS,
  type PayoutProvider,
  type PayoutRailName,
  paidIn,
  startPayoutProvider,
} from '../rails/payout-providers.ts';
import { type StpUnderControl, startStpUnderControl } from '../rails/stp-under-control.ts';
import { type CallbackReceiver, startCallbackReceiver } from '../servers/callback-receiver.ts';
import { openOffice } from './stress-scene.ts';

export interface Drill {
  readonly postgres: RestorablePostgres;
  readonly receiver: CallbackReceiver;
  readonly stp: StpUnderControl;
  /**
   * `notified` receives callbacks, `asking` rejects all callbacks and uses only queries, and `cancelling` cancels its payout.
   */
  readonly merchants: Readonly<Record<'notified' | 'asking' | 'cancelling', TestMerchant>>;
  readonly methods: readonly number[];
  start(...options: readonly string[]): Promise<GatewayProcess>;
  /** Starts another process on a different port. */
  startBeside(...options: readonly string[]): Promise<GatewayProcess>;
  /** Runs the operator's commands on the current database. */
  inOffice<Value>(work: (operations: Gateway['operations']) => Promise<Value>): Promise<Value>;
  /** Records the owners of the references in the database, before the loss and at the end. */
  noteReferences(): Promise<void>;
  /** Returns our names of the payouts that a bank executed, once per execution. */
  paidBy(rail: PayoutRailName): Promise<readonly string[]>;
  /** Returns the number of executions of each payout, by `merchant/payout_id`. Fails on an unknown reference. */
  executions(): Promise<ReadonlyMap<string, number>>;
  close(): Promise<void>;
}

const FUNDS = Object.fromEntries(
  ['UAH', 'USD', 'INR', 'EUR', 'KZT', 'CAD', 'AZN'].map((currency) => [currency, '1000000.00']),
);

export async function openDrill(rails: readonly PayoutRailName[]): Promise<Drill> {
  const folder = await mkdtemp(join(tmpdir(), 'restore-drill-'));
  const postgres = await startRestorablePostgres();
  await migrate(postgres.connection);
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const receiver = await startCallbackReceiver();
  const stp = await startStpUnderControl(`${url}/rail-notifications/stp`);
  const providers = new Map<PayoutRailName, PayoutProvider>();
  for (const rail of rails)
    providers.set(rail, await startBank(rail, { notifications: `${url}/rail-notifications`, folder }));
  const variables: EnvironmentVariables = {
    DATABASE_URL: postgres.url,
    PORT: String(port),
    PUBLIC_URL: url,
    GATEWAY_MASTER_KEY: MASTER_KEY,
    ...stp.variables,
    ...Object.assign({}, ...[...providers.values()].map((provider) => provider.variables)),
  };
  const inOffice: Drill['inOffice'] = async (work) => {
    const office = await openOffice(variables);
    return work(office.operations).finally(() => office.close());
  };
  const [notified, asking, cancelling] = await inOffice((operations) =>
    Promise.all(
      ['NOTIFIED', 'ASKING', 'CANCELLING'].map((id) =>
        addMerchant(operations, receiver, () => url, id, { funds: FUNDS }),
      ),
    ),
  );
  assert(notified && asking && cancelling);
  receiver.answer(asking.id, (response) => response.writeHead(500).end());
  const owners = new Map<string, string>();
  return {
    postgres,
    receiver,
    stp,
    merchants: { notified, asking, cancelling },
    methods: rails.map((rail) => PAYOUT_PROVIDERS[rail].drill.method),
    start: (...options) => startGatewayProcess(variables, ...options),
    startBeside: (...options) => startGatewayProcess({ ...variables, PORT: '0' }, ...options),
    inOffice,
    async noteReferences() {
      for (const { rail, reference, key } of await postgres.query<ReferenceRow>(REFERENCES))
        owners.set(`${rail} ${PAYOUT_PROVIDERS[rail].named({ reference })}`, key);
    },
    paidBy: async (rail) => paidIn(rail, (await providers.get(rail)?.book()) ?? []),
    async executions() {
      const counts = new Map<string, number>();
      for (const [rail, provider] of providers) {
        for (const name of paidIn(rail, await provider.book())) {
          const key = owners.get(`${rail} ${name}`);
          assert(key, `${rail} executed ${name}, which no attempt asked for`);
          counts.set(key, (counts.get(key) ?? 0) + 1);
        }
      }
      return counts;
    },
    async close() {
      for (const provider of providers.values()) await provider.close();
      await stp.close();
      await receiver.close();
      await postgres.close();
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts a simulator that, if it supports it, executes a repeated reference twice. */
function startBank<Rail extends PayoutRailName>(
  rail: Rail,
  around: Parameters<typeof startPayoutProvider>[1],
): Promise<PayoutProvider> {
  const usual = rail === 'wayforpay' ? { dedupe: false } : {};
  return startPayoutProvider(rail, around, { delays: PAYOUT_PROVIDERS[rail].drill.delays, usual });
}

interface ReferenceRow {
  readonly rail: PayoutRailName;
  readonly reference: string;
  readonly key: string;
}

const REFERENCES = `
select distinct rail, reference, merchant_id || '/' || payout_id as key
from payout_attempts where rail not in ('stp', 'sandbox')`;

/** A payout as its merchant sees it. */
export interface DrilledPayout {
  readonly merchant: TestMerchant;
  readonly payoutId: string;
  readonly method: number;
  /** The final status that the merchant knows from a callback or a query. */
  final: string | undefined;
}

const PAUSE_MS = 100;
/** Rare enough that queries about all payouts at once do not overload the machine. */
const ASK_EVERY_MS = 500;
const ASKS_BEFORE_REPEATING = 10;

/** Queries or repeats, as the merchant pages advise, until there is a final status. It never uses a different id. */
export async function untilFinal(payout: DrilledPayout, repeatsAtOnce: boolean, isOver: () => boolean): Promise<void> {
  const { merchant, payoutId, method } = payout;
  let isToSend = repeatsAtOnce;
  let unanswered = 0;
  while (payout.final === undefined && !isOver()) {
    const reply = await (isToSend ? merchant.pay(method, payoutId) : merchant.status(payoutId)).catch(() => undefined);
    isToSend = false;
    if (reply?.['status'] === 'Success' || reply?.['status'] === 'Blocked') payout.final = reply['status'];
    else if (reply?.['description'] === 'Payout not found') isToSend = true;
    // "If the status stays at HTTP 500, send the payout again under the same id."
    else if (reply === undefined && ++unanswered % ASKS_BEFORE_REPEATING === 0) isToSend = true;
    else await sleep(ASK_EVERY_MS);
  }
}

/** Sends payouts until it is stopped, which may leave the last request without a response. */
export async function sendPayouts(
  { merchants, methods }: Drill,
  name: string,
  sent: DrilledPayout[],
  isOver: () => boolean,
): Promise<void> {
  for (let count = 0; !isOver(); count++) {
    const merchant = count % 2 === 0 ? merchants.asking : merchants.notified;
    const method = methods[(count + name.length) % methods.length] ?? 0;
    const payout: DrilledPayout = { merchant, payoutId: `${name}-${count}`, method, final: undefined };
    sent.push(payout);
    await merchant.pay(method, payout.payoutId).catch(() => undefined);
    await sleep(PAUSE_MS);
  }
}
