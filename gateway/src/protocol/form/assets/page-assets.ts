/** The style, the script and the icon of the pages, each under an address that changes with its content. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

export interface Asset {
  /** The last part of its address. */
  readonly name: string;
  readonly contentType: string;
  readonly body: Buffer;
  /** The same, for browsers that accept it. */
  readonly gzipped: Buffer;
}

export interface FormAssets {
  readonly styles: Asset;
  readonly script: Asset;
  readonly icon: Asset;
}

/** An address never gets another content, so that a browser need not ask twice. */
export const ASSET_CACHE_CONTROL = 'public, max-age=31536000, immutable';

const STYLES = ['ground', 'page', 'controls', 'fields', 'states'];

/** Each after those that it imports. */
const SCRIPTS = [
  'page-elements',
  'card-number',
  'card-form',
  'field-checks',
  'countdown',
  'live-status',
  'bank-search',
  'bank-steps',
  'form',
];

/** Reads the files once. Throws when one is missing. */
export function loadFormAssets(): FormAssets {
  const styles = STYLES.map((name) => withoutComments(read(`style/${name}.css`)));
  const scripts = SCRIPTS.map((name) => withoutComments(asOneModule(read(`script/${name}.js`))));
  return {
    styles: asset('form', 'css', 'text/css; charset=utf-8', styles.join('')),
    script: asset('form', 'js', 'text/javascript; charset=utf-8', scripts.join('')),
    icon: asset('icon', 'svg', 'image/svg+xml', read('icon.svg')),
  };
}

function read(file: string): string {
  return readFileSync(join(import.meta.dirname, file), 'utf8');
}

/** One file to load: modules that stand one after another need not import each other. */
function asOneModule(script: string): string {
  return script.replace(/^import [^;]*;\n/gm, '').replace(/^export /gm, '');
}

/** Comments that have lines of their own, and the room that they leave. */
function withoutComments(text: string): string {
  return text.replace(/^\s*\/\*[\s\S]*?\*\/\n|^\s*\/\/.*\n|^\s*\n/gm, '');
}

function asset(stem: string, extension: string, contentType: string, text: string): Asset {
  const body = Buffer.from(text);
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 16);
  return { name: `${stem}.${hash}.${extension}`, contentType, body, gzipped: gzipSync(body, { level: 9 }) };
}
