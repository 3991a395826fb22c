/**
 * `npm run portal` builds the pages, unless they are already built from the current sources. Each file that a browser loads
 * also gets a compressed copy, so that the server need not compress.
 */
import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { COMPRESSED_ENDING } from '../gateway/contract/portal-page.ts';

const ROOT = join(import.meta.dirname, '..');
const BUILT = join(import.meta.dirname, 'dist');
/** The file that contains the fingerprint of the sources. */
const FINGERPRINT = 'sources';

const SOURCES = ['portal/src/**/*', 'portal/*.{ts,html,json}', 'gateway/contract/**/*.ts', 'package-lock.json'];

/** Resolves to whether it had to build the pages. */
export async function buildPortal(): Promise<boolean> {
  const fingerprint = fingerprintOfSources();
  const built = await readFile(join(BUILT, FINGERPRINT), 'utf8').catch(() => '');
  if (built === fingerprint) return false;
  // Imported here, because a run that only checks needs no bundler.
  const { build } = await import('vite');
  const own = `${BUILT}-${process.pid}`;
  await build({ configFile: join(import.meta.dirname, 'vite.config.ts'), logLevel: 'warn', build: { outDir: own } });
  await compressAssets(own);
  await writeFile(join(own, FINGERPRINT), fingerprint);
  await publish(own);
  return true;
}

/** Publishes all pages at once. If two processes build at the same time, the later one keeps the other’s files. */
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
