/**
 * Installs the PostgreSQL programs of this platform's package. They are copied next to the database, so that a reinstallation
 * of packages does not remove them from a running server. The server may also run as a user who cannot read the project.
 */
import { access, cp, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { noPackage } from './embedded-postgres-error.ts';

export interface NativePrograms {
  readonly initdb: string;
  readonly pgCtl: string;
}

/** Copies the programs into `home`, once per package version, and returns their paths. The caller holds the start lock. */
export async function installPrograms(home: string): Promise<NativePrograms> {
  const source = await findPackage();
  const target = join(home, `programs-${source.version}`);
  if (!(await exists(target))) {
    const unfinished = `${target}.unfinished`;
    await rm(unfinished, { recursive: true, force: true });
    await mkdir(unfinished);
    await cp(join(source.folder, 'native'), join(unfinished, 'native'), { recursive: true, verbatimSymlinks: true });
    await linkLibraries(unfinished);
    await rename(unfinished, target);
  }
  return { initdb: join(target, 'native/bin/initdb'), pgCtl: join(target, 'native/bin/pg_ctl') };
}

async function findPackage(): Promise<{ folder: string; version: string }> {
  const platform = `${process.platform}-${process.arch}`;
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const folder = dirname(dirname(entry));
    const manifest = JSON.parse(await readFile(join(folder, 'package.json'), 'utf8'));
    return { folder, version: manifest.version };
  } catch {
    throw noPackage(platform);
  }
}

/** Packages cannot contain symbolic links. The package lists its links in a file, for an install script that we do not run. */
async function linkLibraries(folder: string): Promise<void> {
  const links: { source: string; target: string }[] = JSON.parse(
    await readFile(join(folder, 'native/pg-symlinks.json'), 'utf8'),
  );
  for (const { source, target } of links) {
    await symlink(basename(source), join(folder, target)).catch((error) => {
      if (errorCode(error) !== 'EEXIST') throw error;
    });
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
