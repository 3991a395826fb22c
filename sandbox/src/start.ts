/** `npm run sandbox -- M1 M2 [--seed 7]`: serves the worlds of these merchants until a signal. For test only: no money moves. */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { explainFailure } from '../../gateway/src/main/explain-failure.ts';
import { untilSignalled } from '../../gateway/src/main/processes/process-signals.ts';
import { openWorldServer } from '../../gateway/src/main/sandbox/sandbox-parts.ts';
import { openSandbox } from './worlds.ts';

const USAGE = 'Usage: npm run sandbox -- MERCHANT… [--seed TEXT]';
const PROJECT_ROOT = resolve(import.meta.dirname, '../..');

async function main(): Promise<number> {
  const { positionals, values } = parseArgs({ allowPositionals: true, options: { seed: { type: 'string' } } });
  if (positionals.length === 0) {
    console.error(USAGE);
    return 2;
  }
  const stopped = untilSignalled(['SIGINT', 'SIGTERM']);
  const { env } = process;
  const dataDir = resolve(PROJECT_ROOT, env['SANDBOX_DATA_DIR'] || './data/sandbox');
  const log = (line: string) => console.error(line.trimEnd());
  const place = {
    host: env['SANDBOX_HOST'] || '127.0.0.1',
    port: Number(env['SANDBOX_PORT'] || '8095'),
    publicUrl: env['SANDBOX_PUBLIC_URL']?.replace(/\/$/, '') || null,
  };
  const sandbox = await openSandbox({ dataDir, ...place, log }, await openWorldServer(dataDir, log));
  try {
    for (const merchant of positionals) {
      const keys = await sandbox.open(merchant, values.seed ?? null);
      console.log(`Merchant ${merchant}: ${sandbox.url}/${merchant}`);
      if (!keys) {
        console.log('Its keys were shown at its first start. If you lost them, start with another name.');
        continue;
      }
      console.log('Its keys, shown once. Paste these lines into each terminal that needs them:\n');
      console.log(`export GATEWAY_URL=${sandbox.url}/${merchant} MERCHANT=${merchant}`);
      console.log(`export API_KEY=${keys.key.reveal()}\nexport FORM_KEY=${keys.formKey.reveal()}\n`);
    }
    console.log('The sandbox serves. No money moves.');
    await stopped;
  } finally {
    await sandbox.close();
  }
  return 0;
}

process.exitCode = await main().catch((error: unknown) => {
  console.error(explainFailure(error) ?? error);
  return 1;
});
