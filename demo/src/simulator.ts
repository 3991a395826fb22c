/**
 * The simulators that the demo's gateway uses: those already running, and one process for all others. Their responses must
 * distinguish them from other servers on the same port. The files in providers/ describe each.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SimulatorName } from '../../rail-simulators/src/simulators.ts';
import { DemoFailure } from './demo-failure.ts';
import type { SimulatorFaults, SimulatorMessage } from './simulator-process.ts';

export interface SimulatorKind {
  /** The name as used in a sentence, without an article. */
  readonly name: string;
  readonly program: SimulatorName;
  /** The prefix of its `server` response header. */
  readonly server: string;
  /** A path that returns 401 to a wrong secret. */
  readonly probe: string;
  /** The variables that contain its URL, port and secret. */
  readonly variables: { readonly url: string; readonly port: string; readonly secret: string };
}

export interface SimulatorPlace {
  readonly kind: SimulatorKind;
  readonly url: string;
  readonly secret: string;
}

export interface SimulatorPlan extends SimulatorPlace {
  /** The simulator's variables, except its port and its secret. */
  readonly environment: Readonly<Record<string, string>>;
}

/** The common options of each provider in the demo. */
export interface SideOptions {
  readonly gatewayUrl: string;
  readonly dataDir: string;
}

export interface Simulator {
  /** False if it was already running before the demo. It then keeps running afterwards. */
  readonly isOurs: boolean;
  /** Sends a request with the simulator's secret, and with a JSON body if given. */
  ask(path: string, body?: unknown): Promise<Response>;
}

export interface Simulators {
  /** The simulators in the order of the plans. */
  readonly opened: readonly Simulator[];
  close(): Promise<void>;
}

type Occupant = 'ours' | 'another_secret' | 'stranger' | 'nobody';

const PATIENCE_MS = 5_000;

/** Throws one sentence about the first unavailable simulator, and stops all others. */
export async function openSimulators(
  plans: readonly SimulatorPlan[],
  onTrouble: (line: string) => void,
): Promise<Simulators> {
  const { child, faults } = await startProcess(
    plans.filter(({ url }) => isOnThisMachine(url)),
    onTrouble,
  );
  const close = () => endProcess(child);
  try {
    return { opened: await Promise.all(plans.map((plan) => openSimulator(plan, faults))), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function openSimulator(plan: SimulatorPlan, faults: SimulatorFaults): Promise<Simulator> {
  const { kind, url } = plan;
  const ask: Simulator['ask'] = (path, body) => askSimulator(plan, path, body);
  const elsewhere = `No ${kind.name} responds at ${url}: start it, or unset ${kind.variables.url}`;
  const fault = isOnThisMachine(url) ? faults[kind.program] : elsewhere;
  if (fault === undefined) return { isOurs: true, ask };
  const occupant = await occupantOf(plan);
  if (occupant === 'ours') return { isOurs: false, ask };
  throw new DemoFailure(OCCUPANTS[occupant](plan, fault));
}

const OCCUPANTS: Readonly<Record<Exclude<Occupant, 'ours'>, (place: SimulatorPlace, fault: string) => string>> = {
  another_secret: ({ kind: { name, variables }, url }) =>
    `The ${name} on ${url} has another secret: stop it, or set its secret as ${variables.secret}`,
  stranger: ({ kind: { name, variables }, url }) =>
    `A program other than the ${name} responds at ${url}: stop it, or choose another port, as in ${variables.port}=${nextPort(url)} npm start`,
  nobody: (_place, fault) => fault,
};

function nextPort(url: string): number {
  const port = portOf(url);
  return port < 65_535 ? port + 1 : port - 1;
}

export function portOf(url: string): number {
  return Number(new URL(url).port || '80');
}

export function isOnThisMachine(url: string): boolean {
  return ['127.0.0.1', 'localhost'].includes(new URL(url).hostname);
}

export async function occupantOf(place: SimulatorPlace): Promise<Occupant> {
  try {
    const answer = await askSimulator(place, place.kind.probe);
    await answer.body?.cancel();
    if (!answer.headers.get('server')?.startsWith(place.kind.server)) return 'stranger';
    return answer.status === 401 ? 'another_secret' : 'ours';
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    return cause?.code === 'ECONNREFUSED' ? 'nobody' : 'stranger';
  }
}

/** Returns `Simulator.ask` as a command for a POSIX shell, which interprets single quotes in `json`. */
export function controlCurl({ url, secret }: SimulatorPlace, path: string, json: string): string {
  return `curl -s -w '\\n' ${url}${path} -H 'authorization: Bearer ${secret}' -d '${json}'`;
}

function askSimulator({ url, secret }: SimulatorPlace, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** Resolves to the process, and to the reasons of the simulators that could not start in it. */
async function startProcess(plans: readonly SimulatorPlan[], onTrouble: (line: string) => void) {
  const own = plans.map(({ kind: { variables }, url, secret, environment }) => ({
    ...environment,
    [variables.port]: String(portOf(url)),
    [variables.secret]: secret,
  }));
  const names = plans.map(({ kind }) => kind.program);
  const child = fork(join(import.meta.dirname, 'simulator-process.ts'), names, {
    env: Object.assign({}, process.env, ...own),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.on('message', (message: SimulatorMessage) => 'trouble' in message && onTrouble(message.trouble));
  const faults = await Promise.race([faultsOf(child), once(child, 'exit').then(() => undefined)]);
  if (faults === undefined) throw new DemoFailure('The simulators ended during their start');
  child.on('exit', () => onTrouble('the simulators have ended: payments wait until you restart the demo'));
  return { child, faults };
}

function faultsOf(child: ChildProcess): Promise<SimulatorFaults> {
  return new Promise((resolve) => {
    child.on('message', (message: SimulatorMessage) => 'faults' in message && resolve(message.faults));
  });
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  if ((await Promise.race([ended, sleep(PATIENCE_MS, 'slow', { ref: false })])) === 'slow') child.kill('SIGKILL');
}
