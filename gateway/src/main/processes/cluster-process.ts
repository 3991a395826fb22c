/**
 * Processes that share one port through node:cluster. Only the supervisor listens, and it hands each connection to the next
 * process in turn. A closing process returns a connection, and another process receives it, so a replacement loses none.
 * With SO_REUSEPORT the kernel would drop the queued connections of a closing listener. It would also spread a proxy's few
 * long connections unevenly. The price is one message per connection.
 */
import cluster, { type Worker } from 'node:cluster';
import type { StartedProcess } from './child-process.ts';
import { closeWhatDiesWith } from './handed-connections.ts';
import type { Order, Report } from './process-messages.ts';

/** The environment variable that holds a process's name. */
const NAME = 'SUPERVISED_PROCESS';

/** Adds `variables` to this process's environment. The new process runs the same command line. */
export function startClusterProcess(name: string, variables: Readonly<Record<string, string>>): StartedProcess {
  const worker = cluster.fork({ ...variables, [NAME]: name });
  worker.on('error', () => {});
  closeWhatDiesWith(worker.process);
  return {
    pid: worker.process.pid ?? 0,
    // A message to an ended process is dropped; `onEnd` reports its end.
    send: (order) => void (worker.isConnected() && worker.send(order, () => {})),
    onReport: (listener) => void worker.on('message', (report: Report) => listener(report)),
    onEnd: (listener) => void worker.process.once('exit', (code, signal) => listener(code, signal)),
    kill: () => void worker.process.kill('SIGKILL'),
  };
}

/** The process's end of the connection to its supervisor. */
export interface SupervisorLink {
  readonly name: string;
  report(report: Report): void;
  onOrder(listener: (order: Order) => void): void;
  /** Called when the supervisor has ended. Without a listener the process then ends immediately, during any work. */
  onLost(listener: () => void): void;
  /** Disconnects, so that the process can end. */
  close(): void;
}

/** Returns undefined in a process that no supervisor started. */
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
      // Without this, Node ends a process immediately when its supervisor ends.
      worker.exitedAfterDisconnect = true;
      worker.on('disconnect', listener);
    },
    close: () => void (worker.isConnected() && worker.process.disconnect?.()),
  };
}
