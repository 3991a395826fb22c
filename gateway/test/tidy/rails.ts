/**
 * Checks the location of each rail's files against the recipe for a new rail (docs/recipes/add-a-rail.md): the files that each
 * rail has, the files that name it, and no others. The lists are read from the recipe, so a wrong recipe fails the test.
 */
import { globSync, readFileSync } from 'node:fs';
import { basename, join, matchesGlob } from 'node:path';
import { isTest, ROOT, readSourceFiles, type SourceFile, withoutComments } from './source-files.ts';

const RECIPE = 'docs/recipes/add-a-rail.md';
const RAILS = 'gateway/src/rails';
const SIMULATORS = 'rail-simulators/src';
/** The code that several rails share. The kit is not a rail. */
const KIT = `${RAILS}/kit`;
const REGISTRY = `${RAILS}/registry.ts`;
/** The kit's file defines the type of a rail's offer; the file with this name in a rail's folder creates it. */
const CONNECTOR = 'connector.ts';
/** A rail that calls a third party does so through this file. */
const PROVIDER_HTTP = 'provider-http.ts';

interface RecipeRow {
  /** A path that contains `<name>` for the rail's name, and wildcards. */
  readonly path: string;
  /** The rails that need the file: those that implement a port or import a file, or `every rail`. Undefined if none does. */
  readonly where: string | undefined;
}

interface Rail {
  readonly name: string;
  /** The files in its gateway folder, without tests. */
  readonly files: readonly SourceFile[];
}

export function readRecipe(root = ROOT): RecipeRow[] {
  const text = readFileSync(join(root, RECIPE), 'utf8');
  const rows = text.matchAll(/^\| `([^`]+)` \|.*?\|(?: `?([^|`]+)`? \|)?$/gm);
  return [...rows].map(([, path = '', where]) => ({ path, where }));
}

/** Returns, by rail, the files outside its two folders that name it, without tests. */
export function filesNamingRails(root = ROOT): ReadonlyMap<string, readonly string[]> {
  const sources = readSourceFiles(root).filter((file) => !isTest(file) && !KNOWS_ALL_BANKS.test(file.path));
  const rails = readRails(root, sources);
  const named = rails.filter(({ name }) => !COMMON_WORDS.has(name));
  return new Map(
    named.map(({ name }) => {
      const isNaming = names(name, restsOf(name, rails));
      const outside = sources.filter(({ path }) => !ownFolders(name).some((folder) => path.startsWith(folder)));
      return [name, outside.filter(({ text }) => isNaming(withoutComments(text))).map(({ path }) => path)];
    }),
  );
}

/** Returns one line per deviation of a rail from the recipe. */
export function findRailOffences(root = ROOT, recipe = readRecipe()): string[] {
  const sources = readSourceFiles(root);
  const rails = readRails(root, sources);
  return [
    ...unknownPorts(root, recipe),
    ...rails.flatMap((rail) => [
      ...missingFiles(root, rail, recipe),
      ...misplacedPorts(rail, recipe),
      ...unconnectedPorts(rail, recipe),
      ...unregistered(root, rail),
      ...unconfirmedFacts(rail),
      ...wronglyNamed(rail, recipe, sources, rails),
      ...unlistedFiles(root, rail, recipe),
    ]),
  ];
}

/** Returns one line per file in the recipe that no rail has. */
export function findStaleRows(root = ROOT, recipe = readRecipe()): string[] {
  return recipe
    .flatMap(({ path }) => alternativesOf(path.replaceAll('<name>', '*')))
    .filter((path) => globSync(path, { cwd: root }).length === 0)
    .map((path) => `${RECIPE} lists ${path}, which no rail has`);
}

/** Returns the paths of `folder/{a,b}.ts`. */
function alternativesOf(path: string): string[] {
  const [, before = '', names, after = ''] = /^(.*)\{(.*)\}(.*)$/.exec(path) ?? [];
  return names === undefined ? [path] : names.split(',').map((name) => before + name + after);
}

/** Words with further meanings: the worlds of merchants in test mode, and the mode of a gateway. */
const COMMON_WORDS = new Set(['sandbox']);

/** Like the demo, these know the bank of each rail. */
const KNOWS_ALL_BANKS = /^(?:demo\/test|sandbox|gateway\/simulation)\//;

function readRails(root: string, sources: readonly SourceFile[]): Rail[] {
  return globSync('*/', { cwd: join(root, RAILS) })
    .map((folder) => basename(folder))
    .filter((folder) => folder !== basename(KIT))
    .sort()
    .map((name): Rail => ({ name, files: sources.filter((file) => isOwn(name, file) && !isTest(file)) }));
}

function ownFolders(name: string): readonly string[] {
  return [`${RAILS}/${name}/`, `${SIMULATORS}/${name}/`];
}

function isOwn(name: string, { path }: { readonly path: string }): boolean {
  return path.startsWith(`${RAILS}/${name}/`);
}

/** The recipe must list a file for each port that a connector can offer. */
function unknownPorts(root: string, recipe: readonly RecipeRow[]): string[] {
  const [, connector = ''] =
    /interface Connector \{(.*?)\n\}/s.exec(readFileSync(join(root, KIT, CONNECTOR), 'utf8')) ?? [];
  const ports = [...connector.matchAll(/readonly \w+\?: (\w+);/g)].map(([, port = '']) => port);
  return ports
    .filter((port) => !recipe.some(({ where }) => where === port))
    .map((port) => `${RECIPE} has no file for the port ${port}`);
}

function missingFiles(root: string, rail: Rail, recipe: readonly RecipeRow[]): string[] {
  return recipe
    .filter((row) => row.path.includes('<name>') && isNeeded(row, rail))
    .map(({ path }) => path.replaceAll('<name>', rail.name))
    .filter((path) => globSync(path, { cwd: root }).length === 0)
    .map((path) => `${path} is missing`);
}

function isNeeded({ where }: RecipeRow, rail: Rail): boolean {
  if (where === undefined) return false;
  if (where === 'every rail') return true;
  return where === PROVIDER_HTTP
    ? rail.files.some(({ text }) => text.includes(`/${PROVIDER_HTTP}'`))
    : makersOf(where, rail).length > 0;
}

/** Returns the files with a function that returns the port. */
function makersOf(port: string, { files }: Rail): SourceFile[] {
  return files.filter(({ text }) => new RegExp(`\\): ${port}\\b`).test(text));
}

function portRows(recipe: readonly RecipeRow[]): { path: string; port: string }[] {
  return recipe.flatMap(({ path, where }) => (where && /^[A-Z]\w+$/.test(where) ? [{ path, port: where }] : []));
}

/** Each port must be implemented in the file with its name, and only there. */
function misplacedPorts(rail: Rail, recipe: readonly RecipeRow[]): string[] {
  return portRows(recipe).flatMap(({ path, port }) => {
    const home = path.replaceAll('<name>', rail.name);
    const makers = makersOf(port, rail).map((file) => file.path);
    const elsewhere = makers.filter((maker) => maker !== home).map((maker) => `${maker} makes a ${port}`);
    const makesNone = rail.files.some((file) => file.path === home) && !makers.includes(home);
    return makesNone ? [...elsewhere, `${home} makes no ${port}`] : elsewhere;
  });
}

function unconnectedPorts(rail: Rail, recipe: readonly RecipeRow[]): string[] {
  const connector = rail.files.find(({ path }) => path === connectorOf(rail));
  if (!connector) return [];
  return portRows(recipe)
    .map(({ path }) => path.replaceAll('<name>', rail.name))
    .filter((home) => rail.files.some(({ path }) => path === home) && !connector.text.includes(`'./${basename(home)}'`))
    .map((home) => `${connector.path} does not import ${home}`);
}

function unregistered(root: string, rail: Rail): string[] {
  const registry = readFileSync(join(root, REGISTRY), 'utf8');
  const isRegistered = registry.includes(`'./${rail.name}/${CONNECTOR}'`);
  return isRegistered ? [] : [`${REGISTRY} does not import ${connectorOf(rail)}`];
}

function connectorOf({ name }: Rail): string {
  return `${RAILS}/${name}/${CONNECTOR}`;
}

function unconfirmedFacts({ name, files }: Rail): string[] {
  const protocol = files.find(({ path }) => path === `${RAILS}/${name}/protocol.ts`);
  const [header = ''] = /^\/\*\*.*?\*\//s.exec(protocol?.text ?? '') ?? [];
  return !protocol || /\bConfirmed\b/.test(header)
    ? []
    : [`${protocol.path}: its header says of nothing by what it is confirmed`];
}

/** The recipe must list every file of a rail and its simulator, so that a subject has the same file name in each. */
function unlistedFiles(root: string, { name }: Rail, recipe: readonly RecipeRow[]): string[] {
  const listed = recipe.map(({ path }) => path.replaceAll('<name>', name));
  return globSync(
    ownFolders(name).map((folder) => `${folder}**/*.*`),
    { cwd: root },
  )
    .filter((path) => !listed.some((pattern) => matchesGlob(path, pattern)))
    .map((path) => `${path}: the recipe does not list this file`);
}

/** Finds files that name the rail but are not listed, and listed files that do not name it. */
function wronglyNamed(
  rail: Rail,
  recipe: readonly RecipeRow[],
  sources: readonly SourceFile[],
  rails: readonly Rail[],
): string[] {
  if (COMMON_WORDS.has(rail.name)) return [];
  const isNaming = names(rail.name, restsOf(rail.name, rails));
  const outside = recipe.filter(({ path }) => !path.includes('<name>') && !isOfOneRail(path, rails));
  const named = recipe.filter(({ path }) => path.includes('<name>'));
  const own = [
    ...ownFolders(rail.name).map((folder) => `${folder}**`),
    ...named.map(({ path }) => path.replaceAll('<name>', rail.name)),
  ];
  const allowed = [
    ...own,
    ...outside.filter((row) => row.where === undefined || isNeeded(row, rail)).map(({ path }) => path),
  ];
  const naming = sources
    .filter(({ path, text }) => !path.startsWith('sandbox/') && isNaming(withoutComments(text)))
    .map(({ path }) => path);
  return [
    ...naming
      .filter((path) => !allowed.some((pattern) => matchesGlob(path, pattern)))
      .map((path) => `${path}: names the rail ${rail.name}`),
    ...outside
      .filter((row) => isNeeded(row, rail) && !naming.includes(row.path))
      .map(({ path }) => `${path}: does not name the rail ${rail.name}`),
  ];
}

function isOfOneRail(path: string, rails: readonly Rail[]): boolean {
  return rails.some(({ name }) => ownFolders(name).some((folder) => path.startsWith(folder)));
}

/** Returns the rest of other rails' names that begin with this name, such as `transfers` of `acme-bank-transfers`. */
function restsOf(name: string, rails: readonly Rail[]): string[] {
  return rails.flatMap((other) => (other.name.startsWith(`${name}-`) ? [other.name.slice(name.length + 1)] : []));
}

/**
 * Matches the rail's name as a complete string, in the path of an import or a URL, in an identifier that ends in Rail, or as a
 * variable's prefix. A name that continues with one of `rests` belongs to another rail.
 */
function names(rail: string, rests: readonly string[]): (text: string) => boolean {
  const notPascal = rests.map((rest) => `(?!${pascalOf(rest)})`).join('');
  const notVariable = rests.map((rest) => `(?!${variableOf(rest)}_)`).join('');
  const patterns = [
    new RegExp(`(['"\`])${rail}\\1|/${rail}(?:/|(?:\\.ts)?['"\`])`),
    new RegExp(`\\b\\w*${pascalOf(rail)}${notPascal}\\w*Rail`, 'i'),
    new RegExp(`['"\`.]${variableOf(rail)}_${notVariable}[A-Z]`),
  ];
  return (text) => patterns.some((pattern) => pattern.test(text));
}

function pascalOf(name: string): string {
  return name.replace(/(?:^|-)(\w)/g, (_, letter: string) => letter.toUpperCase());
}

function variableOf(name: string): string {
  return name.toUpperCase().replaceAll('-', '_');
}
