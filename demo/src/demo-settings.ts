/**
 * The demo's settings: the gateway's own configuration, and the inbox's port. All faults in one message. The demo is for
 * development, and refuses anything else.
 */

import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { relative } from 'node:path';
import { type Config, type EnvironmentVariables, PROJECT_ROOT, readConfig } from '../../gateway/src/main/config.ts';
import { isOnThisMachine, occupantOf } from './bank-side.ts';
import { DemoFailure } from './demo-failure.ts';

export interface DemoSettings {
  readonly config: Config;
  readonly inboxPort: number;
  /** The one card on which the sandbox pays. */
  readonly sandboxCard: string;
  readonly bank: { readonly url: string; readonly secret: string };
  /** As a person would write it: from the project's root where it lies inside. */
  readonly dataDirShown: string;
}

export async function readDemoSettings(variables: EnvironmentVariables): Promise<DemoSettings> {
  if (variables['GATEWAY_ENV'] === 'production') {
    throw new DemoFailure('npm start is a demo for development: in production run npx gateway serve');
  }
  const config = readConfig(await withBankPort(variables));
  const inboxPort = variables['INBOX_PORT'] || '8090';
  const isPort = /^\d{1,5}$/.test(inboxPort) && Number(inboxPort) <= 65_535;
  const faults = [
    ...(config.ok ? [] : config.error),
    ...(isPort ? [] : ['INBOX_PORT accepts a port, or 0 for any free one']),
  ];
  if (!config.ok || faults.length > 0) throw new DemoFailure(`The configuration is at fault: ${faults.join('; ')}`);
  const {
    rails: { sandbox, standInBank },
    dataDir,
  } = config.value;
  if (!sandbox || !standInBank) throw new DemoFailure('The demo needs the sandbox and the stand-in bank');
  const inside = relative(PROJECT_ROOT, dataDir);
  return {
    config: config.value,
    inboxPort: Number(inboxPort),
    sandboxCard: sandbox.successCard,
    bank: { url: standInBank.url, secret: standInBank.secret.reveal() },
    dataDirShown: inside === '' || inside.startsWith('..') ? dataDir : `./${inside}`,
  };
}

/** STAND_IN_BANK_PORT moves the bank for `npm run simulators`; here it must move where the gateway looks for it as well. */
async function withBankPort(variables: EnvironmentVariables): Promise<EnvironmentVariables> {
  const { STAND_IN_BANK_PORT: port, STAND_IN_BANK_URL: url } = variables;
  if (!port || url) return variables;
  if (!/^\d{1,5}$/.test(port)) throw new DemoFailure('STAND_IN_BANK_PORT accepts a port, or 0 for any free one');
  const chosen = port === '0' ? await findFreePort() : port;
  return { ...variables, STAND_IN_BANK_URL: `http://127.0.0.1:${chosen}` };
}

async function findFreePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** Throws one sentence that names every port in use, before anything is started. */
export async function checkPorts({ config, inboxPort, bank }: DemoSettings): Promise<void> {
  const bankUrl = new URL(bank.url);
  const needed = [
    { name: 'PORT', host: config.host, port: config.port },
    { name: 'METRICS_PORT', host: config.metricsHost, port: config.metricsPort },
    { name: 'INBOX_PORT', host: '127.0.0.1', port: inboxPort },
  ];
  if (isOnThisMachine(bank.url) && (await occupantOf(bank)) === 'stranger') {
    needed.push({ name: 'STAND_IN_BANK_PORT', host: '127.0.0.1', port: Number(bankUrl.port || 80) });
  }
  const taken: typeof needed = [];
  for (const place of needed) if (place.port !== 0 && (await isTaken(place))) taken.push(place);
  if (taken.length === 0) return;
  const named = taken.map(({ name, port }) => `${port} (${name})`).join(', ');
  const instead = taken.map(({ name, port }) => `${name}=${port < 65_535 ? port + 1 : port - 1}`).join(' ');
  const [subject, object] = taken.length === 1 ? ['Port', 'another port'] : ['Ports', 'other ports'];
  throw new DemoFailure(
    `${subject} ${named} in use: stop what listens there, perhaps another demo, or choose ${object}, as in ${instead} npm start`,
  );
}

async function isTaken({ host, port }: { host: string; port: number }): Promise<boolean> {
  const server = createServer();
  return new Promise((resolve) => {
    // Any other fault is told by whoever really listens there, with its reason.
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code === 'EADDRINUSE'));
    server.listen(port, host, () => server.close(() => resolve(false)));
  });
}
