/** A replacement for pgbench on machines without it, using the gateway's own database client. */
import pg from 'pg';
import { Samples } from '../load/latency.ts';
import { monotonicMs } from '../load/monotonic-clock.ts';
import type { StatementLoad, StatementTimes } from './pgbench.ts';

export async function runPlainClient(load: StatementLoad): Promise<StatementTimes> {
  const { connection, connections, name, seconds } = load;
  const clients = Array.from({ length: connections }, () => new pg.Client(connection));
  await Promise.all(clients.map((client) => client.connect()));
  const text = load.statement.replaceAll(':id', '$1');
  const times = new Samples();
  const startedAt = monotonicMs();
  let next = load.firstId;
  const repeat = async (client: pg.Client) => {
    for (let begunAt = startedAt; begunAt - startedAt < seconds * 1_000; ) {
      await client.query({ name, text, values: [next++] });
      const now = monotonicMs();
      times.add(now - begunAt);
      begunAt = now;
    }
  };
  await Promise.all(clients.map(repeat));
  const elapsedMs = monotonicMs() - startedAt;
  await Promise.all(clients.map((client) => client.end()));
  return { rate: (times.length / elapsedMs) * 1_000, times: times.toArray() };
}
