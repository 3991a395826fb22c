/**
 * The setup for tests that kill a gateway while payers pay on the form: a database, the providers' simulators, and gateways in
 * separate processes. Every relevant connection runs through a relay that can hold it.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { EnvironmentVariables } from '../../../src/main/config/config.ts';
import { createFormVisit, type PaymentVisit } from '../form-providers/form-visit.ts';
import { startProviders, variablesOf } from '../form-providers/provider-stage.ts';
import { PROVIDERS, RAIL_NAMES, type RailName } from '../form-providers/providers.ts';
import { addMerchant, freePort, verifyBooks } from '../gateway/running-gateway.ts';
import { openOffice } from '../payouts/stress-scene.ts';
import { createTestDatabase } from '../postgres/postgres.ts';
import { startCallbackReceiver } from '../servers/callback-receiver.ts';
import { type HeldRelay, startHeldRelay } from '../servers/held-relay.ts';
import { createFormPayer } from './form-payer.ts';

/** Providers whose calls can be held. Calls to Pix are encrypted. */
export type HeldRail = Exclude<RailName, 'pix'>;

/** The connections from a payer to the page, from a provider to the gateway, and from the gateway to its database. */
type FormRoute = 'page' | 'notification' | 'database';

export interface FormKillScene {
  /** The environment of each gateway process. */
  readonly variables: EnvironmentVariables;
  readonly routes: Readonly<Record<FormRoute, HeldRelay>>;
  /** The connections from the gateway to each provider. */
  readonly calls: Readonly<Record<HeldRail, HeldRelay>>;
  /** Opens the form for a payer of a new merchant with a balance of 5.00. A gateway must be running. */
  visit(rail: RailName): Promise<PaymentVisit>;
  /** Rejects if the books do not balance. */
  verify(): Promise<void>;
  close(): Promise<void>;
}

/** The variable with each provider's URL. */
const ADDRESSES: Readonly<Record<HeldRail, string>> = {
  adyen: 'ADYEN_URL',
  'token-io': 'TOKEN_IO_URL',
  trustly: 'TRUSTLY_URL',
  vopay: 'VOPAY_URL',
};
const HELD_RAILS = Object.keys(ADDRESSES) as readonly HeldRail[];

export async function openFormKillScene(): Promise<FormKillScene> {
  const folder = await mkdtemp(join(tmpdir(), 'gateway-form-kills-'));
  const port = await freePort();
  const database = await createTestDatabase();
  const receiver = await startCallbackReceiver();
  const gateway = () => ({ host: '127.0.0.1', port });
  const { host, port: socket, user, database: name } = database.config;
  const routes = {
    page: await startHeldRelay(gateway),
    notification: await startHeldRelay(gateway),
    database: await startHeldRelay(() => ({ path: `${host}/.s.PGSQL.${socket}` })),
  };
  const at = (relay: HeldRelay) => `http://127.0.0.1:${relay.port}`;
  const providers = await startProviders(at(routes.notification), folder);
  const { calls, addresses } = await holdCalls(variablesOf(providers));
  const variables = {
    ...variablesOf(providers),
    ...addresses,
    DATABASE_URL: `postgresql://${user}@127.0.0.1:${routes.database.port}/${name}`,
    PORT: String(port),
    PUBLIC_URL: at(routes.notification),
  };
  const office = await openOffice({ ...variables, DATABASE_URL: database.connectionString });
  let visits = 0;
  return {
    variables,
    routes,
    calls,
    async visit(rail) {
      const row = PROVIDERS[rail];
      const order = `K${++visits}`;
      const settings = { [`fee_fixed.${row.paymentType}.${row.currency}`]: '0.50' };
      const funds = { [row.currency]: '5.00' };
      const merchant = await addMerchant(office.operations, receiver, () => at(routes.page), `MK${visits}`, {
        settings,
        funds,
      });
      const records = { operations: office.operations, database, receiver };
      const payer = createFormPayer(at(routes.page), {});
      const parts = { gateway: records, provider: providers[rail], row, rail, merchant, payer, order };
      return createFormVisit({ ...parts, calls: [], expire: () => {} });
    },
    verify: () => verifyBooks(office.operations),
    async close() {
      await office.close();
      await Promise.all(RAIL_NAMES.map((rail) => providers[rail].close()));
      await receiver.close();
      for (const relay of [...Object.values(routes), ...Object.values(calls)]) await relay.close();
      await database.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Starts a relay in front of each provider. Returns the relays and the variables that make a gateway use them. */
async function holdCalls(variables: EnvironmentVariables) {
  const held = HELD_RAILS.map(async (rail) => {
    const name = ADDRESSES[rail];
    const url = new URL(variables[name] ?? '');
    const provider = { host: url.hostname, port: Number(url.port) };
    const relay = await startHeldRelay(() => provider);
    url.port = String(relay.port);
    return { rail, name, relay, address: url.href.replace(/\/$/, '') };
  });
  const all = await Promise.all(held);
  return {
    calls: Object.fromEntries(all.map(({ rail, relay }) => [rail, relay])) as Record<HeldRail, HeldRelay>,
    addresses: Object.fromEntries(all.map(({ name, address }) => [name, address])),
  };
}
