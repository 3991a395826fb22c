/**
 * Runs one of the project's TypeScript programs with a Node that can (24 or newer): the one among the packages, or else
 * the user's own. Plain JavaScript, because it is itself run by any Node from 20.19 on.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { dirname, join } from 'node:path';

const NEEDED_MAJOR = 24;
/** How long a repeated signal counts as the same one: npm and a terminal both deliver a Ctrl-C. */
const SAME_SIGNAL_MS = 500;

/**
 * Node's compile cache, seen from the packaged Node: the next start takes half of the CPU time. Nothing is kept
 * where that cannot be written.
 */
const COMPILE_CACHE = '../.cache/compiled';

/**
 * The signal that is passed on for each signal. A terminal that closes asks the program to end as tidily as SIGTERM does; without a
 * terminal somebody sent SIGHUP on purpose.
 */
const FORWARDED = { SIGINT: 'SIGINT', SIGTERM: 'SIGTERM', SIGHUP: process.stdin.isTTY ? 'SIGTERM' : 'SIGHUP' };

/** Runs `program` until it ends; this process then ends the same way, by exit code or by signal. */
export function launch(program, args) {
  const packaged = findPackagedNode(dirname(program));
  const node = packaged ?? ownNode();
  if (!node) {
    console.error(`The gateway needs Node ${NEEDED_MAJOR} or newer, and this is ${process.version}.`);
    process.exitCode = 1;
    return;
  }
  // In a process group of its own it gets a terminal's Ctrl-C once, from here, and not also from the terminal.
  const env = packaged ? { NODE_COMPILE_CACHE: join(dirname(packaged), COMPILE_CACHE), ...process.env } : process.env;
  const child = spawn(node, [program, ...args], { stdio: 'inherit', detached: true, env });
  forwardSignals(child);
  child.on('error', (error) => {
    console.error(`${node} cannot be run: ${error.message}.`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]));
}

/** A second SIGTERM changes nothing in a stop, and it would kill a program that has stopped and is being torn down. */
function forwardSignals(child) {
  let last = Number.NEGATIVE_INFINITY;
  let isStopping = false;
  for (const [received, sent] of Object.entries(FORWARDED)) {
    process.on(received, () => {
      const now = performance.now();
      if (now - last > SAME_SIGNAL_MS && !(isStopping && sent === 'SIGTERM')) child.kill(sent);
      isStopping ||= sent === 'SIGTERM';
      last = now;
    });
  }
}

function findPackagedNode(folder) {
  const packaged = join(folder, 'node_modules/.bin/node');
  if (existsSync(packaged)) return packaged;
  return dirname(folder) === folder ? undefined : findPackagedNode(dirname(folder));
}

function ownNode() {
  return Number.parseInt(process.versions.node, 10) >= NEEDED_MAJOR ? process.execPath : undefined;
}
