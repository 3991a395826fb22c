/** The doctor's check of the machine: Node, the data directory, the ports. */
import { access, constants, mkdir, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import type { Finding } from '../../cli/command-host.ts';
import { MODE_HEADER } from '../../foundation/environment.ts';
import type { Config } from '../config/config.ts';
import { bad, good } from './doctor-finding.ts';

const NEEDED_NODE = 24;
const NEEDED_SPACE_BYTES = 200 * 1024 * 1024;
const PATIENCE_MS = 2_000;

/** `version` has Node's format, such as `24.1.0`. */
export function examineNode(version: string): Finding {
  return Number.parseInt(version, 10) >= NEEDED_NODE
    ? good('Node', version)
    : bad('Node', `${version} is too old`, `Run "npm ci", which installs Node ${NEEDED_NODE}, or install it yourself`);
}

/** Creates a missing folder, as a start would. */
export async function examineDataDirectory({ dataDir, databaseUrl, masterKey }: Config): Promise<Finding[]> {
  const name = 'Data directory';
  if (databaseUrl && masterKey) return [good(name, 'not needed: DATABASE_URL and GATEWAY_MASTER_KEY are set')];
  try {
    await mkdir(dataDir, { recursive: true, mode: 0o700 });
    await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    const { bavail, bsize } = await statfs(dataDir);
    const free = bavail * bsize;
    const megabytes = `${Math.floor(free / 1024 / 1024)} MB are free`;
    if (free < NEEDED_SPACE_BYTES) {
      return [
        bad(
          name,
          `${dataDir}: only ${megabytes}`,
          'Free at least 200 MB, or set GATEWAY_DATA_DIR to a directory on another disk',
        ),
      ];
    }
    return [good(name, `${dataDir}: writable, ${megabytes}`), ...(await examineKeyFile(dataDir, masterKey !== null))];
  } catch (error) {
    const reason = (error as Error).message;
    return [
      bad(
        name,
        `${dataDir} cannot be used (${reason})`,
        'Make it writable for this user, or set GATEWAY_DATA_DIR to another directory',
      ),
    ];
  }
}

async function examineKeyFile(dataDir: string, isConfigured: boolean): Promise<Finding[]> {
  if (isConfigured) return [];
  const file = `${dataDir}/master.key`;
  const found = await stat(file).catch(() => undefined);
  const isOpen = found !== undefined && (found.mode & 0o077) !== 0;
  return isOpen ? [bad('Master key file', `${file} is readable by other users`, `Run: chmod 600 ${file}`)] : [];
}

export async function examinePorts(config: Config): Promise<Finding[]> {
  return [
    await examinePort('Merchant port', config.host, config.port, 'PORT'),
    await examinePort('Metrics port', config.metricsHost, config.metricsPort, 'METRICS_PORT'),
    await examinePort('Management port', config.manageHost, config.managePort, 'MANAGE_PORT'),
    ...(await examineProxy(config)),
  ];
}

/** Reports a proxy that the running gateway detected and that is not in TRUSTED_PROXIES. */
async function examineProxy({ metricsHost, metricsPort }: Config): Promise<Finding[]> {
  const answer = await get(`http://${reachableHost(metricsHost)}:${metricsPort}/metrics`);
  const text = answer?.ok ? await answer.text().catch(() => '') : '';
  if (!PROXY_NOTICED.test(text)) return [];
  const found =
    'requests arrive through a proxy that TRUSTED_PROXIES does not list, so every client appears with the proxy’s address';
  return [bad('Proxy', found, 'Add its address (proxy_not_trusted in the log) to TRUSTED_PROXIES and restart')];
}

const PROXY_NOTICED = /^gateway_alerts_total\{[^}]*alert="proxy_not_trusted"[^}]*\} [1-9]/m;

async function examinePort(name: string, host: string, port: number, variable: string): Promise<Finding> {
  const address = `${host}:${port}`;
  const fault = await listenFault(host, port);
  if (fault === undefined) return good(name, `${address} is free`);
  if (fault === 'EADDRINUSE' && (await isGateway(host, port))) return good(name, `a running gateway serves ${address}`);
  const reasons: Readonly<Record<string, string>> = {
    EADDRINUSE: 'is in use by another program',
    EACCES: 'is not allowed for this user',
    EADDRNOTAVAIL: 'is not an address of this machine',
  };
  return bad(
    name,
    `${address} ${reasons[fault] ?? `cannot be opened (${fault})`}`,
    `Stop the program that listens there, or change ${variable}`,
  );
}

/** Returns the error code if this process cannot listen there, otherwise undefined. */
function listenFault(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

/** The listener for management has no health page. It names the gateway's mode in each response. */
async function isGateway(host: string, port: number): Promise<boolean> {
  const answer = await get(`http://${reachableHost(host)}:${port}/healthz`);
  return answer?.headers.has(MODE_HEADER) || /alive/.test((await answer?.text().catch(() => '')) ?? '');
}

/** Returns the host for a URL at which this machine reaches the listener. */
function reachableHost(host: string): string {
  const reachable = { '0.0.0.0': '127.0.0.1', '::': '::1' }[host] ?? host;
  return reachable.includes(':') ? `[${reachable}]` : reachable;
}

function get(url: string): Promise<Response | undefined> {
  return fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PATIENCE_MS) }).catch(() => undefined);
}
