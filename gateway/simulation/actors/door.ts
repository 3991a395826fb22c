/** Sends the requests of merchants and banks to one of the gateway's API processes, over the simulated network. */
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { FailoverPromise } from '../faults/failover-promise.ts';
import type { SimulatedProcess } from '../processes/simulated-process.ts';
import type { Answer } from '../world/answer.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';

export interface Sent {
  /** Defaults to GET. */
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** If true, the checks expect no particular response: the gateway rejects every forged request. */
  readonly isForged?: boolean;
}

export interface Door {
  send(path: string, sent: Sent): Promise<Answer>;
  /** Posts `body` as JSON. */
  post(path: string, body: object, headers?: Sent['headers'], isForged?: boolean): Promise<Answer>;
}

const CLIENT_WAITS_MS = 30 * SECOND_MS;
const REFUSED: Answer = 'lost';

interface DoorParts {
  readonly world: World;
  readonly network: Network;
  readonly promise: FailoverPromise;
  /** The processes that are running now. */
  readonly processes: () => readonly SimulatedProcess[];
}

export function createDoor({ world, network, promise: failovers, processes }: DoorParts): Door {
  const drawn = world.drawn.apart('door');

  async function send(path: string, sent: Sent): Promise<Answer> {
    const fate = network.fate();
    const { promise, resolve: end } = Promise.withResolvers<Answer>();
    const stopWaiting = world.after(CLIENT_WAITS_MS, () => end('lost'));
    const sentAt = world.now();
    const resolve = (answer: Answer) => {
      stopWaiting();
      end(world.restoredAt > sentAt ? 'lost' : answer);
    };
    if (fate === 'refused') world.after(network.delayMs(), () => resolve(REFUSED));
    if (fate === 'refused' || fate === 'lost') return promise;
    world.after(network.delayMs(), () => {
      const open = processes().filter(({ api, life }) => api && life.isAlive());
      const process = open.length > 0 ? drawn.oneOf(open) : undefined;
      if (!process?.api) return resolve(REFUSED);
      const judge = sent.isForged ? undefined : failovers.ofRequest(process.life, path);
      const forget = process.life.onDeath(() => resolve('lost'));
      void process.life.whileAlive(inject(process.api, path, sent)).then((answer) => {
        forget();
        judge?.(answer);
        if (fate === 'answered') world.after(network.delayMs(), () => resolve(answer));
      });
    });
    return promise;
  }

  return {
    send,
    post: (path, body, headers = {}, isForged = false) =>
      send(path, {
        method: 'POST',
        isForged,
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
  };
}

async function inject(
  api: FastifyInstance,
  path: string,
  { method = 'GET', headers = {}, body }: Sent,
): Promise<Answer> {
  const payload = body === undefined ? {} : { payload: body };
  const response = await api.inject({ method, url: path, headers, ...payload });
  const texts = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
  return { status: response.statusCode, body: response.payload, headers: Object.fromEntries(texts) };
}
