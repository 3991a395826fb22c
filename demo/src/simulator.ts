/**
 * A simulator beside the demo's gateway: one that listens already, or else one that is started as a process of its own.
 * It must be told apart from a stranger on the same port by how it answers. What the simulators are for stands in
 * bank-side.ts and stp-side.ts.
 */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DemoFailure } from './demo-failure.ts';
import type { SimulatorMessage, SimulatorProgram } from './simulator-process.ts';

export interface SimulatorKind {
  /** As it stands in a sentence, without an article. */
  readonly name: string;
  readonly program: SimulatorProgram;
  /** How the `server` header of its answers begins. */
  readonly server: string;
  /** What is answered 401 to another secret than its own. */
  readonly probe: string;
  /** The environment variables that say where it is. */
  readonly variables: { readonly url: string; readonly port: string; readonly secret: string };
  /** What becomes of payments while it is away. */
  readonly meanwhile: string;
}

export interface SimulatorPlace {
  readonly kind: SimulatorKind;
  readonly url: string;
  readonly secret: string;
}

export interface SimulatorOptions extends SimulatorPlace {
  /** Its own variables, besides its port and its secret. */
  readonly environment: Readonly<Record<string, string>>;
  readonly onTrouble: (line: string) => void;
}

/** What each side of the demo is opened with, beside its place. */
export interface SideOptions {
  readonly gatewayUrl: string;
  readonly dataDir: string;
  readonly onTrouble: (line: string) => void;
}

export interface Simulator {
  /** False: it was there before, and stays. */
  readonly isOurs: boolean;
  /** A request under the simulator's secret, with a JSON body where one is given. */
  ask(path: string, body?: unknown): Promise<Response>;
  close(): Promise<void>;
}

export type Occupant = 'ours' | 'another_secret' | 'stranger' | 'nobody';

const PATIENCE_MS = 2_000;

export async function openSimulator(options: SimulatorOptions): Promise<Simulator> {
  const { kind, url } = options;
  const ask: Simulator['ask'] = (path, body) => askSimulator(options, path, body);
  const elsewhere = `No ${kind.name} answers on ${url}: start it, or unset ${kind.variables.url}`;
  const started = isOnThisMachine(url) ? await startProcess(options) : elsewhere;
  if (typeof started !== 'string') return { isOurs: true, ask, close: () => endProcess(started) };
  const occupant = await occupantOf(options);
  if (occupant === 'ours') return { isOurs: false, ask, close: async () => {} };
  throw new DemoFailure(OCCUPANTS[occupant](options, started));
}

const OCCUPANTS: Readonly<Record<Exclude<Occupant, 'ours'>, (place: SimulatorPlace, fault: string) => string>> = {
  another_secret: ({ kind: { name, variables }, url }) =>
    `The ${name} on ${url} has another secret: stop it, or give its own as ${variables.secret}`,
  stranger: ({ kind: { name, variables }, url }) =>
    `What answers on ${url} is no ${name}: stop it, or choose another port, as in ${variables.port}=${nextPort(url)} npm start`,
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

function askSimulator({ url, secret }: SimulatorPlace, path: string, body?: unknown): Promise<Response> {
  return fetch(`${url}${path}`, {
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
    signal: AbortSignal.timeout(PATIENCE_MS),
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** The running process, or the sentence that says why there is none. */
async function startProcess({ kind, url, secret, environment, onTrouble }: SimulatorOptions) {
  const { variables, name, program, meanwhile } = kind;
  const own = { ...environment, [variables.port]: String(portOf(url)), [variables.secret]: secret };
  const child = fork(join(import.meta.dirname, 'simulator-process.ts'), [program], {
    env: { ...process.env, ...own },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const outcome = await Promise.race([
    firstWord(child),
    once(child, 'exit').then(() => `The ${name} ended as it began`),
  ]);
  if (outcome !== 'ready') return outcome;
  child.on('message', (message: SimulatorMessage) => 'trouble' in message && onTrouble(message.trouble));
  child.on('exit', () => onTrouble(`the ${name} has ended: ${meanwhile}`));
  return child;
}

async function firstWord(child: ChildProcess): Promise<string> {
  const [message] = (await once(child, 'message')) as [SimulatorMessage];
  if ('fault' in message) return message.fault;
  return 'trouble' in message ? message.trouble : 'ready';
}

async function endProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.removeAllListeners('exit');
  const ended = once(child, 'exit');
  if (child.connected) child.disconnect();
  if ((await Promise.race([ended, sleep(PATIENCE_MS, 'slow', { ref: false })])) === 'slow') child.kill('SIGKILL');
}
