/** The way into the gateway for merchants and banks: requests to one of its API processes, over the network. */
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../../src/foundation/clock.ts';
import type { Network } from '../network.ts';
import type { SimulatedProcess } from '../simulated-process.ts';
import type { World } from '../world.ts';

/** `lost`: the client knows nothing about its request. */
export type Answer = 'lost' | { readonly status: number; readonly body: string };

export interface Door {
  post(path: string, body: object, headers?: Readonly<Record<string, string>>): Promise<Answer>;
}

const CLIENT_WAITS_MS = 30 * SECOND_MS;
const REFUSED: Answer = 'lost';

/** `processes`: those that live now. */
export function createDoor(world: World, network: Network, processes: () => readonly SimulatedProcess[]): Door {
  const drawn = world.drawn.apart('door');

  async function post(path: string, body: object, headers: Readonly<Record<string, string>> = {}): Promise<Answer> {
    const fate = network.fate();
    const { promise, resolve: end } = Promise.withResolvers<Answer>();
    const stopWaiting = world.after(CLIENT_WAITS_MS, () => end('lost'));
    const resolve = (answer: Answer) => {
      stopWaiting();
      end(answer);
    };
    if (fate === 'refused') world.after(network.delayMs(), () => resolve(REFUSED));
    if (fate === 'refused' || fate === 'lost') return promise;
    world.after(network.delayMs(), () => {
      const open = processes().filter(({ api, life }) => api && life.isAlive());
      const process = open.length > 0 ? drawn.oneOf(open) : undefined;
      if (!process?.api) return resolve(REFUSED);
      const forget = process.life.onDeath(() => resolve('lost'));
      void process.life.whileAlive(inject(process.api, path, body, headers)).then((answer) => {
        forget();
        if (fate === 'answered') world.after(network.delayMs(), () => resolve(answer));
      });
    });
    return promise;
  }

  return { post };
}

async function inject(
  api: FastifyInstance,
  path: string,
  body: object,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const response = await api.inject({
    method: 'POST',
    url: path,
    headers: { 'content-type': 'application/json', ...headers },
    payload: JSON.stringify(body),
  });
  return { status: response.statusCode, body: response.payload };
}
