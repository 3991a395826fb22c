/**
 * `npm run portal` builds the pages, unless the built ones are those of today's sources. Each file that a browser loads gets a
 * compressed copy, so that the server does not compress anything.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { COMPRESSED_ENDING } from '../gateway/contract/portal-page.ts';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(import.meta.dirname, 'dist');
/** Holds the fingerprint of the sources. */
const FINGERPRINT = 'sources';

const SOURCES = ['portal/src/**/*', 'portal/*.{ts,html,json}', 'gateway/contract/**/*.ts', 'package-lock.json'];

/** Resolves to true if it built the pages, and to false if they were built already. */
export async function buildPortal(): Promise<boolean> {
  const fingerprint = fingerprintOfSources();
  const built = await readFile(join(BUILT, FINGERPRINT), 'utf8').catch(() => '');
  if (built === fingerprint) return false;
  // Imported here, because a run that only checks does not need a bundler.
  const { build } = await import('vite');
  const own = `${BUILT}-${process.pid}`;
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn', build: { outDir: own } });
  await compressAssets(own);
  await writeFile(join(own, FINGERPRINT), fingerprint);
  await publish(own);
  return true;
}

/** The pages appear whole. If two processes build at the same time, the later process leaves the other’s files. */
async function publish(own: string): Promise<void> {
  await rm(BUILT, { recursive: true, force: true });
  try {
    await rename(own, BUILT);
  } catch {
    await rm(own, { recursive: true });
  }
}

function fingerprintOfSources(): string {
  const hash = createHash('sha256');
  for (const path of globSync(SOURCES, { cwd: ROOT, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort())
    hash.update(path.slice(ROOT.length)).update('\0').update(readFileSync(path)).update('\0');
  return hash.digest('hex');
}

async function compressAssets(built: string): Promise<void> {
  const folder = join(built, 'assets');
  for (const name of await readdir(folder))
    if (/\.(?:js|css|svg)$/.test(name))
      await writeFile(join(folder, name + COMPRESSED_ENDING), brotliCompressSync(await readFile(join(folder, name))));
}

if (import.meta.main) console.log((await buildPortal()) ? 'The pages are built.' : 'The pages are up to date.');
