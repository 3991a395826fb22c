/** The house rules (STYLE.md) that no linter knows, each with its pattern and the files that it applies to. */
import { basename } from 'node:path';
import { isTest, ROOT, readSourceFiles, type SourceFile, withoutComments } from './source-files.ts';

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
  // A merchant's program is no part of a replayed run, and may pass its own clock.
  /^sdk\/typescript\/src\/callbacks\.ts$/,
  /^sdk\/recipes\//,
];

const RULES: readonly Rule[] = [
  {
    why: 'time and randomness are parameters',
    offence:
      /Date\.now|new Date\(\)|performance\.now|hrtime|Math\.random|random(?:UUID|Bytes|Int|FillSync)|getRandomValues/,
    appliesTo: (file) => !isTest(file) && !AMBIENT_ALLOWED.some((allowed) => allowed.test(file.path)),
  },
  {
    why: 'a test that is switched off proves nothing',
    offence: /\b(?:skip|only|todo):\s*(?:true|['"`])|\b(?:it|test|describe|suite)\.(?:skip|only|todo)\b/,
    appliesTo: isTest,
  },
];

const VAGUE_NAME = /^(?:utils?|helpers?|managers?|common|misc|shared|index)$/;

export function findOffences(root = ROOT): string[] {
  const files = readSourceFiles(root).filter(({ path }) => !path.startsWith('gateway/test/tidy/'));
  return [...files.flatMap(ruleOffences), ...files.flatMap(vagueNames)];
}

function ruleOffences(file: SourceFile): string[] {
  const code = withoutComments(file.text);
  return RULES.filter((rule) => rule.appliesTo(file) && rule.offence.test(code)).map(
    (rule) => `${file.path}: ${rule.why} (${rule.offence.exec(code)?.[0]})`,
  );
}

function vagueNames({ path }: SourceFile): string[] {
  const vague = path.split('/').filter((part) => VAGUE_NAME.test(basename(part, '.ts')));
  return vague.map((part) => `${path}: the name ${part} says nothing`);
}
