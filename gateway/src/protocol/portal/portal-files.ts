/** The built pages in memory: one page for every address, and the files that it loads. */
import { readdirSync, readFileSync } from 'node:fs';
import { extname, join } from 'node:path';
import { COMPRESSED_ENDING, NONCE_PLACEHOLDER, SESSION_PLACEHOLDER } from '../../../contract/portal-page.ts';

interface PortalFile {
  readonly contentType: string;
  readonly body: Buffer;
  /** Compressed by brotli. Undefined for a file that is compressed already. */
  readonly compressed: Buffer | undefined;
}

export interface PortalFiles {
  /** The page with the nonce of one response, and the visitor's session as JSON; empty: unknown. */
  readonly page: (nonce: string, session: string) => string;
  readonly assets: ReadonlyMap<string, PortalFile>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
};

/** Reads the files once. Returns undefined if no built pages are in this folder. */
export function loadPortalFiles(folder: string): PortalFiles | undefined {
  const page = readIfThere(join(folder, 'index.html'))?.toString();
  if (page === undefined) return undefined;
  const parts = page.split(NONCE_PLACEHOLDER);
  const assets = join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => Object.hasOwn(CONTENT_TYPES, extname(name)));
  return {
    page: (nonce, session) => parts.map((part) => part.replace(SESSION_PLACEHOLDER, () => session)).join(nonce),
    assets: new Map(names.map((name) => [name, readAsset(assets, name)])),
  };
}

function readAsset(folder: string, name: string): PortalFile {
  return {
    contentType: CONTENT_TYPES[extname(name)] ?? '',
    body: readFileSync(join(folder, name)),
    compressed: readIfThere(join(folder, name + COMPRESSED_ENDING)),
  };
}

function readIfThere(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
