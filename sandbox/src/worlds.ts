/** All worlds of one sandbox, and their listener. Orders for one world run one after the other. */
import { join } from 'node:path';
import { isLoopbackAddress } from '../../gateway/src/foundation/networks.ts';
import type { WorldServer } from '../../gateway/src/main/sandbox/sandbox-parts.ts';
import { watchActivity } from './activity.ts';
import type { OrderedWorld } from './orders.ts';
import { serveWorlds } from './serve-worlds.ts';
import { forgetWorld, openWorld, type World, type WorldKeys, type WorldOptions } from './world.ts';

export interface SandboxOptions {
  readonly dataDir: string;
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash. If null, it is the listener's own address. */
  readonly publicUrl: string | null;
  /** Receives a line for each slow step and each problem. */
  readonly log: (line: string) => void;
}

export interface Sandbox {
  readonly url: string;
  /** Opens the world of a merchant, as it was left. Returns the keys of a new world. */
  open(merchantId: string, seed: string | null): Promise<WorldKeys | null>;
  world(merchantId: string): World | undefined;
  close(): Promise<void>;
}

interface OpenWorld extends OrderedWorld {
  current: World;
}

/** Closes `server` when it closes. */
export async function openSandbox(
  { dataDir, host, port, publicUrl, log }: SandboxOptions,
  server: WorldServer,
): Promise<Sandbox> {
  const activity = watchActivity();
  const worlds = new Map<string, OpenWorld>();
  const listener = await serveWorlds({ host, port, find: (merchantId) => worlds.get(merchantId) });
  const url = publicUrl ?? `http://${host}:${listener.port}`;
  return {
    url,
    async open(merchantId, seed) {
      const folder = join(dataDir, 'worlds', encodeURIComponent(merchantId));
      const around = { callsBackHere: isForThisMachine(host, publicUrl), server, activity, log };
      const options = { merchantId, folder, publicUrl: `${url}/${merchantId}`, seed, ...around };
      const current = await openWorld(options);
      const open: OpenWorld = {
        merchantId,
        current,
        world: () => open.current,
        inTurn: createTurns(),
        reset: async () => {
          open.current = await reopen(open.current, options);
        },
      };
      worlds.set(merchantId, open);
      return current.newKeys;
    },
    world: (merchantId) => worlds.get(merchantId)?.current,
    async close() {
      await listener.close();
      for (const { current } of worlds.values()) await current.close();
      activity.close();
      await server.close();
    },
  };
}

/** Returns false for a sandbox that others reach, even through a proxy. */
export function isForThisMachine(host: string, publicUrl: string | null): boolean {
  const hosts = [host, ...(publicUrl === null ? [] : [new URL(publicUrl).hostname.replace(/^\[(.*)\]$/, '$1')])];
  return hosts.every((each) => each === 'localhost' || isLoopbackAddress(each));
}

const MOST_WAITING = 8;

/** An order that overlaps a reset would find a closed world, and two resets would delete each other's data. */
function createTurns(): OrderedWorld['inTurn'] {
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  return (work) => {
    if (waiting >= MOST_WAITING) throw new Error('Too many orders wait: send one after the other');
    waiting += 1;
    const done = last.then(work).finally(() => {
      waiting -= 1;
    });
    last = done.catch(() => {});
    return done;
  };
}

/** The same merchant, keys, addresses and seed, and nothing that happened. */
async function reopen(world: World, options: WorldOptions): Promise<World> {
  const { directory } = world.gateway.core;
  const found = await directory.find(options.merchantId);
  const [key, formKey] = [found?.keys.api[0]?.secret, found?.keys.form[0]?.secret];
  if (!found || !key || !formKey) throw new Error('The world lost its merchant');
  const { name, siteUrl, processUrl, successUrl, failUrl, payoutCallbackUrl, eventUrl } = found.merchant;
  await world.close();
  await forgetWorld(options);
  const profile = { name, siteUrl, processUrl, successUrl, failUrl, payoutCallbackUrl, eventUrl };
  const { raw: settings } = found.merchant.settings;
  return openWorld({ ...options, seed: world.seed }, { key, formKey, profile, settings });
}
