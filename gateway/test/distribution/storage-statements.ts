/**
 * Every SQL statement in storage, as text: string literals that begin with an SQL verb, with the constants that they
 * interpolate. Parts that are known only at run time are placeholders.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { withoutComments } from '../tidy/source-files.ts';

const STORAGE = join(import.meta.dirname, '../../src/storage');
const VERB = /^\s*(?:with|select|insert|update|delete)\s/;
/** A conditional fragment. It is treated as if it followed the merchants' table. */
const CHOSEN = /^\s*(?:cross |left |right |full )?join\s/;
const PLACEHOLDER = 'x_1';

export interface Statement {
  /** The name of the file that contains it. */
  readonly file: string;
  /** The statement on one line, in lower case, without literals. */
  readonly sql: string;
}

interface Literal {
  readonly text: string;
  /** The name of the constant that holds it. */
  readonly name: string | undefined;
}

export function readStorageStatements(folder = STORAGE): Statement[] {
  const files = globSync('**/*.ts', { cwd: folder })
    .filter((file) => !file.endsWith('.test.ts') && !/^(?:embedded|sandbox)\//.test(file))
    .sort()
    .map((file) => ({
      file: basename(file),
      literals: readLiterals(withoutComments(readFileSync(join(folder, file), 'utf8'))),
    }));
  const everywhere = constantsOf(files.flatMap(({ literals }) => literals));
  return files.flatMap(({ file, literals }) => {
    const constants = new Map([...everywhere, ...constantsOf(literals)]);
    return literals
      .map(({ text }) => fillIn(text, constants))
      .map((text) => (CHOSEN.test(text) ? `select from merchants as m ${text}` : text))
      .filter((text) => VERB.test(text))
      .map((text) => ({ file, sql: oneLine(text) }));
  });
}

function constantsOf(literals: readonly Literal[]): Map<string, string> {
  return new Map(literals.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])));
}

function readLiterals(code: string): Literal[] {
  const literals: Literal[] = [];
  for (let at = 0; at < code.length; at++) {
    const quote = code[at];
    if (quote !== '`' && quote !== "'") continue;
    const end = endOfLiteral(code, at);
    const name = /\bconst (\w+)(?:: [^=]+)? =\s*$/.exec(code.slice(Math.max(0, at - 120), at))?.[1];
    literals.push({ text: code.slice(at + 1, end), name });
    at = end;
  }
  return literals;
}

/** Returns the end of the literal that begins at `start`. The `${…}` of a template may contain other literals. */
function endOfLiteral(code: string, start: number): number {
  const quote = code[start];
  for (let at = start + 1; at < code.length; at++) {
    if (code[at] === '\\') at++;
    else if (quote === '`' && code.startsWith('${', at)) at = endOfHole(code, at + 2);
    else if (code[at] === quote) return at;
  }
  return code.length;
}

function endOfHole(code: string, start: number): number {
  for (let at = start, depth = 1; at < code.length; at++) {
    if (code[at] === '`' || code[at] === "'") at = endOfLiteral(code, at);
    else if (code[at] === '{') depth++;
    else if (code[at] === '}' && --depth === 0) return at;
  }
  return code.length;
}

function fillIn(text: string, constants: ReadonlyMap<string, string>): string {
  return text.replace(/\$\{((?:[^{}]|\{[^{}]*\})*)\}/g, (_, hole: string) => {
    const value = constants.get(hole.trim());
    return value === undefined ? PLACEHOLDER : fillIn(value, constants);
  });
}

function oneLine(text: string): string {
  return text
    .replace(/'(?:[^']|'')*'/g, "''")
    .replace(/\s+/g, ' ')
    .trim()
    .toLowerCase();
}
