/** The style sheet, the script and the icon of the pages. Each address changes with its content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { CARD_NETWORKS, findNetwork } from '../../../domain/methods/card-brand.ts';
import { foldName, LETTERS, SPELLINGS } from '../view/fold-name.ts';

export interface Asset {
  /** The last part of the asset's address. */
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The compressed body, for browsers that accept it. */
  readonly gzipped: Buffer;
}

export interface FormAssets {
  readonly styles: Asset;
  readonly script: Asset;
  readonly icon: Asset;
}

/** The content of an address never changes, so browsers need not revalidate it. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

const STYLES = ['ground', 'page', 'controls', 'fields', 'states'];

/** In dependency order: each file after those that it imports. */
const SCRIPTS = [
  'page-elements',
  'card-number',
  'card-form',
  'field-checks',
  'countdown',
  'connection',
  'live-status',
  'bank-search',
  'bank-steps',
  'embedding',
  'wallets',
  'form',
];

/** The values that the server and the script share. Node has stripped the types of the functions. */
const SHARED = [
  `const CARD_NETWORKS = ${JSON.stringify(CARD_NETWORKS)};\n`,
  `const LETTERS = ${JSON.stringify(LETTERS)};\n`,
  `const SPELLINGS = ${JSON.stringify(SPELLINGS)};\n`,
  `${findNetwork}\n`,
  `${foldName}\n`,
];

/** Reads the files once. Throws if one is missing. */
export function loadFormAssets(): FormAssets {
  const styles = STYLES.map((name) => withoutComments(read(`style/${name}.css`)));
  const scripts = SCRIPTS.map((name) => withoutComments(asOneModule(read(`script/${name}.js`))));
  return {
    styles: asset('form', 'css', 'text/css; charset=utf-8', styles.join('')),
    script: asset('form', 'js', 'text/javascript; charset=utf-8', [...SHARED, ...scripts].join('')),
    icon: asset('icon', 'svg', 'image/svg+xml', read('icon.svg')),
  };
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

/** Joins the modules into one file. Joined modules need no imports. */
function asOneModule(script: string): string {
  return script.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

/** Removes comments on lines of their own, blank lines, indentation and needless line ends. No text of ours spans lines. */
function withoutComments(text: string): string {
  const bare = text.replace(/^\s*\/\*[\s\S]*?\*\/\n|^\s*\/\/.*\n|^\s*\n/gm, '');
  return bare.replace(/^ +/gm, '').replace(/([{;,])\n/g, '$1');
}

function asset(stem: string, extension: string, contentType: string, text: string): Asset {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { name: `${stem}.${hash}.${extension}`, contentType, body, gzipped: gzipSync(body, { level: 9 }) };
}
