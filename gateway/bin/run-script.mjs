/**
 * Runs the program of an npm script, after installing the packages where they are not those of the lockfile. A tree that was
 * installed without its development packages belongs to somebody who runs a gateway: there nothing is ever installed.
 * Plain JavaScript for Node 20.19, because the Node that the programs need is one of those packages.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithNpm } from './end-with-npm.mjs';
import { launch } from './launch.mjs';

const ROOT = join(import.meta.dirname, '../..');
/** The programs that import development packages. */
const DEVELOPMENT = /^(gateway\/(test|simulation|bench)|portal)\//;

/** The lockfile's packages for this platform that are not there as npm has installed them, by its own record. */
function readTree() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  const missing = Object.entries(wanted).filter(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return false;
    const found = installed[path];
    return found ? found.version !== entry.version || found.integrity !== entry.integrity : belongsHere(entry);
  });
  const packages = Object.values(installed);
  return {
    missing: missing.map(([, entry]) => entry),
    isWithoutDevelopment: packages.length > 0 && !packages.some(({ dev }) => dev),
  };
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
  } catch {
    return {};
  }
}

/** Packages of another platform stay away, and so do those that only they or an absent peer would need. */
function belongsHere({ optional, peer, os, cpu, libc }) {
  if (peer) return false;
  if (!optional) return true;
  const matches = (allowed, here) => allowed === undefined || [allowed].flat().includes(here);
  return Boolean(os || cpu) && matches(os, process.platform) && matches(cpu, process.arch) && matches(libc, 'glibc');
}

/** The reason why the program cannot run, as a sentence; undefined: it can. */
function prepare(program) {
  const { missing, isWithoutDevelopment } = readTree();
  if (!isWithoutDevelopment) return missing.length === 0 || install() ? undefined : INSTALL_FAILED;
  if (DEVELOPMENT.test(program)) return NEEDS_DEVELOPMENT;
  // An installation without optional packages needs its own Node and PostgreSQL.
  return missing.some(({ dev, devOptional, optional }) => !(dev || devOptional || optional)) ? IS_STALE : undefined;
}

const INSTALL_FAILED = 'The packages could not be installed: see what npm says above.';
const NEEDS_DEVELOPMENT =
  'The packages were installed without those for development, which this script needs: run it in another copy of the project.';
const IS_STALE =
  'The packages are not those of the lockfile: run "npm ci --omit=dev" while nothing of the gateway runs.';

function install() {
  console.error('Installing packages (npm ci) …');
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  // npm's own words go to stderr: stdout belongs to the program, whose output may be read by another.
  return spawnSync('npm', args, { cwd: ROOT, stdio: ['ignore', 2, 2] }).status === 0;
}

const [program, ...args] = process.argv.slice(2);
const obstacle = prepare(program);
if (obstacle) {
  console.error(obstacle);
  process.exitCode = 1;
} else {
  endWithNpm();
  launch(join(ROOT, program), args);
}
