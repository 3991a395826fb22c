/**
 * The start of every npm script: installs the packages when they are not those of the lockfile, then runs a program.
 * Plain JavaScript for Node 20.19, because the Node that the programs need is one of those packages.
 *
 * The scripts begin with `exec`: npm then signals this process, and not a shell that would end without passing it on.
 */
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { launch } from './gateway/bin/launch.mjs';

const ROOT = import.meta.dirname;
const PARENT_LOOK_MS = 250;

/** What npm has installed, by its own record, against what the lockfile wants on this platform. */
function isInstalled() {
  const wanted = readPackages('package-lock.json');
  const installed = readPackages('node_modules/.package-lock.json');
  return Object.entries(wanted).every(([path, entry]) => {
    if (!path.startsWith('node_modules/')) return true;
    const found = installed[path];
    return found ? found.version === entry.version && found.integrity === entry.integrity : !belongsHere(entry);
  });
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

function install() {
  console.error('Installing packages (npm ci) …');
  const args = ['ci', '--include=dev', '--include=optional', '--loglevel=error'];
  // npm's own words go to stderr: stdout belongs to the program, whose output may be read by another.
  const { status } = spawnSync('npm', args, { cwd: ROOT, stdio: ['ignore', 2, 2] });
  return status ?? 1;
}

/** npm that is killed passes nothing on; what it started ends with it all the same. */
function endWithNpm() {
  const npm = process.ppid;
  setInterval(() => process.ppid !== npm && process.kill(process.pid, 'SIGTERM'), PARENT_LOOK_MS).unref();
}

const [program, ...args] = process.argv.slice(2);
const failed = isInstalled() ? 0 : install();
if (failed) {
  console.error('The packages could not be installed: see what npm says above.');
  process.exitCode = failed;
} else {
  endWithNpm();
  launch(join(ROOT, program), args);
}
