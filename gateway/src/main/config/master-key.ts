/**
 * Reads the master keys from GATEWAY_MASTER_KEY or, in development without it, from a file in the data directory. It neither
 * seals nor opens anything.
 */
import {
  closeSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import path from 'node:path';
import {
  createKeyring,
  createMasterKey,
  type Keyring,
  MASTER_KEY_BYTES,
  type MasterKey,
} from '../../domain/vault/create-vault.ts';
import type { Clock } from '../../foundation/clock.ts';
import { errorCode } from '../../foundation/error-code.ts';
import type { Random } from '../../foundation/random.ts';
import type { Secret } from '../../foundation/secret.ts';

export const MASTER_KEY_ACCEPTS =
  '32 bytes in base64 or as 64 hex digits; several keys are separated by commas, the current key first';

type MasterKeys = readonly [MasterKey, ...MasterKey[]];

/** Parses the format of GATEWAY_MASTER_KEY; undefined if any key is malformed. */
export function parseMasterKeys(text: string): MasterKeys | undefined {
  const keys = text.split(',').map((part) => parseKey(part.trim()));
  const [first, ...rest] = keys.filter((key) => key !== undefined);
  return first && keys.length === rest.length + 1 ? [first, ...rest] : undefined;
}

function parseKey(text: string): MasterKey | undefined {
  if (/^[0-9a-f]{64}$/i.test(text)) return createMasterKey(Buffer.from(text, 'hex'));
  const bytes = /^[A-Za-z0-9+/]{43}=?$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
  return bytes.length === MASTER_KEY_BYTES ? createMasterKey(bytes) : undefined;
}

export function keyringFromSecret(secret: Secret): Keyring {
  const keys = parseMasterKeys(secret.reveal());
  if (!keys) throw new MasterKeyError(`GATEWAY_MASTER_KEY accepts ${MASTER_KEY_ACCEPTS}`);
  return createKeyring(keys);
}

/** An error that an operator must fix. The message is one sentence. */
export class MasterKeyError extends Error {
  override readonly name = 'MasterKeyError';
}

/** A keyring in a file, which can grow. Processes reload it within `FILE_FRESH_MS`, or at once for an unknown key id. */
export interface FileKeyring extends Keyring {
  /** Creates a new current key. The other keys remain for the values that they sealed. */
  addKey(): MasterKey;
}

const FILE_FRESH_MS = 1_000;

/** Stores one key per line, the current key first, readable only by the owner. Creates the file if it is missing. */
export function openFileKeyring(dataDir: string, clock: Clock, random: Random): FileKeyring {
  const file = path.join(dataDir, 'master.key');
  if (stampOf(file) === undefined) createFile(file, random);
  let ring = createKeyring(readKeyFile(file));
  let stamp = stampOf(file);
  let lookedAt = clock.now();
  const refresh = () => {
    lookedAt = clock.now();
    const found = stampOf(file);
    // A process keeps the keys that it has read even if the file vanishes.
    if (found === stamp || found === undefined) return;
    ring = createKeyring(readKeyFile(file));
    stamp = found;
  };
  return {
    ids: null,
    current: () => {
      if (Math.abs(clock.now() - lookedAt) >= FILE_FRESH_MS) refresh();
      return ring.current();
    },
    find: (id) => {
      if (!ring.find(id)) refresh();
      return ring.find(id);
    },
    addKey: () => {
      addToFile(file, random);
      refresh();
      return ring.current();
    },
  };
}

/** Changes whenever the file is replaced; undefined when the file is missing. */
function stampOf(file: string): string | undefined {
  const found = statSync(file, { throwIfNoEntry: false });
  return found && `${found.ino}:${found.mtimeMs}:${found.size}`;
}

function readKeyFile(file: string): MasterKeys {
  const keys = parseMasterKeys(readFileSync(file, 'utf8').trim().split('\n').join(','));
  if (!keys)
    throw new MasterKeyError(
      `${file} does not contain a valid master key: each line is ${MASTER_KEY_BYTES} bytes in base64`,
    );
  return keys;
}

/** Writes a temporary file and links it. One of several concurrent first starts wins, and no reader sees a partial file. */
function createFile(file: string, random: Random): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const aside = `${file}.${random.uuid()}`;
  writeDurably(aside, `${newKey(random)}\n`);
  try {
    linkSync(aside, file);
    syncDirectory(path.dirname(file));
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

/** The temporary file is the lock. Only the process that created it adds a key, until it renames the file into place. */
function addToFile(file: string, random: Random): void {
  const next = `${file}.next`;
  try {
    writeDurably(next, () => `${newKey(random)}\n${readFileSync(file, 'utf8')}`);
  } catch (error) {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new MasterKeyError(`another rotation is running; if none is, delete ${next} and try again`);
  }
  renameSync(next, file);
  syncDirectory(path.dirname(file));
}

function newKey(random: Random): string {
  return random.bytes(MASTER_KEY_BYTES).toString('base64');
}

/** Flushes to disk before the gateway seals anything with the key, because a lost master key loses every secret. */
function writeDurably(file: string, text: string | (() => string)): void {
  const descriptor = openSync(file, 'wx', 0o600);
  try {
    writeSync(descriptor, typeof text === 'string' ? text : text());
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function syncDirectory(directory: string): void {
  const descriptor = openSync(directory, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}
