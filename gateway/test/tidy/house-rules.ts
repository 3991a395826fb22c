/** The house rules (STYLE.md) that no linter checks, each with its pattern and the files that it applies to. */
import { basename } from 'node:path';
import {
  commentsOf,
  isTest,
  nameableFiles,
  ROOT,
  readSourceFiles,
  type SourceFile,
  withoutComments,
} from './source-files.ts';

interface Rule {
  readonly why: string;
  readonly offence: RegExp;
  readonly appliesTo: (file: SourceFile) => boolean;
}

const AMBIENT_ALLOWED = [
  /^gateway\/src\/foundation\/(?:clock|random)\.ts$/,
  /^gateway\/src\/main\//,
  /^rail-simulators\/src\/(?:clock|main)\.ts$/,
  /^demo\//,
  /^portal\/src\/browser\.ts$/,
  // A merchant's program is not part of a replayed run, and may pass its own clock.
  /^sdk\/typescript\/src\/callbacks\.ts$/,
  /^sdk\/recipes\//,
];

/** The objects that `create…` functions of the domain build: objects with state or keys, and tokens. */
const CREATED = [
  'BankDirectory',
  'ExchangeLog',
  'Keyring',
  'MasterKey',
  'MerchantDirectory',
  'PauseView',
  'RailChoice',
  'RefundRail',
  'RequestLog',
  'Sealer',
  'Token',
  'Vault',
];

const RULES: readonly Rule[] = [
  {
    why: 'time and randomness are parameters',
    offence:
      /Date\.now|new Date\(\)|performance\.now|hrtime|Math\.random|random(?:UUID|Bytes|Int|FillSync)|getRandomValues/,
    appliesTo: (file) => !isTest(file) && !AMBIENT_ALLOWED.some((allowed) => allowed.test(file.path)),
  },
  {
    why: 'a disabled test proves nothing',
    offence: /\b(?:skip|only|todo):\s*(?:true|['"`])|\b(?:it|test|describe|suite)\.(?:skip|only|todo)\b/,
    appliesTo: isTest,
  },
  {
    why: 'a command is a function of its parts and its order; withParts gives it its parts',
    offence: new RegExp(
      `^export function (?:create(?!(?:${CREATED.join('|')})\\()|(?:(?!\\n\\w)[^])*?\\n {2}return async \\()`,
      'm',
    ),
    appliesTo: (file) => !isTest(file) && file.path.startsWith('gateway/src/domain/'),
  },
  {
    why: 'a port of storage is in the …-store.ts of its noun',
    offence: /^export interface \w+Store\b/m,
    appliesTo: ({ path }) => path.startsWith('gateway/src/domain/') && !path.endsWith('-store.ts'),
  },
  {
    why: 'callPayoutRail and callRail call a rail, with its timeout and its metrics',
    offence: /^(?!.*\bcallRail\().*\brail\.(?:send|ask|repeat)\(/m,
    appliesTo: (file) =>
      !isTest(file) && file.path.startsWith('gateway/src/') && !file.path.startsWith('gateway/src/rails/'),
  },
];

const VAGUE_NAME = /^(?:(?:utils?|helpers?|managers?|common|misc|shared)(?:-.*)?|index)$/;

export function findOffences(root = ROOT): string[] {
  const files = readSourceFiles(root).filter(({ path }) => !path.startsWith('gateway/test/tidy/'));
  return [
    ...files.flatMap(ruleOffences),
    ...files.flatMap(vagueNames),
    ...files.flatMap(missingHeader),
    ...missingFiles(files, root),
    ...unpairedStores(files),
    ...testsWithoutSubject(files),
  ];
}

function ruleOffences(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  return RULES.filter((rule) => rule.appliesTo(file) && rule.offence.test(code)).map(
    (rule) => `${file.path}: ${rule.why} (${rule.offence.exec(code)?.[0]})`,
  );
}

const FILE_IN_COMMENT = /(?<![\w./*<{$-])(?:[\w.-]+\/)*[\w-][\w.-]*\.(?:tsx?|sql|md)(?![\w/-])/g;
/** Its comments name the files of a merchant's own program. */
const OF_MERCHANT = 'sdk/recipes/';

function missingFiles(files: readonly SourceFile[], root: string): string[] {
  const ends = new Set(nameableFiles(root).flatMap(endsOf));
  return files
    .filter(({ path }) => !path.startsWith(OF_MERCHANT))
    .flatMap(({ path, text }) =>
      commentsOf(text)
        .flatMap((comment) => comment.match(FILE_IN_COMMENT) ?? [])
        .filter((name) => !ends.has(name))
        .map((name) => `${path}: its comment names ${name}, which does not exist`),
    );
}

/** Returns the names by which a comment may refer to a file: the last parts of its path. */
function endsOf(path: string): string[] {
  const parts = path.split('/');
  return parts.map((_, index) => parts.slice(index).join('/'));
}

const STORE = /^(gateway\/src\/)(domain|storage)(\/.*-store\.ts)$/;

/** A port and its implementation must have the same path in their layers. */
function unpairedStores(files: readonly SourceFile[]): string[] {
  const paths = new Set(files.map(({ path }) => path));
  return [...paths].flatMap((path) => {
    const [, root, layer, rest] = STORE.exec(path) ?? [];
    const other = root && `${root}${layer === 'domain' ? 'storage' : 'domain'}${rest}`;
    return other && !paths.has(other) ? [`${path}: there is no ${other}`] : [];
  });
}

const HEADED =
  /^(?:gateway\/(?:src|contract|bench|simulation)|portal\/src|rail-simulators\/src|demo|sandbox)\/(?!.*\.(?:test|d)\.ts)/;

function missingHeader({ path, text }: SourceFile): string[] {
  return HEADED.test(path) && !text.startsWith('/**') ? [`${path}: the file has no header`] : [];
}

const HAS_SUBJECT = /^(?:(?:gateway|rail-simulators|demo|sandbox|portal)\/src|gateway\/generators)\/.*\.test\.tsx?$/;

/** A test must be next to its subject and named after it: `subject.test.ts` or `subject-scenario.test.ts`. */
function testsWithoutSubject(files: readonly SourceFile[]): string[] {
  const names = new Set(files.map(({ path }) => path.replace(/\.tsx?$/, '')));
  return files
    .filter(({ path }) => HAS_SUBJECT.test(path) && !subjectsOf(path).some((name) => names.has(name)))
    .map(({ path }) => `${path}: no file next to it has the name of its subject`);
}

/** Returns the possible names of a test's subject: the test's name, and each of its prefixes of complete words. */
function subjectsOf(path: string): string[] {
  const words = path.replace(/(?:\.full)?\.test\.tsx?$/, '').split('-');
  return words.map((_, last) => words.slice(0, last + 1).join('-'));
}

function vagueNames({ path }: SourceFile): string[] {
  const vague = path.split('/').filter((part) => VAGUE_NAME.test(basename(part, '.ts')));
  return vague.map((part) => `${path}: the name ${part} says nothing`);
}
