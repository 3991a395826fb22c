/**
 * A connection that speaks PostgreSQL's replication protocol, like pg_basebackup and pg_receivewal. So a backup needs no
 * PostgreSQL program. The login needs the REPLICATION attribute, and a `replication` line in pg_hba.conf.
 */
import pg from 'pg';
import { errorCode } from '../../foundation/error-code.ts';
import { BackupError } from './backup-error.ts';
import { parsePosition } from './wal-position.ts';

/** The part of the driver's connection that its types leave out. */
interface CopyingConnection extends pg.Connection {
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

export interface System {
  readonly systemId: string;
  readonly timeline: number;
  /** The end of the log on the server's disk. */
  readonly position: bigint;
}

/** Lets the reader of a copy respond to the server. */
export interface CopyChannel {
  send(message: Buffer): void;
  /** Ends a copy in both directions. */
  end(): void;
}

/** Receives one message of a copy. The connection does not read another message until it resolves. */
type CopyReader = (message: Buffer, channel: CopyChannel) => Promise<void>;

export interface ReplicationConnection {
  identify(): Promise<System>;
  query<Row extends pg.QueryResultRow>(command: string): Promise<Row[]>;
  /** Runs a command whose response is a copy, and resolves at its end. `onStart` receives the channel immediately. */
  copy(command: string, read: CopyReader, onStart?: (channel: CopyChannel) => void): Promise<void>;
  close(): Promise<void>;
}

const REFUSED = ['42501', '28000', '28P01'];

export async function openReplication(config: pg.ClientConfig): Promise<ReplicationConnection> {
  const given = { ...config, replication: 'true', keepAlive: true, application_name: 'gateway backup' };
  const client = new pg.Client(given);
  client.on('error', () => {});
  await client.connect().catch(explain);
  return {
    async identify() {
      const { rows } = await client.query<{ systemid: string; timeline: string; xlogpos: string }>('IDENTIFY_SYSTEM');
      const [row] = rows;
      if (!row) throw new Error('IDENTIFY_SYSTEM returned no row');
      return { systemId: row.systemid, timeline: Number(row.timeline), position: parsePosition(row.xlogpos) };
    },
    query: async <Row extends pg.QueryResultRow>(command: string) => (await client.query<Row>(command)).rows,
    copy: (command, read, onStart) => runCopy(client, command, read, onStart),
    close: () => client.end().catch(() => {}),
  };
}

function explain(error: unknown): never {
  if (!REFUSED.includes(errorCode(error) ?? '')) throw error;
  throw new BackupError(
    `PostgreSQL refuses a replication connection (${(error as Error).message})`,
    'Give the login of BACKUP_DATABASE_URL the attribute REPLICATION, and admit it to "replication" in pg_hba.conf',
  );
}

async function runCopy(
  client: pg.Client,
  command: string,
  read: CopyReader,
  onStart: (channel: CopyChannel) => void = () => {},
): Promise<void> {
  const copy = new Copy(command, read, onStart);
  const lost = () => copy.fail(new Error('Connection terminated unexpectedly'));
  client.once('end', lost);
  client.query(copy);
  try {
    await copy.done;
  } finally {
    client.off('end', lost);
  }
}

/** A driver query whose response is a copy stream. The driver calls its methods in the order of the server's messages. */
class Copy implements pg.Submittable {
  readonly done: Promise<void>;
  readonly #command: string;
  readonly #read: CopyReader;
  readonly #onStart: (channel: CopyChannel) => void;
  readonly #resolve: () => void;
  readonly #reject: (error: Error) => void;
  #reading: Promise<void> = Promise.resolve();
  #waiting = 0;
  #failure: Error | undefined;

  constructor(command: string, read: CopyReader, onStart: (channel: CopyChannel) => void) {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    this.done = promise;
    this.#command = command;
    this.#read = read;
    this.#onStart = onStart;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  submit(connection: pg.Connection): void {
    const copying = connection as CopyingConnection;
    this.#onStart({ send: (message) => copying.sendCopyFromChunk(message), end: () => copying.endCopyFrom() });
    connection.query(this.#command);
  }

  handleCopyData({ chunk }: { chunk: Buffer }, connection: CopyingConnection): void {
    // The driver overwrites its buffer with the next message.
    const message = Buffer.from(chunk);
    const channel: CopyChannel = {
      send: (answer) => connection.sendCopyFromChunk(answer),
      end: () => connection.endCopyFrom(),
    };
    this.#waiting += 1;
    connection.stream.pause();
    this.#reading = this.#reading
      .then(() => (this.#failure ? undefined : this.#read(message, channel)))
      .catch((error: Error) => {
        this.fail(error);
        connection.stream.destroy();
      })
      .then(() => {
        this.#waiting -= 1;
        if (this.#waiting === 0) connection.stream.resume();
      });
  }

  handleError(error: Error): void {
    this.fail(error);
  }

  handleReadyForQuery(): void {
    void this.#reading.then(() => (this.#failure ? this.#reject(this.#failure) : this.#resolve()));
  }

  fail(error: Error): void {
    this.#failure ??= error;
    void this.#reading.then(() => this.#reject(this.#failure ?? error));
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
  handleEmptyQuery(): void {}
  handlePortalSuspended(): void {}
}
