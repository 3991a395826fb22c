/**
 * The load generator, as its parent process controls it. It is a separate process so that its CPU time can be measured
 * separately.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { LoadOrder, Times } from './load-order.ts';
import type { LoadResult } from './run-load.ts';

export interface LoadProcess {
  readonly pid: number;
  /** Prepares the requests, calls `beforeBegin`, then starts the load. */
  run(order: LoadOrder, beforeBegin?: () => Promise<void>): Promise<LoadOutcome>;
  stop(): Promise<void>;
}

export interface LoadOutcome {
  readonly result: LoadResult;
  /** The number of request numbers that the load used. */
  readonly used: number;
  /** Null unless the order wants times. */
  readonly times: Times | null;
}

export async function startLoadProcess(): Promise<LoadProcess> {
  const { PATH } = process.env;
  const child = fork(path.join(import.meta.dirname, 'serve-load.ts'), [], {
    serialization: 'advanced',
    env: { PATH },
    execArgv: [],
  });
  const { pid } = child;
  if (pid === undefined) throw new Error('the load generator does not start');
  const message = async <Message>(): Promise<Message> => {
    const ended = new AbortController();
    const exit = once(child, 'exit', { signal: ended.signal }).then(() => {
      throw new Error('the load generator has ended');
    });
    exit.catch(() => {});
    try {
      const [message] = await Promise.race([once(child, 'message', { signal: ended.signal }), exit]);
      return message as Message;
    } finally {
      ended.abort();
    }
  };
  return {
    pid,
    async run(order, beforeBegin = async () => {}) {
      const ready = message();
      child.send({ order });
      await ready;
      await beforeBegin();
      const outcome = message<LoadOutcome>();
      child.send({ begin: true });
      return outcome;
    },
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const gone = once(child, 'exit');
      child.kill('SIGTERM');
      await gone;
    },
  };
}
