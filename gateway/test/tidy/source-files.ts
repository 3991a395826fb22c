/** The project's own source files, for the tests in this folder. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '../../..');

export interface SourceFile {
  /** The path from the project's root, with slashes. */
  readonly path: string;
  readonly text: string;
}

const WORKSPACES = '{gateway,rail-simulators,demo,docs-site,sandbox,portal,sdk}';

export function readSourceFiles(root = ROOT): SourceFile[] {
  return filesUnder(root, [`${WORKSPACES}/**/*.{ts,tsx}`])
    .sort()
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }));
}

/** Returns the paths of the files that a comment may name. */
export function nameableFiles(root = ROOT): string[] {
  return filesUnder(root, [`${WORKSPACES}/**/*.{ts,tsx,sql,md}`, 'docs/**/*.md', '*.md']);
}

function filesUnder(root: string, patterns: string[]): string[] {
  return globSync(patterns, { cwd: root, exclude: (name) => name === 'node_modules' || name === 'dist' });
}

export function commentsOf(text: string): string[] {
  return text.match(/\/\*[\s\S]*?\*\/|(?<=^|\s)\/\/.*$/gm) ?? [];
}

export function isTest({ path }: SourceFile): boolean {
  return (
    path.endsWith('.test.ts') ||
    /^(?:gateway\/(?:(?:test|simulation|bench|generators)\/|.*-under-test\.ts$)|demo\/test\/)/.test(path)
  );
}

export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/(^|\s)\/\/.*$/gm, '$1');
}
