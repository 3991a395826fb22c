/**
 * Finds import cycles between files, and between sibling folders of the product: two folders that import each other should be
 * one folder. Type imports count. A folder and its subfolders may import each other.
 */
import { dirname, posix } from 'node:path';
import { isTest, ROOT, readSourceFiles, type SourceFile } from './source-files.ts';

type Graph = ReadonlyMap<string, ReadonlySet<string>>;

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'(\.[^']+)'/g;

/** Returns one line per group of files, or of folders, in which each reaches every other. */
function findImportCycles(root = ROOT): string[] {
  const files = readSourceFiles(root);
  const known = new Set(files.map(({ path }) => path));
  const graph = new Map(files.map((file) => [file.path, importsOf(file, known)]));
  const product = new Map(
    files.filter((file) => !isTest(file)).map(({ path }) => [path, graph.get(path) ?? new Set<string>()]),
  );
  return [...cyclesIn(graph), ...cyclesIn(foldersOf(product))].map((cycle) => `import cycle: ${cycle.join(', ')}`);
}

function importsOf({ path, text }: SourceFile, known: ReadonlySet<string>): Set<string> {
  const imported = [...text.matchAll(IMPORT)].map(([, name = '']) => posix.join(dirname(path), name));
  return new Set(imported.filter((name) => known.has(name)));
}

function foldersOf(graph: Graph): Graph {
  const folders = new Map<string, Set<string>>();
  for (const [path, imported] of graph) {
    const folder = dirname(path);
    const reached = folders.get(folder) ?? new Set();
    for (const other of [...imported].map((name) => dirname(name))) if (isBeside(folder, other)) reached.add(other);
    folders.set(folder, reached);
  }
  return folders;
}

function isBeside(one: string, other: string): boolean {
  return one !== other && !one.startsWith(`${other}/`) && !other.startsWith(`${one}/`);
}

/** Returns Tarjan's strongly connected components with more than one node, each sorted. */
function cyclesIn(graph: Graph): string[][] {
  const cycles: string[][] = [];
  const order = new Map<string, number>();
  const open: string[] = [];
  const visit = (node: string): number => {
    const number = order.size;
    order.set(node, number);
    let low = number;
    open.push(node);
    for (const next of graph.get(node) ?? []) {
      if (!order.has(next)) low = Math.min(low, visit(next));
      else if (open.includes(next)) low = Math.min(low, order.get(next) ?? low);
    }
    if (low === number) {
      const component = open.splice(open.indexOf(node));
      if (component.length > 1) cycles.push(component.sort());
    }
    return low;
  };
  for (const node of graph.keys()) if (!order.has(node)) visit(node);
  return cycles;
}

if (import.meta.main) {
  const cycles = findImportCycles();
  for (const line of cycles) console.log(line);
  process.exitCode = cycles.length === 0 ? 0 : 1;
}
