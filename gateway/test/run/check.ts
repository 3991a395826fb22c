/**
 * `npm run check`: runs format and lint (biome), types (tsc), boundaries between folders, import cycles and the size of the
 * project in parallel.
 */
import { spawn } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../../..');

const COLORS = process.stdout.isTTY ? 'force' : 'off';

/**
 * Single-threaded compilation takes 25% less CPU time: threads repeat each other’s work and wait for each other. The two
 * compilations already use two cores.
 */
const TYPES = ['node_modules/typescript/bin/tsc', '--noEmit', '--singleThreaded'];
/** Garbage collection runs only near the memory limit, because a compilation is short. */
const ENVIRONMENT = { ...process.env, GOGC: 'off', GOMEMLIMIT: '1500MiB' };

const CHECKS = {
  biome: ['node_modules/@biomejs/biome/bin/biome', 'ci', '--error-on-warnings', `--colors=${COLORS}`, '.'],
  tsc: TYPES,
  'tsc of the pages': [...TYPES, '-p', 'portal'],
  boundaries: ['gateway/test/tidy/boundaries.ts'],
  cycles: ['gateway/test/tidy/import-cycles.ts'],
  figures: ['gateway/test/tidy/house-figures.ts'],
};

const results = await Promise.all(Object.entries(CHECKS).map(([name, command]) => runCheck(name, command)));
process.exitCode = results.every(Boolean) ? 0 : 1;

/** Prints a check's output when it has ended, so that the outputs of two checks do not mix. */
function runCheck(name: string, [script = '', ...args]: string[]): Promise<boolean> {
  const child = spawn(process.execPath, [join(ROOT, script), ...args], { cwd: ROOT, env: ENVIRONMENT });
  const output: Buffer[] = [];
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  return new Promise((resolve) => {
    child.on('close', (code) => {
      process.stdout.write(Buffer.concat(output));
      console.log(code === 0 ? `✓ ${name}` : `✗ ${name} failed`);
      resolve(code === 0);
    });
  });
}
