/**
 * The permitted imports between folders (ARCHITECTURE.md), as a table with its check. Imports are resolved first, so that
 * neither a folder of the same name nor a longer path changes the result. A relative import must end with the extension of its
 * file. Biome has a rule for this (useImportExtensions), but it would read every file a second time.
 */
import { dirname, posix } from 'node:path';
import { isTest, ROOT, readSourceFiles, type SourceFile } from './source-files.ts';

interface Rule {
  /** The folders that may be imported, in addition to the folder itself. */
  readonly folders: readonly string[];
  /** The packages that may be imported. If undefined, all except OWNED_PACKAGES. */
  readonly packages?: readonly string[];
}

const FOUNDATION = 'gateway/src/foundation';
const DOMAIN = 'gateway/src/domain';
/** The schemas of the management API, which clients share. */
const CONTRACT = 'gateway/contract';

/** The packages that only compute: no HTTP, SQL or vendor. (node:net is included for isIP.) */
const PURE = ['node:crypto', 'node:net', 'node:path', 'node:zlib', 'ipaddr.js', 'card-validator', 'otpauth'];

const RULES: Readonly<Record<string, Rule>> = {
  [FOUNDATION]: { folders: [], packages: PURE },
  [DOMAIN]: { folders: [FOUNDATION], packages: PURE },
  [CONTRACT]: { folders: [], packages: ['typebox'] },
  'gateway/src/protocol': { folders: [FOUNDATION, DOMAIN, CONTRACT] },
  'gateway/src/rails': { folders: [FOUNDATION, DOMAIN] },
  'gateway/src/storage': { folders: [FOUNDATION, DOMAIN] },
  'gateway/src/worker': { folders: [FOUNDATION, DOMAIN] },
  'gateway/src/cli': { folders: [FOUNDATION, DOMAIN, CONTRACT] },
  'gateway/src/main': { folders: ['gateway/src', CONTRACT] },
  'rail-simulators': { folders: [] },
  portal: { folders: [CONTRACT] },
  /** Merchants install it without this project. */
  sdk: { folders: [], packages: ['node:crypto', 'node:fs', 'node:path', 'node:readline'] },
  // Its history moves the gateway's clock and replaces banks.
  demo: {
    folders: ['gateway/src/main', 'gateway/src/domain', 'gateway/src/foundation', 'rail-simulators', 'portal'],
  },
  'docs-site': { folders: [] },
  sandbox: { folders: ['gateway/src/main', FOUNDATION, 'demo/src', 'rail-simulators'] },
};

/** Only storage contains SQL, so no other folder holds a connection. */
const OWNED_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  pg: ['gateway/src/storage', 'gateway/src/main'],
};

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*(['"])(.+?)\1/g;
const EXTENSION = /\.(?:tsx?|css|json)$/;
const COMPUTED_IMPORT = /\bimport\s*\(\s*[^'"\s]/;

/** Returns one line per forbidden import. Tests may import anything, and nothing may import tests. */
export function findForbiddenImports(root = ROOT): string[] {
  return readSourceFiles(root)
    .filter((file) => !isTest(file) || file.path.startsWith('rail-simulators/'))
    .flatMap((file) => forbiddenImports(file).map((imported) => `${file.path} may not import ${imported}`));
}

function forbiddenImports(file: SourceFile): string[] {
  const home = Object.keys(RULES).find((folder) => isInside(file.path, folder));
  const rule = home ? RULES[home] : undefined;
  if (!home || !rule) return ['anything: its folder has no rule'];
  const imported = [...file.text.matchAll(IMPORT)].map((match) => match[2] ?? '');
  const forbidden = imported.filter((name) => !isAllowed(name, file, home, rule));
  return COMPUTED_IMPORT.test(file.text) ? [...forbidden, 'a computed import'] : forbidden;
}

function isAllowed(name: string, file: SourceFile, home: string, rule: Rule): boolean {
  if (name.startsWith('.')) {
    if (!EXTENSION.test(name)) return false;
    const target = posix.join(dirname(file.path), name);
    return [home, ...rule.folders].some((folder) => isInside(target, folder)) && !isTest({ path: target, text: '' });
  }
  if (rule.packages) return rule.packages.includes(name);
  const owners = OWNED_PACKAGES[name];
  return owners
    ? owners.includes(home)
    : !/^(?:gateway|rail-simulators|demo|docs-site|sandbox|portal|sdk)(?:\/|$)/.test(name);
}

function isInside(path: string, folder: string): boolean {
  return path.startsWith(`${folder}/`);
}

if (import.meta.main) {
  const forbidden = findForbiddenImports();
  for (const line of forbidden) console.log(line);
  process.exitCode = forbidden.length === 0 ? 0 : 1;
}
