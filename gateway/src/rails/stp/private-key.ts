/** The key that signs what we ask of STP. It stays in its file; the public one beside it is what STP has to be given. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
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
