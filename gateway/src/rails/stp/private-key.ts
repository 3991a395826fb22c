/** The key that signs what we ask of STP. It stays in its file; the public one beside it is what STP has to be given. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { StpConfiguration } from './configuration.ts';

const BITS = 2_048;
const PRIVATE = 'private-key.pem';

/** Opens it at its first use and keeps it. */
export function keepPrivateKey(configuration: StpConfiguration): () => KeyObject {
  let opened: KeyObject | undefined;
  return () => {
    opened ??= openPrivateKey(configuration);
    return opened;
  };
}

/** The error's own text may name the file's place: it stays out of what is kept or logged. */
export function openKey(privateKey: () => KeyObject): Result<KeyObject, string> {
  try {
    return ok(privateKey());
  } catch {
    return fail('our private key can’t be read: check STP_PRIVATE_KEY_FILE');
  }
}

/** Throws when the file is missing (but towards a simulator it is made) or holds no key. */
function openPrivateKey({ privateKeyFile, simulated }: StpConfiguration): KeyObject {
  if (simulated && !existsSync(privateKeyFile)) makeKeyFiles(privateKeyFile);
  return createPrivateKey(readFileSync(privateKeyFile));
}

function makeKeyFiles(privateKeyFile: string): void {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: BITS });
  mkdirSync(path.dirname(privateKeyFile), { recursive: true });
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(privateKeyFile, pem, { mode: 0o600, flag: 'wx' });
    writeFileSync(publicKeyFile(privateKeyFile), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  } catch (error) {
    // Another process was first: its key counts.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
}

function publicKeyFile(privateKeyFile: string): string {
  return privateKeyFile.endsWith(PRIVATE)
    ? `${privateKeyFile.slice(0, -PRIVATE.length)}public-key.pem`
    : `${privateKeyFile}.pub`;
}
