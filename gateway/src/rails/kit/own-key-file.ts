/**
 * Reads the operator's PEM file with the private key that signs our requests to a provider. For a simulator, it creates a
 * missing key, and in the same folder the public key, which the simulator reads.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';

interface OwnKeyFile {
  readonly privateKeyFile: string;
  readonly simulated: boolean;
}

type KeyKind = 'rsa' | 'ed25519';

const MAKERS: Readonly<Record<KeyKind, () => KeyObject>> = {
  rsa: () => generateKeyPairSync('rsa', { modulusLength: 2_048 }).privateKey,
  ed25519: () => generateKeyPairSync('ed25519').privateKey,
};

const PRIVATE = 'private-key.pem';

/**
 * Opens the file at the first use and keeps the key. A failure contains `variable` but not the path, which is confidential. The
 * next use retries.
 */
export function keepOwnKey(file: OwnKeyFile, kind: KeyKind, variable: string): () => Result<KeyObject, string> {
  let kept: KeyObject | undefined;
  return () => {
    kept ??= open(file, kind);
    return kept ? ok(kept) : fail(`our private key cannot be read: check ${variable}`);
  };
}

function open(file: OwnKeyFile, kind: KeyKind): KeyObject | undefined {
  try {
    return readOwnKey(file, kind);
  } catch {
    return undefined;
  }
}

/** Throws if the file is missing or contains no key of this kind. The error may contain the path. */
function readOwnKey({ privateKeyFile, simulated }: OwnKeyFile, kind: KeyKind): KeyObject {
  if (simulated && !existsSync(privateKeyFile)) writeKeyFiles(privateKeyFile, MAKERS[kind]());
  const key = createPrivateKey(readFileSync(privateKeyFile));
  if (key.asymmetricKeyType !== kind) throw new Error(`the key is not of the kind ${kind}`);
  return key;
}

function writeKeyFiles(privateKeyFile: string, privateKey: KeyObject): void {
  mkdirSync(path.dirname(privateKeyFile), { recursive: true });
  try {
    const pem = privateKey.export({ type: 'pkcs8', format: 'pem' });
    writeFileSync(privateKeyFile, pem, { mode: 0o600, flag: 'wx' });
    writeFileSync(publicFileOf(privateKeyFile), createPublicKey(privateKey).export({ type: 'spki', format: 'pem' }));
  } catch (error) {
    // Another process created the key first, so use its key.
    if (errorCode(error) !== 'EEXIST') throw error;
  }
}

function publicFileOf(privateKeyFile: string): string {
  return privateKeyFile.endsWith(PRIVATE)
    ? `${privateKeyFile.slice(0, -PRIVATE.length)}public-key.pem`
    : `${privateKeyFile}.pub`;
}
