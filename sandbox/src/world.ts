/**
 * One world: a complete gateway for one merchant in test mode, with its own database, simulated banks, clock and randomness.
 * It does not share anything with other gateways, so that its time can move independently.
 */
import { mkdir, rm } from 'node:fs/promises';
import { findFreePort } from '../../demo/src/free-port.ts';
import { systemClock } from '../../gateway/src/foundation/clock.ts';
import type { Currency } from '../../gateway/src/foundation/currency.ts';
import { createSeededRandom, systemRandom } from '../../gateway/src/foundation/random.ts';
import type { Secret } from '../../gateway/src/foundation/secret.ts';
import { type Gateway, openGateway } from '../../gateway/src/main/compose/compose.ts';
import { type Config, readConfig } from '../../gateway/src/main/config/config.ts';
import { OUTSIDE, type Outside } from '../../gateway/src/main/outside.ts';
import {
  newSandboxKey,
  type WatchedDatabase,
  type WorldServer,
  watchDatabase,
} from '../../gateway/src/main/sandbox/sandbox-parts.ts';
import type { Activity } from './activity.ts';
import { advanceTo } from './advance.ts';
import { planBanks, type WorldBanks } from './world-banks.ts';
import { createWorldClock, type WorldClock } from './world-clock.ts';
import { forgetWorldFile, readWorldFile, writeWorldFile } from './world-file.ts';

export interface WorldOptions {
  readonly merchantId: string;
  /** Holds the world's books, keys and certificates. */
  readonly folder: string;
  readonly publicUrl: string;
  /** With a seed, the clock stands still at a fixed time, and all random values follow from it. If null, each world is new. */
  readonly seed: string | null;
  /** If false, callbacks go only to public addresses, over https. The machine's own ports include those of other worlds. */
  readonly callsBackHere: boolean;
  readonly server: WorldServer;
  readonly activity: Activity;
  readonly log: (line: string) => void;
}

export interface World {
  readonly gateway: Gateway;
  readonly banks: WorldBanks;
  readonly clock: WorldClock;
  readonly seed: string | null;
  /** The address of the world's gateway from this machine. */
  readonly url: string;
  /** Where it reaches the world's reference. */
  readonly referenceUrl: string;
  /** Present for a new world only, because the keys cannot be read later. */
  readonly newKeys: { readonly key: Secret; readonly formKey: Secret } | null;
  /** Resolves with the number of jumps, once the world is idle at the later time. */
  advance(ms: number): Promise<number>;
  close(): Promise<void>;
}

export interface WorldKeys {
  readonly key: Secret;
  readonly formKey: Secret;
}

type NewMerchant = Parameters<Gateway['operations']['merchants']['create']>[0];

/** The parts that a reset keeps. */
interface WorldMerchant extends WorldKeys {
  readonly profile: NewMerchant['profile'];
  readonly settings: NewMerchant['settings'];
}

/** The first instant of a world with a seed: a Monday morning. */
const FIRST_INSTANT = Date.UTC(2030, 0, 7, 9);

/** `before`: the merchant of the world before a reset. */
export async function openWorld(options: WorldOptions, before?: WorldMerchant): Promise<World> {
  const { folder, merchantId, server, activity, callsBackHere } = options;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const kept = await readWorldFile(folder);
  const seed = kept ? kept.seed : options.seed;
  const stands = seed !== null;
  const starts = (kept?.starts ?? 0) + 1;
  const clock = createWorldClock({
    machine: systemClock,
    stands,
    offsetMs: kept?.offsetMs ?? (stands ? FIRST_INSTANT : 0),
  });
  const keep = () => writeWorldFile(folder, { seed, offsetMs: clock.offsetMs(), starts });
  const port = await findFreePort();
  const url = `http://127.0.0.1:${port}`;
  const planned = await planBanks(folder);
  const config = configOf({
    ...planned.variables,
    GATEWAY_MODE: 'sandbox',
    GATEWAY_DATA_DIR: folder,
    DATABASE_URL: await server.open(merchantId),
    PORT: String(port),
    METRICS_PORT: '0',
    MANAGE_PORT: '0',
    PUBLIC_URL: options.publicUrl,
    DATABASE_POOL_SIZE: '6',
    TRUSTED_PROXIES: '127.0.0.1',
    LOG_LEVEL: 'warn',
  });
  const queries: { current?: WatchedDatabase } = {};
  const gateway = await openGateway(config, {
    watchDatabase(database) {
      queries.current = watchDatabase(database);
      return queries.current.database;
    },
    clock,
    clockIsSteered: true,
    random: seed === null ? systemRandom : createSeededRandom(`${seed} ${starts}`),
    logTo: { write: options.log },
    pace: { goodbyeMs: 0 },
    outside: callsBackHere ? OUTSIDE : PUBLIC_OUTSIDE,
  });
  const banks = await planned.start({ config, gatewayUrl: url, clock, log: options.log });
  const { operations, core } = gateway;
  const newKeys = kept ? null : await createMerchant(operations, merchantId, before ?? newMerchant());
  const serving = await gateway.serve('all');
  await banks.prepare();
  await keep();
  return {
    gateway,
    banks,
    clock,
    seed,
    url,
    newKeys,
    referenceUrl: serving.manageUrl ?? url,
    async advance(ms) {
      const jumps = await advanceTo(
        { core, clock, activity, queries: { inFlight: () => queries.current?.inFlight() ?? 0 } },
        clock.now() + ms,
      );
      await keep();
      return jumps;
    },
    async close() {
      await keep();
      clock.run();
      await serving.stop();
      await gateway.close();
      await banks.close();
    },
  };
}

const PUBLIC_OUTSIDE: Outside = {
  ...OUTSIDE,
  createCallbackTransport: ({ policy, ...parts }) =>
    OUTSIDE.createCallbackTransport({ ...parts, policy: { ...policy, development: false } }),
};

/** Deletes the data of a closed world. Its next start begins again from the same seed. */
export async function forgetWorld({ folder, merchantId, server }: WorldOptions): Promise<void> {
  await server.drop(merchantId);
  await forgetWorldFile(folder);
  await rm(folder, { recursive: true, force: true });
}

function configOf(variables: Readonly<Record<string, string | undefined>>): Config {
  const config = readConfig(variables);
  if (!config.ok) throw new Error(`The world's configuration is invalid: ${config.error.join('; ')}`);
  return config.value;
}

const FUNDED: readonly Currency[] = ['AZN', 'CAD', 'EUR', 'INR', 'KZT', 'MXN', 'UAH', 'USD'];
const GIFT = 100_000_000n;

function newMerchant(): WorldMerchant {
  return { profile: {}, settings: {}, key: newSandboxKey(systemRandom), formKey: newSandboxKey(systemRandom) };
}

async function createMerchant(
  operations: Gateway['operations'],
  merchantId: string,
  { key, formKey, profile, settings }: WorldMerchant,
): Promise<WorldKeys> {
  const created = await operations.merchants.create({ merchantId, profile, settings, key, formKey });
  if (!created.ok) throw new Error(`The merchant of the world was rejected: ${JSON.stringify(created.error)}`);
  for (const currency of FUNDED) {
    const money = { currency, minor: GIFT };
    const moved = await operations.funds.move(
      'credit',
      merchantId,
      money,
      `sandbox-${currency}`,
      'funds of the sandbox',
    );
    if (!moved.ok) throw new Error(`The world was not funded: ${moved.error.kind}`);
  }
  return { key, formKey };
}
