/**
 * Processes that share one port, by node:cluster: the supervisor alone listens, and hands each connection to the next
 * process in turn. A connection that was handed to a process that is closing comes back and goes to another, so none is
 * lost while processes are replaced; with SO_REUSEPORT the kernel drops what waits in the queue of a listener that closes,
 * and spreads the few long connections of a proxy as it happens to. The price is one message per connection.
 */
import cluster, { type Worker } from 'node:cluster';
import { closeWhatDiesWith } from './handed-connections.ts';
import type { Order, Report } from './process-messages.ts';
import type { StartedProcess } from './running-process.ts';

/** How a process knows its name. */
const NAME = 'SUPERVISED_PROCESS';

/** `variables`: what is set for the process beside the environment of this one. It runs the same command line. */
export function startClusterProcess(name: string, variables: Readonly<Record<string, string>>): StartedProcess {
  const worker = cluster.fork({ ...variables, [NAME]: name });
  worker.on('error', () => {});
  closeWhatDiesWith(worker.process);
  return {
    pid: worker.process.pid ?? 0,
    // Who is gone is not told; its end is.
    send: (order) => void (worker.isConnected() && worker.send(order, () => {})),
    onReport: (listener) => void worker.on('message', (report: Report) => listener(report)),
    onEnd: (listener) => void worker.process.once('exit', (code, signal) => listener(code, signal)),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

/** The other end of it: how a process hears its supervisor. */
export interface SupervisorLink {
  readonly name: string;
  report(report: Report): void;
  onOrder(listener: (order: Order) => void): void;
  /** The supervisor is gone. Without a listener the process ends then, in the middle of whatever it does. */
  onLost(listener: () => void): void;
  /** Lets go, so that the process can end. */
  close(): void;
}

/** Undefined in a process that no supervisor started. */
export function findSupervisor(variables: Readonly<Record<string, string | undefined>>): SupervisorLink | undefined {
  const name = variables[NAME];
  const { worker } = cluster;
  if (!worker || name === undefined) return undefined;
  return linkOver(worker, name);
}

function linkOver(worker: Worker, name: string): SupervisorLink {
  return {
    name,
    report: (report) => void (worker.isConnected() && worker.send(report, () => {})),
    onOrder: (listener) => void worker.on('message', (order: Order) => listener(order)),
    onLost(listener) {
      // Until then Node ends a process at once when its supervisor is gone.
      worker.exitedAfterDisconnect = true;
      worker.on('disconnect', listener);
    },
    close: () => void (worker.isConnected() && worker.process.disconnect?.()),
  };
}
