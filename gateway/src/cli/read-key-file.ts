/** Reads keys from files, because arguments are visible in the process list and the shell's history. */
import { readFile } from 'node:fs/promises';
import { Secret } from '../foundation/secret.ts';
import { CommandFailure, unreadableText } from './command-output.ts';

/** Returns the key in a file, without a trailing newline. */
export async function readKeyFile(path: string): Promise<Secret> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(unreadableText(`the key file ${path}`, error));
  });
  const key = new Secret(text.trimEnd());
  if (key.isEmpty) throw new CommandFailure(`The key file ${path} is empty.`);
  return key;
}
