/**
 * A TCP relay that can hold a connection at a chosen moment: just before the client's bytes arrive, or just after the server
 * has responded. A held connection stays held until one side closes it. It is for tests that kill a process between two steps.
 */
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type NetConnectOpts, type Socket } from 'node:net';

export interface Hold {
  /**
   * Selects a connection on which the client sends this text. A function decides per chunk, if a single text is insufficient.
   */
  readonly carrying: string | ((said: Buffer) => boolean);
  /** If set, the relay waits until the client then sends this text. */
  readonly at?: string;
  /** `question` holds the bytes before they reach the server, `answer` the server's response. */
  readonly of: 'question' | 'answer';
  /** Forwards a response without this text, and waits for the next connection. */
  readonly answered?: string;
}

export interface HeldRelay {
  readonly port: number;
  /** Resolves once a connection is held; for `answer`, once the response is there. It holds only the first connection. */
  hold(hold: Hold): Promise<void>;
  close(): Promise<void>;
}

interface ArmedHold extends Hold {
  readonly reached: () => void;
}

/** Calls `server` for each connection. */
export async function startHeldRelay(server: () => NetConnectOpts): Promise<HeldRelay> {
  const armed = new Set<ArmedHold>();
  const open = new Set<Socket>();
  const listener = createServer((client) => {
    const upstream = connect(server());
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.setNoDelay(true);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
    relay(client, upstream, armed);
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  return {
    port: (listener.address() as AddressInfo).port,
    hold: (hold) =>
      new Promise((reached) => {
        armed.add({ ...hold, reached });
      }),
    async close() {
      listener.close();
      for (const socket of open) socket.destroy();
      await once(listener, 'close');
    },
  };
}

function relay(client: Socket, upstream: Socket, armed: Set<ArmedHold>): void {
  const carried = new Set<ArmedHold>();
  const held = new Set<ArmedHold>();
  client.on('data', (chunk: Buffer) => {
    for (const hold of armed) {
      const isCarried = says(chunk, hold.carrying);
      if (isCarried) carried.add(hold);
      if (hold.at === undefined ? !isCarried : !carried.has(hold) || !chunk.includes(hold.at)) continue;
      held.add(hold);
      armed.delete(hold);
      if (hold.of === 'question') hold.reached();
    }
    if (![...held].some(({ of }) => of === 'question')) upstream.write(chunk);
  });
  upstream.on('data', (chunk: Buffer) => {
    for (const hold of held) {
      if (hold.answered === undefined || chunk.includes(hold.answered)) continue;
      held.delete(hold);
      armed.add(hold);
    }
    if (held.size === 0) client.write(chunk);
    for (const { reached } of held) reached();
  });
}

function says(chunk: Buffer, carrying: Hold['carrying']): boolean {
  return typeof carrying === 'string' ? chunk.includes(carrying) : carrying(chunk);
}
