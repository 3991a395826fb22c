/**
 * The product files whose functions some work calls, from V8's precise coverage of this process. The top level of a module is
 * not a call, because it runs once at startup.
 */
import { Session } from 'node:inspector/promises';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const SOURCES = join(import.meta.dirname, '../../src');

/** The names of the functions that ran, by sorted path relative to the sources. */
export type CalledFiles = ReadonlyMap<string, readonly string[]>;

export async function calledFiles(work: () => Promise<void>): Promise<CalledFiles> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  // Reading the coverage resets the counters.
  await session.post('Profiler.takePreciseCoverage');
  await work();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const called = result.flatMap(({ url, functions }): [string, string[]][] => {
    const file = url.startsWith('file:') ? relative(SOURCES, fileURLToPath(url)) : '..';
    const names = functions.filter(isCall).map(({ functionName }) => functionName || '(anonymous)');
    const isOfProduct = !file.startsWith('..') && !file.endsWith('-under-test.ts');
    return isOfProduct && names.length > 0 ? [[file, names]] : [];
  });
  return new Map(called.sort(([one], [other]) => (one < other ? -1 : 1)));
}

interface FunctionCoverage {
  readonly functionName: string;
  readonly ranges: readonly { readonly startOffset: number; readonly count: number }[];
}

function isCall({ functionName, ranges: [whole] }: FunctionCoverage): boolean {
  const isTopLevel = functionName === '' && whole?.startOffset === 0;
  return whole !== undefined && whole.count > 0 && !isTopLevel;
}
