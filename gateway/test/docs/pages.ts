/** The project's pages for the tests of the docs: their paths, code blocks, headings and links. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface Page {
  /** The path from the project's root, with `/`. */
  readonly path: string;
  readonly text: string;
}

interface CodeBlock {
  readonly language: string;
  readonly text: string;
}

const WHERE = ['*.md', 'docs/**/*.md', 'rail-simulators/src/**/*.md', 'sdk/{README,*/README}.md'];

export function readPage(path: string): Page {
  return { path, text: readFileSync(join(ROOT, path), 'utf8') };
}

export function allPages(): Page[] {
  return globSync(WHERE, { cwd: ROOT }).sort().map(readPage);
}

export function codeBlocks({ text }: Page): CodeBlock[] {
  return [...text.matchAll(/^```(\w*)\n(.*?)^```$/gms)].map(([, language = '', body = '']) => ({
    language,
    text: body,
  }));
}

/** The only block of that language. Throws when the page has none or several. */
export function onlyBlock(page: Page, language: string): string {
  const [block, ...more] = codeBlocks(page).filter((one) => one.language === language);
  if (!block || more.length > 0) throw new Error(`${page.path} has ${block ? 'several' : 'no'} ${language} blocks`);
  return block.text;
}

/** The text without its code blocks: prose, tables and links. */
export function proseOf({ text }: Page): string {
  return text.replace(/^```\w*\n.*?^```$/gms, '');
}
