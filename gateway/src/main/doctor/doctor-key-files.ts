/** The doctor's check of the keys and certificates between gateway and rails. It creates none; the first use does. */
import { createPrivateKey, createPublicKey, type KeyObject, X509Certificate } from 'node:crypto';
import { readFile, stat } from 'node:fs/promises';
import type { Finding } from '../../cli/command-host.ts';
import type { KeyFile } from '../../rails/kit/rail-definition.ts';
import { keyFilesOf } from '../../rails/registry.ts';
import type { Config } from '../config/config.ts';
import { bad, type DoctorParts, good } from './doctor-finding.ts';

export async function examineKeyFiles({ rails }: Config, { clock }: DoctorParts): Promise<Finding[]> {
  return Promise.all(keyFilesOf(rails).map((file) => examine(file, clock.now())));
}

const MAKERS: Readonly<Record<Exclude<KeyFile['maker'], 'nobody'>, string>> = {
  gateway: 'does not exist yet; the gateway generates it when it first needs it',
  simulator: 'does not exist yet; the simulator generates it when it starts',
};

async function examine({ variable, path, holds, maker }: KeyFile, now: number): Promise<Finding> {
  const remedy = `Correct ${variable} (docs/operations/reference.md)`;
  let pem: Buffer;
  try {
    pem = await readFile(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' && maker !== 'nobody') return good(variable, `${path} ${MAKERS[maker]}`);
    return bad(variable, `${path} cannot be read (${code})`, remedy);
  }
  const fault = attempt(() => FAULTS[holds](pem, now)) ?? `has no ${holds} in PEM`;
  if (fault !== '') return bad(variable, `${path} ${fault}`, remedy);
  const isSecret = holds.endsWith('private key');
  if (isSecret && (await isExposed(path)))
    return bad(variable, `${path} is readable by other users`, `Run: chmod 600 ${path}`);
  return good(variable, `${path} is valid`);
}

/** Returns the files that hold the values of variables (NAME_FILE). */
export async function examineValueFiles(files: Readonly<Record<string, string>>): Promise<Finding[]> {
  const exposed = await Promise.all(
    Object.entries(files).map(async ([name, path]) => ((await isExposed(path)) ? [[name, path] as const] : [])),
  );
  return exposed
    .flat()
    .map(([name, path]) => bad(`${name}_FILE`, `${path} is readable by other users`, `Run: chmod o-rwx,g-rwx ${path}`));
}

/** Platforms that mount a secret own its file, and let the group of the gateway read it. */
async function isExposed(path: string): Promise<boolean> {
  const { mode, uid } = await stat(path);
  return (mode & 0o007) !== 0 || ((mode & 0o070) !== 0 && uid === process.getuid?.());
}

/**
 * Each function describes the fault of a file, and returns an empty text if there is none. It throws if the file holds a
 * different kind of content.
 */
const FAULTS: Readonly<Record<KeyFile['holds'], (pem: Buffer, now: number) => string>> = {
  'private key'(pem) {
    createPrivateKey(pem);
    return '';
  },
  'RSA private key': (pem) => otherThan('rsa', createPrivateKey(pem)),
  'RSA public key': (pem) => otherThan('rsa', createPublicKey(pem)),
  'Ed25519 private key': (pem) => otherThan('ed25519', createPrivateKey(pem)),
  certificate(pem, now) {
    const { validTo, validToDate } = new X509Certificate(pem);
    return validToDate.getTime() < now ? `expired on ${validTo}` : '';
  },
};

const KEY_TYPES = { rsa: 'RSA', ed25519: 'Ed25519' } as const;

function otherThan(type: keyof typeof KEY_TYPES, { asymmetricKeyType }: KeyObject): string {
  return asymmetricKeyType === type ? '' : `has a key that is not ${KEY_TYPES[type]}`;
}

function attempt(look: () => string): string | undefined {
  try {
    return look();
  } catch {
    return undefined;
  }
}
