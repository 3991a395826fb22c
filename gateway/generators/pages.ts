/** The project's pages, for generators and tests: their paths, code blocks, headings and links. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

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
  // A block inside a list is indented.
  return [...text.matchAll(/^( *)```(\w*)\n(.*?)^\1```$/gms)].map(([, , language = '', body = '']) => ({
    language,
    text: body,
  }));
}

/** Returns the only block in that language. Throws if there are none or several. */
export function onlyBlock(page: Page, language: string): string {
  const [block, ...more] = codeBlocks(page).filter((one) => one.language === language);
  if (!block || more.length > 0) throw new Error(`${page.path} has ${block ? 'several' : 'no'} ${language} blocks`);
  return block.text;
}

/** Returns the JSON blocks of a page. */
export function jsonOf(page: Page): Readonly<Record<string, unknown>>[] {
  return codeBlocks(page).flatMap(({ language, text }) => (language === 'json' ? [JSON.parse(text)] : []));
}

/** A shell word: bare, in quotes, or an operator, which ends the command. */
const WORD = /'([^']*)'|"([^"]*)"|(#.*|[;|&>)])|[^\s;|&>)]+/g;

/** Returns the `gateway …` commands in the shell blocks of a page, each as its words after `gateway`. */
export function commandsOf(page: Page): string[][] {
  const lines = codeBlocks(page)
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.replaceAll('\\\n', ' ').split('\n'));
  return lines.flatMap((line) => {
    const [, command] = /(?:^|\bnpx |\$\()gateway (.*)$/.exec(line) ?? [];
    if (command === undefined) return [];
    const words = [...command.matchAll(WORD)];
    const end = words.findIndex(([, , , operator]) => operator !== undefined);
    return [words.slice(0, end < 0 ? words.length : end).map(([word, single, double]) => single ?? double ?? word)];
  });
}

/** Returns the first command on the page with these words. A reader's values replace the shown ones, which must occur. */
export function commandOf(path: string, words: string, own: Readonly<Record<string, string>>): string[] {
  const found = commandsOf(readPage(path)).find((command) => words.split(' ').every((word) => command.includes(word)));
  const missing = found ? Object.keys(own).find((shown) => !found.includes(shown)) : words;
  if (!found || missing !== undefined) throw new Error(`${path} has no command gateway ${words} with ${missing}`);
  return found.map((word) => own[word] ?? word);
}

/** Returns the text without its code blocks: prose, tables and links. */
export function proseOf({ text }: Page): string {
  return text.replace(/^```\w*\n.*?^```$/gms, '');
}
