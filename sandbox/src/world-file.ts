/** A world's memory outside its database: its seed, its starts, and how far its clock is from the machine's. */
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

interface WorldFile {
  readonly seed: string | null;
  readonly offsetMs: number;
  /** How often the world was opened, so that no start draws the random values of an earlier start. */
  readonly starts: number;
}

const pathIn = (folder: string) => join(folder, 'world.json');

export async function readWorldFile(folder: string): Promise<WorldFile | undefined> {
  const text = await readFile(pathIn(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  return text === undefined ? undefined : (JSON.parse(text) as WorldFile);
}

export async function writeWorldFile(folder: string, world: WorldFile): Promise<void> {
  await writeFile(pathIn(folder), `${JSON.stringify(world)}\n`, { mode: 0o600 });
}

export async function forgetWorldFile(folder: string): Promise<void> {
  await rm(pathIn(folder), { force: true });
}
