/** The key that signs for us towards Token.io: a PEM file, opened at its first use and kept. */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { errorCode } from '../../foundation/error-code.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { TokenIoConfiguration } from './configuration.ts';

const PRIVATE = 'private-key.pem';

/** A failure names the variable and no place, and is tried again. */
export function keepPrivateKey(configuration: TokenIoConfiguration): () => Result<KeyObject, string> {
  let kept: KeyObject | undefined;
  return () => {
    kept ??= open(configuration);
    return kept ? ok(kept) : fail('our private key can’t be read: check TOKEN_IO_PRIVATE_KEY_FILE');
  };
}

function open({ privateKeyFile, simulated }: TokenIoConfiguration): KeyObject | undefined {
  try {
    if (simulated && !existsSync(privateKeyFile)) makeKeyFiles(privateKeyFile);
    const key = createPrivateKey(readFileSync(privateKeyFile));
    return key.asymmetricKeyType === 'ed25519' ? key : undefined;
  } catch {
    return undefined;
  }
}

function makeKeyFiles(privateKeyFile: string): void {
  const { privateKey } = generateKeyPairSync('ed25519');
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

/** The public key beside the private one: what Token.io, or its simulator, has to be given. */
function publicFileOf(privateKeyFile: string): string {
  return privateKeyFile.endsWith(PRIVATE)
    ? `${privateKeyFile.slice(0, -PRIVATE.length)}public-key.pem`
    : `${privateKeyFile}.pub`;
}
