/**
 * A program that npm started ends with npm. npm that is killed passes nothing on, and the shell between npx and its program
 * dies of a
 * signal without a word to that program. A program that somebody started without npm outlives whoever that was.
 */
import { readFileSync } from 'node:fs';

const LOOK_MS = 250;

/** Ends this process as SIGTERM does, once npm, or the shell that npm started for it, is gone. */
export function endWithNpm() {
  const parent = process.ppid;
  const npm = isShellOfNpm(parent) ? parentOf(parent) : undefined;
  const looking = setInterval(() => {
    if (process.ppid === parent && (npm === undefined || parentOf(parent) === npm)) return;
    clearInterval(looking);
    process.kill(process.pid, 'SIGTERM');
  }, LOOK_MS);
  looking.unref();
}

/** npx starts a program by `sh -c`; the scripts of package.json begin with `exec`, so that no shell stays. */
function isShellOfNpm(pid) {
  return /^(\S*\/)?sh\0-c\0/.test(readProc(pid, 'cmdline'));
}

/** Undefined where the system does not say: then only the own parent is looked at. */
function parentOf(pid) {
  const [, parent] = /^\d+ \(.*\) \S (\d+)/s.exec(readProc(pid, 'stat')) ?? [];
  return parent;
}

function readProc(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
