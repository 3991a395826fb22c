/**
 * Re-wraps every sealed secret under the current master key, in batches, while the gateway runs. The operator may stop
 * and repeat it at any time: finished rows stay finished, and their master key's id identifies the rest.
 */
import type { Clock } from '../../foundation/clock.ts';
import type { Random } from '../../foundation/random.ts';
import {
  createSealer,
  type Keyring,
  merchantKeyPlace,
  recordPlace,
  SealBroken,
  type Sealer,
  UnknownMasterKey,
} from './create-vault.ts';
import { vaultKeyPlace } from './open-fingerprint-key.ts';
import { SEALED_TABLES, type SealedRow, type SealedRowKey, type SealedTable, type VaultStore } from './vault-store.ts';

const BATCH = 500;
/** Other processes load a new key within this time. Until then they may still seal under the former key. */
const KEYRING_FRESH_MS = 2_000;

interface RotationParts {
  readonly store: VaultStore;
  readonly keyring: Keyring;
  readonly random: Random;
  readonly clock: Clock;
}

export interface RotationProgress {
  readonly table: SealedTable;
  readonly done: number;
  readonly total: number;
}

export interface RotationReport {
  readonly masterKeyId: string;
  /** The number of re-wrapped secrets. */
  readonly rewrapped: number;
  /** The places of secrets that no available key opens. They are unreadable until the operator provides their key. */
  readonly unopened: readonly string[];
}

export interface MasterKeyState {
  readonly masterKeyId: string;
  readonly remaining: Readonly<Record<SealedTable, number>>;
}

export async function readMasterKeyState({
  store,
  keyring,
}: Pick<RotationParts, 'store' | 'keyring'>): Promise<MasterKeyState> {
  const masterKeyId = keyring.current().id;
  const count = (table: SealedTable) => store.countUnderOtherKeys(table, masterKeyId);
  const [vault_records, merchant_keys, vault_keys] = await Promise.all([
    count('vault_records'),
    count('merchant_keys'),
    count('vault_keys'),
  ]);
  return { masterKeyId, remaining: { vault_records, merchant_keys, vault_keys } };
}

const PLACES: Readonly<Record<SealedTable, (row: SealedRowKey) => string>> = {
  vault_records: ({ merchantId, name }) => recordPlace(merchantId, name),
  merchant_keys: ({ merchantId, name }) => merchantKeyPlace(merchantId, name),
  vault_keys: ({ name }) => vaultKeyPlace(name),
};

/**
 * Repeats passes over all tables until one finds no work, with a pause in between. This also covers secrets that a running
 * process sealed under the former key during a pass. The fingerprint key comes last: during the rotation, a process without
 * the former key does not start.
 */
export async function rotateMasterKey(
  parts: RotationParts,
  onProgress: (progress: RotationProgress) => void,
): Promise<RotationReport> {
  const sealer = createSealer(parts.keyring, parts.random);
  const unopened = new Set<string>();
  let rewrapped = 0;
  for (;;) {
    let changed = 0;
    // Cheap with few keys and many records, unlike another pass that finds nothing.
    const currentId = parts.keyring.current().id;
    const inUse = await parts.store.masterKeyIds();
    await parts.store.retireMasterKeys(inUse, currentId, parts.clock.now());
    const isDone = inUse.every((id) => id === currentId);
    for (const table of isDone ? [] : SEALED_TABLES)
      changed += await rewrapTable(parts, sealer, table, unopened, onProgress);
    rewrapped += changed;
    if (changed === 0) return { masterKeyId: parts.keyring.current().id, rewrapped, unopened: [...unopened] };
    await parts.clock.sleep(KEYRING_FRESH_MS);
  }
}

async function rewrapTable(
  { store, keyring }: RotationParts,
  sealer: Sealer,
  table: SealedTable,
  unopened: Set<string>,
  onProgress: (progress: RotationProgress) => void,
): Promise<number> {
  const currentKeyId = keyring.current().id;
  const total = await store.countUnderOtherKeys(table, currentKeyId);
  let done = 0;
  let after: SealedRowKey | undefined;
  for (;;) {
    const rows = await store.listUnderOtherKeys(table, currentKeyId, after, BATCH);
    if (rows.length === 0) return done;
    after = rows.at(-1);
    const rewrapped = rows.flatMap((row) => rewrapRow(sealer, table, row, unopened));
    done += rewrapped.length === 0 ? 0 : await store.replaceWrappings(table, rewrapped);
    onProgress({ table, done, total: Math.max(done, total) });
  }
}

function rewrapRow(sealer: Sealer, table: SealedTable, row: SealedRow, unopened: Set<string>) {
  const place = PLACES[table](row);
  try {
    const sealed = sealer.rewrap(row.sealed, place);
    return sealed ? [{ ...row, sealed, formerKeyId: row.sealed.masterKeyId }] : [];
  } catch (error) {
    if (!(error instanceof SealBroken || error instanceof UnknownMasterKey)) throw error;
    unopened.add(place);
    return [];
  }
}
