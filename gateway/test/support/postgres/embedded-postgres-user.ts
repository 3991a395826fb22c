/** A process that uses the embedded PostgreSQL in the given folder, reports that on stdout, and ends on SIGTERM. */
import { openEmbeddedPostgres } from '../../../src/storage/embedded/embedded-postgres.ts';

const dataDirectory = process.argv[2] ?? '';
const postgres = await openEmbeddedPostgres({ dataDirectory, durable: false, log: () => {} });
const stayAlive = setInterval(() => {}, 60_000);
process.once('SIGTERM', async () => {
  await postgres.close();
  clearInterval(stayAlive);
});
console.log('open');
