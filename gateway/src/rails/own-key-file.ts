/**
 * The private key that signs for us towards a provider: a PEM file of the operator's. Towards a simulator a missing one is
 * made, and beside it its public half, which the simulator reads.
 */
import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../foundation/error-code.ts';

export interface OwnKeyFile {
  readonly privateKeyFile: string;
  readonly simulated: boolean;
}

const PRIVATE = 'private-key.pem';

/** Throws where there is no file, or no key in it; the error may name the place, which is not to be told. */
export function readOwnKey({ privateKeyFile, simulated }: OwnKeyFile, make: () => KeyObject): KeyObject {
  if (simulated && !existsSync(privateKeyFile)) writeKeyFiles(privateKeyFile, make());
  return createPrivateKey(readFileSync(privateKeyFile));
}

function writeKeyFiles(privateKeyFile: string, privateKey: KeyObject): void {
  mkdirSync(path.dirname(privateKeyFile), { recursive: true });
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(privateKeyFile, pem, { mode: 0o600, flag: 'wx' });
    writeFileSync(publicFileOf(privateKeyFile), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  } catch (error) {
    // Another process was first: its key counts.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function publicFileOf(privateKeyFile: string): string {
  return privateKeyFile.endsWith(PRIVATE)
    ? `${privateKeyFile.slice(0, -PRIVATE.length)}public-key.pem`
    : `${privateKeyFile}.pub`;
}
