/** Plants one bug at a time into a copy of the source, and runs new seeds for some minutes to find it. */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.ts';

const ROOT = join(import.meta.dirname, '../../..');
const COPIED = ['gateway', 'rail-simulators', 'package.json', 'tsconfig.json'];

interface Hunt {
  readonly days: number;
  readonly scale: string;
  readonly minutes: number;
  /** Part of a bug's name. If empty, the search covers all bugs. */
  readonly only: string;
}

/** Prints one line per bug. Resolves to false if a bug was not found. */
export async function huntPlantedBugs({ only, ...hunt }: Hunt): Promise<boolean> {
  const bugs = PLANTED_BUGS.filter(({ name }) => name.includes(only));
  const missed: string[] = [];
  for (const bug of bugs) {
    const begunAt = performance.now();
    const seed = await huntOne(bug, hunt);
    const seconds = Math.round((performance.now() - begunAt) / 1_000);
    console.log(`${seed === undefined ? 'MISSED' : `found by seed ${seed}`} in ${seconds} s: ${bug.name}`);
    if (seed === undefined) missed.push(bug.name);
  }
  console.log(`${bugs.length - missed.length} of ${bugs.length} planted bugs found`);
  return missed.length === 0;
}

async function huntOne(bug: PlantedBug, { days, scale, minutes }: Omit<Hunt, 'only'>): Promise<string | undefined> {
  const copy = await mkdtemp(join(tmpdir(), 'planted-'));
  try {
    for (const name of COPIED) await cp(join(ROOT, name), join(copy, name), { recursive: true });
    await symlink(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
    await plant(bug, copy);
    const first = bug.foundBy?.seed ?? '1';
    const rejectionStalls = bug.foundBy?.rejectionStalls;
    const options = [
      '--seed',
      first,
      '--seeds',
      '1000000',
      '--days',
      `${bug.foundBy?.days ?? days}`,
      '--scale',
      `${bug.foundBy?.scale ?? scale}`,
      ...(rejectionStalls === undefined ? [] : ['--rejection-stalls', `${rejectionStalls}`]),
    ];
    return await firstFailure(copy, options, minutes);
  } finally {
    await rm(copy, { recursive: true });
  }
}

/** Throws if the source no longer contains `before`. */
async function plant({ name, file, before, after }: PlantedBug, root: string): Promise<void> {
  const path = join(root, 'gateway/src', file);
  const text = await readFile(path, 'utf8');
  if (text.split(before).length !== 2)
    throw new Error(`${file} does not have the place of the planted bug once: ${name}`);
  await writeFile(
    path,
    text.replace(before, () => after),
  );
}

/** Returns the first seed that reports a violation or an exception. */
async function firstFailure(copy: string, options: readonly string[], minutes: number): Promise<string | undefined> {
  const child = spawn(process.execPath, [join(copy, 'gateway/simulation/main.ts'), ...options, '--until-failure'], {
    cwd: copy,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const timer = setTimeout(() => child.kill('SIGTERM'), minutes * 60_000);
  await new Promise((resolve) => child.once('close', resolve));
  clearTimeout(timer);
  return /^seed (\S+): \d+ VIOLATIONS/m.exec(output)?.[1];
}
