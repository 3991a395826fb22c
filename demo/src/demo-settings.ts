/**
 * The demo's settings: the gateway's configuration and the inbox's port. Reports all errors in one message. The demo is for
 * development and rejects production settings.
 */

import { join, relative, resolve } from 'node:path';
import { type Config, type EnvironmentVariables, readConfig } from '../../gateway/src/main/config/config.ts';
import { DemoFailure } from './demo-failure.ts';
import { findFreePort, isTaken } from './free-port.ts';
import type { ProviderPlace } from './providers/provider.ts';
import { PROVIDERS } from './providers/providers.ts';
import { STP_CONTROL_SECRET, STP_SIMULATOR, type StpClient } from './providers/stp.ts';
import { isOnThisMachine, occupantOf, portOf, type SimulatorKind, type SimulatorPlace } from './simulator.ts';

const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

export interface DemoSettings {
  readonly config: Config;
  readonly inboxPort: number;
  /** The only card with which the sandbox pays. */
  readonly sandboxCard: string;
  readonly stp: SimulatorPlace & StpClient;
  /** The providers of the hosted form and of payouts. */
  readonly providers: readonly ProviderPlace[];
  /** The path as shown to the user, relative to the project's root if it is inside. */
  readonly dataDirShown: string;
  /** If false, an empty database stays without the history that fills the pages. */
  readonly hasHistory: boolean;
}

export async function readDemoSettings(variables: EnvironmentVariables): Promise<DemoSettings> {
  if (variables['GATEWAY_ENV'] === 'production') {
    throw new DemoFailure('npm start is a demo for development. In production, run npx gateway serve.');
  }
  const providers = await providerPlaces(variables);
  const config = readConfig({
    ...variables,
    ...(await ownPorts(variables)),
    ...(await simulatorVariables(variables)),
    ...providerVariables(providers, variables),
  });
  const inboxPort = variables['INBOX_PORT'] || '8090';
  const isPort = /^\d{1,5}$/.test(inboxPort) && Number(inboxPort) <= 65_535;
  const faults = [
    ...(config.ok ? [] : config.error),
    ...(isPort ? [] : ['INBOX_PORT accepts a port, or 0 for any free one']),
  ];
  if (!config.ok || faults.length > 0) throw new DemoFailure(`The configuration is invalid: ${faults.join('; ')}`);
  const { rails, dataDir } = config.value;
  const { sandbox, stp } = rails;
  if (!sandbox || !stp) throw new DemoFailure('The demo needs the sandbox and STP');
  const inside = relative(PROJECT_ROOT, dataDir);
  return {
    config: config.value,
    inboxPort: Number(inboxPort),
    sandboxCard: sandbox.successCard,
    stp: {
      kind: STP_SIMULATOR,
      url: stp.url,
      secret: variables['STP_CONTROL_SECRET'] || STP_CONTROL_SECRET,
      empresa: stp.empresa,
      clabePrefix: stp.clabePrefix,
      publicKeyFile: join(dataDir, 'stp-public-key.pem'),
    },
    providers,
    hasHistory: variables['DEMO_HISTORY'] !== 'off',
    dataDirShown: inside === '' || inside.startsWith('..') ? dataDir : `./${inside}`,
  };
}

/**
 * The simulators need the gateway's address, and the links the address of the pages, before these listen. So "any free port"
 * becomes a fixed one here.
 */
async function ownPorts(variables: EnvironmentVariables): Promise<EnvironmentVariables> {
  const free = ['PORT', 'MANAGE_PORT'].filter((name) => variables[name] === '0');
  return Object.fromEntries(await Promise.all(free.map(async (name) => [name, String(await findFreePort())])));
}

/**
 * A port variable moves a simulator for `npm run simulators`; here it must also change the gateway's URL for it. STP accepts
 * orders at the URL of its queries. Its signing key is stored where its simulator finds the public half.
 */
async function simulatorVariables(variables: EnvironmentVariables): Promise<EnvironmentVariables> {
  const dataDir = variables['GATEWAY_DATA_DIR'] || './data';
  return {
    STP_URL: await simulatorUrl(variables, STP_SIMULATOR, '4020'),
    STP_ORDERS_URL: '',
    STP_PRIVATE_KEY_FILE: `${dataDir}/stp-private-key.pem`,
  };
}

async function simulatorUrl(
  variables: EnvironmentVariables,
  { variables: names }: SimulatorKind,
  usualPort: string,
): Promise<string> {
  return variables[names.url] || `http://127.0.0.1:${await choosePort(variables, names.port, usualPort)}`;
}

async function choosePort(variables: EnvironmentVariables, name: string, usualPort: string): Promise<string> {
  const port = variables[name] || usualPort;
  if (!/^\d{1,5}$/.test(port)) throw new DemoFailure(`${name} accepts a port, or 0 for any free one`);
  return port === '0' ? String(await findFreePort()) : port;
}

/** Always uses loopback addresses, so the demo never reaches a real provider. */
function providerPlaces(variables: EnvironmentVariables): Promise<readonly ProviderPlace[]> {
  return Promise.all(
    PROVIDERS.map(async (provider) => {
      const { kind, usualPort, otherPorts, controlSecret } = provider;
      const port = await choosePort(variables, kind.variables.port, usualPort);
      const others = Object.entries(otherPorts).map(
        async ([name, usual]) => [name, await choosePort(variables, name, usual)] as const,
      );
      const secret = variables[kind.variables.secret] || controlSecret;
      return {
        provider,
        kind,
        url: `http://127.0.0.1:${port}`,
        secret,
        ports: Object.fromEntries(await Promise.all(others)),
      };
    }),
  );
}

function providerVariables(providers: readonly ProviderPlace[], variables: EnvironmentVariables): EnvironmentVariables {
  const folder = variables['GATEWAY_DATA_DIR'] || './data';
  const all = providers.map(({ provider, kind, url, ports }) =>
    provider.variables({ ...ports, [kind.variables.port]: String(portOf(url)) }, folder),
  );
  return Object.assign({}, ...all);
}

/** Throws one sentence that names every port in use, before anything starts. */
export async function checkPorts({ config, inboxPort, stp, providers }: DemoSettings): Promise<void> {
  const needed = [
    { name: 'PORT', host: config.host, port: config.port },
    { name: 'METRICS_PORT', host: config.metricsHost, port: config.metricsPort },
    { name: 'MANAGE_PORT', host: config.manageHost, port: config.managePort },
    { name: 'INBOX_PORT', host: '127.0.0.1', port: inboxPort },
  ];
  const places: readonly (SimulatorPlace & Partial<Pick<ProviderPlace, 'ports'>>)[] = [stp, ...providers];
  for (const place of places) {
    const { kind, url, ports = {} } = place;
    const occupant = isOnThisMachine(url) ? await occupantOf(place) : 'ours';
    const own: [string, string][] = occupant === 'stranger' ? [[kind.variables.port, String(portOf(url))]] : [];
    const others = occupant === 'ours' ? [] : Object.entries(ports);
    for (const [name, port] of [...own, ...others]) needed.push({ name, host: '127.0.0.1', port: Number(port) });
  }
  const taken: typeof needed = [];
  for (const place of needed) if (place.port !== 0 && (await isTaken(place))) taken.push(place);
  if (taken.length === 0) return;
  const named = taken.map(({ name, port }) => `${port} (${name})`).join(', ');
  const instead = taken.map(({ name, port }) => `${name}=${port < 65_535 ? port + 1 : port - 1}`).join(' ');
  const [subject, object] = taken.length === 1 ? ['Port', 'another port'] : ['Ports', 'other ports'];
  throw new DemoFailure(
    `${subject} ${named} in use: stop the program that listens there, perhaps another demo, or choose ${object}, as in ${instead} npm start`,
  );
}
