/**
 * Variables whose values are in files, as Docker, Kubernetes and systemd pass secrets: NAME_FILE contains the path of a file
 * with the value of NAME. An environment leaks more easily than a file: to child processes, crash reports and `docker
 * inspect`.
 */
import { readFileSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { type EnvironmentVariables, PROJECT_ROOT } from '../../foundation/variables.ts';

const LONGEST_BYTES = 65_536;

interface FilledVariables {
  /** The variables, with the contents of the files in place of the files' names. */
  readonly variables: EnvironmentVariables;
  /** The absolute path of each value's file, by the name of the variable. */
  readonly files: Readonly<Record<string, string>>;
  readonly faults: readonly string[];
}

/** `names` lists every known variable. If a known name itself ends in _FILE, the function leaves its value unchanged. */
export function fillFromFiles(variables: EnvironmentVariables, names: readonly string[]): FilledVariables {
  const known = new Set(names);
  const filled: Record<string, string | undefined> = { ...variables };
  const files: Record<string, string> = {};
  const faults: string[] = [];
  for (const name of names) {
    const fileVariable = `${name}_FILE`;
    if (known.has(fileVariable) || !Object.hasOwn(variables, fileVariable)) continue;
    delete filled[fileVariable];
    const path = variables[fileVariable] ?? '';
    // An empty string counts as unset, as for every variable.
    if (path === '') continue;
    if ((variables[name] ?? '') !== '') {
      faults.push(`${name} and ${fileVariable} are both set: unset one of them`);
      continue;
    }
    files[name] = resolve(PROJECT_ROOT, path);
    const read = readValue(files[name]);
    if ('fault' in read) faults.push(`${fileVariable} names ${files[name]}, which ${read.fault}`);
    else filled[name] = read.value;
  }
  return { variables: filled, files, faults };
}

/** Reads the value without the line break at the end, which editors and `echo` write. */
function readValue(path: string): { readonly value: string } | { readonly fault: string } {
  try {
    if (!statSync(path).isFile()) return { fault: 'is not a file' };
    const bytes = readFileSync(path);
    if (bytes.length > LONGEST_BYTES) return { fault: `is longer than ${LONGEST_BYTES} bytes` };
    const value = bytes.toString('utf8').replace(/\r?\n$/, '');
    if (value === '') return { fault: 'is empty' };
    return value.includes('\0') ? { fault: 'is not a text' } : { value };
  } catch (error) {
    return { fault: `cannot be read (${errorCode(error) ?? error})` };
  }
}
