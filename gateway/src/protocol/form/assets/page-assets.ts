/** The style sheet, the scripts and the icon of the pages. Each address changes with its content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CARD_NETWORKS, findNetwork } from '../../../domain/methods/card-brand.ts';
import { PAGE_SCRIPTS, type PageScript } from '../pages/page-context.ts';
import { foldName, LETTERS, SPELLINGS } from '../view/fold-name.ts';

interface Asset {
  /** The last part of the asset's address. */
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The compressed body, for browsers that accept it. */
  readonly gzipped: Buffer;
}

export type FormAssets = Readonly<Record<'styles' | 'icon' | PageScript, Asset>>;

/** The content of an address never changes, so browsers need not revalidate it. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

const STYLES = ['ground', 'page', 'controls', 'fields', 'states'];

/**
 * The scripts in dependency order: each file follows the files that it imports. A page loads `form`, and before it the scripts
 * that its content needs.
 */
const SCRIPTS: Readonly<Record<PageScript, readonly string[]>> = {
  form: [
    'page-elements',
    'reload',
    'moment',
    'countdown',
    'connection',
    'live-status',
    'bank-steps',
    'embedding',
    'form',
  ],
  fields: ['page-elements', 'card-number', 'browser-fields', 'card-form', 'field-checks'],
  banks: ['page-elements', 'bank-search'],
  wallets: ['page-elements', 'browser-fields', 'connection', 'wallets'],
};

/** The values that the server and the script share. Node has stripped the types of the functions. */
const SHARED: Readonly<Partial<Record<PageScript, string>>> = {
  fields: `const CARD_NETWORKS = ${JSON.stringify(CARD_NETWORKS)};\n${findNetwork}\n`,
  banks: `const LETTERS = ${JSON.stringify(LETTERS)};\nconst SPELLINGS = ${JSON.stringify(SPELLINGS)};\n${foldName}\n`,
};

/** Reads the files once. Throws if one is missing. */
export function loadFormAssets(): FormAssets {
  const styles = STYLES.map((name) => withoutComments(read(`style/${name}.css`)));
  return {
    styles: asset('form', 'css', 'text/css; charset=utf-8', styles.join('')),
    icon: asset('icon', 'svg', 'image/svg+xml', read('icon.svg')),
    ...(Object.fromEntries(PAGE_SCRIPTS.map((name) => [name, script(name)])) as Record<PageScript, Asset>),
  };
}

function script(name: PageScript): Asset {
  const parts = SCRIPTS[name].map((file) => withoutComments(asOneModule(read(`script/${file}.js`))));
  return asset(name, 'js', 'text/javascript; charset=utf-8', [SHARED[name] ?? '', ...parts].join(''));
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

/** Joins the modules into one file. Joined modules need no imports. */
function asOneModule(script: string): string {
  return script.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

/**
 * Removes comments on separate lines, blank lines, indentation and needless line ends. No string in our scripts spans lines.
 */
function withoutComments(text: string): string {
  const bare = text.replace(/^\s*\/\*[\s\S]*?\*\/\n|^\s*\/\/.*\n|^\s*\n/gm, '');
  return bare.replace(/^ +/gm, '').replace(/([{;,])\n/g, '$1');
}

function asset(stem: string, extension: string, contentType: string, text: string): Asset {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { name: `${stem}.${hash}.${extension}`, contentType, body, gzipped: gzipSync(body, { level: 9 }) };
}
