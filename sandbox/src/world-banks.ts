/** The simulated banks of one world, in this process, on ports of their own, with the world's clock. */
import { join, resolve } from 'node:path';
import { findFreePort } from '../../demo/src/free-port.ts';
import { providerPlan } from '../../demo/src/providers/provider.ts';
import { PROVIDERS } from '../../demo/src/providers/providers.ts';
import { STP_CONTROL_SECRET, STP_SIMULATOR, stpPlan } from '../../demo/src/providers/stp.ts';
import type { Simulator, SimulatorPlan } from '../../demo/src/simulator.ts';
import type { Config, EnvironmentVariables } from '../../gateway/src/main/config/config.ts';
import type { Running } from '../../rail-simulators/src/kernel/simulator-definition.ts';
import { readSettingsOf, startSimulator } from '../../rail-simulators/src/simulators.ts';
import type { WorldClock } from './world-clock.ts';

interface PlannedBanks {
  /** The variables by which the world's gateway finds its banks. */
  readonly variables: EnvironmentVariables;
  start(parts: BankParts): Promise<WorldBanks>;
}

interface BankParts {
  readonly config: Config;
  readonly gatewayUrl: string;
  readonly clock: WorldClock;
  readonly log: (line: string) => void;
}

export interface WorldBanks {
  readonly names: readonly string[];
  /** Runs once the gateway serves, because some preparations notify it. */
  prepare(): Promise<void>;
  /** Sends an order to the control surface of a bank. Resolves to undefined if no such bank exists. */
  order(
    name: string,
    path: string,
    body: unknown,
  ): Promise<{ readonly status: number; readonly body: unknown } | undefined>;
  close(): Promise<void>;
}

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

/** `folder` holds the books, keys and certificates. */
export async function planBanks(folder: string): Promise<PlannedBanks> {
  const stpUrl = `http://127.0.0.1:${await findFreePort()}`;
  const places = await Promise.all(
    PROVIDERS.map(async (provider) => {
      const { kind, otherPorts, controlSecret: secret } = provider;
      const others: Record<string, string> = {};
      for (const name of Object.keys(otherPorts)) others[name] = String(await findFreePort());
      return { provider, kind, secret, ports: others, url: `http://127.0.0.1:${await findFreePort()}` };
    }),
  );
  const portsOf = ({ kind, ports, url }: (typeof places)[number]) => ({
    ...ports,
    [kind.variables.port]: new URL(url).port,
  });
  return {
    variables: {
      STP_URL: stpUrl,
      STP_PRIVATE_KEY_FILE: join(folder, 'stp-private-key.pem'),
      ...Object.assign({}, ...places.map((place) => place.provider.variables(portsOf(place), folder))),
    },
    async start({ config, gatewayUrl, clock, log }) {
      const options = { gatewayUrl, dataDir: folder };
      const stp = config.rails.stp;
      const stpPlace = { kind: STP_SIMULATOR, url: stpUrl, secret: STP_CONTROL_SECRET };
      const account = { empresa: stp?.empresa ?? '', clabePrefix: stp?.clabePrefix ?? '' };
      const plans = [
        stpPlan({ ...stpPlace, ...account, publicKeyFile: join(folder, 'stp-public-key.pem') }, options),
        ...places.map((place) => providerPlan(place, config.rails, options)),
      ];
      const running = await startAll(plans, clock, log);
      return {
        names: plans.map(({ kind }) => kind.program),
        prepare: async () => {
          for (const place of places) await place.provider.prepare?.(simulatorAt(place), place, config.rails);
        },
        async order(name, path, body) {
          const plan = plans.find(({ kind }) => kind.program === name);
          if (!plan) return undefined;
          const answer = await simulatorAt(plan).ask(`/control/${path}`, body);
          return { status: answer.status, body: await answer.json().catch(() => null) };
        },
        close: async () => void (await Promise.all(running.map((each) => each.close()))),
      };
    },
  };
}

async function startAll(
  plans: readonly SimulatorPlan[],
  clock: WorldClock,
  log: (line: string) => void,
): Promise<readonly Running[]> {
  const running: Running[] = [];
  try {
    for (const { kind, url, secret, environment } of plans) {
      const own = { ...environment, [kind.variables.port]: new URL(url).port, [kind.variables.secret]: secret };
      const settings = readSettingsOf(kind.program, own, PROJECT_ROOT);
      running.push(await startSimulator(kind.program, { host: '127.0.0.1', clock, log }, settings));
    }
    return running;
  } catch (error) {
    await Promise.all(running.map((each) => each.close()));
    throw error;
  }
}

function simulatorAt({ url, secret }: { readonly url: string; readonly secret: string }): Simulator {
  return {
    isOurs: true,
    ask: (path, body) =>
      fetch(`${url}${path}`, {
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
      }),
  };
}
