/**
 * The size of the project in figures, as `npm run check` prints them. A figure above its limit fails the check. A limit is
 * raised only for a feature that needs it.
 */
import { dirname } from 'node:path';
import { filesUnder, MOST_FILES } from './file-lists.ts';
import { isTest, ROOT, readSourceFiles, type SourceFile } from './source-files.ts';

interface Figure {
  readonly what: string;
  readonly value: number;
  /** Null if another check enforces the limit (biome, noExcessiveLinesPerFile). */
  readonly limit: number | null;
}

function houseFigures(root = ROOT): readonly Figure[] {
  const files = readSourceFiles(root).filter((file) => !isTest(file));
  const product = files.filter(({ path }) => /^(?:gateway\/src|demo|docs-site|sandbox|portal|sdk)\//.test(path));
  const simulators = files.filter(({ path }) => path.startsWith('rail-simulators/'));
  const folders = Map.groupBy(files, ({ path }) => dirname(path));
  return [
    { what: 'lines of product code', value: linesOf(product), limit: 114_000 },
    { what: 'lines of simulators', value: linesOf(simulators), limit: 17_900 },
    { what: 'lines of the longest file', value: Math.max(...files.map(({ text }) => countLines(text))), limit: 400 },
    {
      what: 'files of the largest folder',
      value: Math.max(...[...folders.values()].map(({ length }) => length)),
      limit: 30,
    },
    ...Object.entries(MOST_FILES).map(([payment, limit]) => ({
      what: `files to open: ${payment}`,
      value: filesUnder(payment, root).length,
      limit,
    })),
  ];
}

function isAbove({ value, limit }: Figure): boolean {
  return limit !== null && value > limit;
}

function linesOf(files: readonly SourceFile[]): number {
  return files.reduce((sum, { text }) => sum + countLines(text), 0);
}

function countLines(text: string): number {
  return text.split('\n').length - 1;
}

if (import.meta.main) {
  const figures = houseFigures();
  for (const { what, value, limit } of figures)
    console.log(
      `${String(value).padStart(8)}  ${what}${isAbove({ what, value, limit }) ? `: more than ${limit}` : ''}`,
    );
  process.exitCode = !figures.some(isAbove) ? 0 : 1;
}
