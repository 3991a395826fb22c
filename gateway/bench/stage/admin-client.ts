/** A connection with the schema owner’s rights, for counters, checkpoints and test data. The gateway does not use it. */
import pg from 'pg';

export interface AdminClient {
  query<Row = Record<string, unknown>>(text: string, values?: readonly unknown[]): Promise<Row[]>;
  close(): Promise<void>;
}

export async function openAdminClient(connection: pg.ClientConfig): Promise<AdminClient> {
  const client = new pg.Client({ ...connection, options: '-c timezone=UTC -c statement_timeout=0' });
  await client.connect();
  return {
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query({ text, values: values as unknown[] })).rows as Row[],
    close: () => client.end(),
  };
}

export async function numberOf(admin: AdminClient, sql: string): Promise<number> {
  const [row] = await admin.query<Record<string, string>>(sql);
  return Number(Object.values(row ?? {})[0] ?? 0);
}
