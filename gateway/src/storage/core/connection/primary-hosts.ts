/**
 * Connects to the primary among the several hosts of a DATABASE_URL. After a failover another host is the primary. The driver
 * connects to one host only, so each new connection of a pool goes to the last known primary, and the next attempt to the next
 * host. Any other URL stays unchanged.
 */
import pg from 'pg';

const SEVERAL_HOSTS = /^(postgres(?:ql)?:\/\/(?:[^@/?]*@)?)([^@/?]*,[^@/?]*)((?:[/?].*)?)$/;
const ATTRIBUTES = 'target_session_attrs';
/** The gateway reads and writes, so it accepts only a primary, whatever the URL leaves out. */
const OF_A_PRIMARY: readonly (string | null)[] = [null, 'read-write', 'primary'];

/** Returns a URL for each host, in their order. */
export function splitHosts(connectionString: string): readonly string[] {
  const [, before, hosts = '', behind] = SEVERAL_HOSTS.exec(connectionString) ?? [];
  const urls = before === undefined ? [connectionString] : hosts.split(',').map((host) => `${before}${host}${behind}`);
  return urls.map(withoutAttributes);
}

/** Returns true if the URL requests a server other than the primary. */
export function wantsNoPrimary(connectionString: string): boolean {
  return !OF_A_PRIMARY.includes(queryOf(connectionString).get(ATTRIBUTES));
}

function queryOf(url: string): URLSearchParams {
  return new URLSearchParams(url.includes('?') ? url.slice(url.indexOf('?') + 1) : '');
}

/** The driver passes unknown parameters on to the server, which rejects them. */
function withoutAttributes(url: string): string {
  const query = queryOf(url);
  if (!query.has(ATTRIBUTES)) return url;
  query.delete(ATTRIBUTES);
  const rest = query.toString();
  return `${url.slice(0, url.indexOf('?'))}${rest === '' ? '' : `?${rest}`}`;
}

type Connected = (error: Error | null) => void;

/** Returns the class of a pool's clients. All of them share the knowledge about the primary. */
export function clientOfPrimary(urls: readonly string[]): typeof pg.Client {
  let current = 0;
  return class ClientOfPrimary extends pg.Client {
    readonly #host = current;

    constructor(config: pg.ClientConfig = {}) {
      super({ ...config, connectionString: urls[current] ?? '' });
    }

    override connect(): Promise<this>;
    override connect(callback: Connected): void;
    override connect(callback?: Connected): Promise<this> {
      const connecting = this.#connectToPrimary();
      if (callback) connecting.then(() => callback(null), callback);
      return connecting;
    }

    async #connectToPrimary(): Promise<this> {
      try {
        await super.connect();
        const { rows } = await this.query<{ transaction_read_only: string }>('show transaction_read_only');
        if (rows[0]?.transaction_read_only === 'on') throw readOnly();
        return this;
      } catch (error) {
        // Several connections to one host may fail at the same time.
        if (current === this.#host) current = (current + 1) % urls.length;
        await this.end().catch(() => {});
        throw error;
      }
    }
  };
}

function readOnly(): Error {
  return Object.assign(new Error('The server does not accept writes: it is a standby'), { code: '25006' });
}

/** Returns the URL of the current primary. Rejects with the failure of the last host. */
export async function findPrimary(urls: readonly string[]): Promise<string> {
  let failure: unknown;
  for (const url of urls) {
    const Client = clientOfPrimary([url]);
    const client = new Client({ connectionTimeoutMillis: 5_000 });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.end();
      return url;
    } catch (error) {
      failure = error;
    }
  }
  throw failure;
}
