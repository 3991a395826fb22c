/**
 * The merchant directory in memory. For stale merchants it reads only the revision, with one query for all concurrent
 * requests. It reloads a merchant after a change, and decrypts each key once. It caches a limited number of unknown ids,
 * because anyone can send them.
 */
import { type Clock, HOUR_MS, type Instant, MINUTE_MS } from '../../foundation/clock.ts';
import { gatherLookups } from '../../foundation/gather-lookups.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { isId } from '../../foundation/identifiers.ts';
import { merchantKeyPlace, type Sealer } from '../vault/create-vault.ts';
import { keysByPurpose, type MerchantKey, type MerchantWithKeys, withValidKeys } from './merchant.ts';
import { MERCHANT_FRESH_MS, type MerchantDirectory } from './merchant-directory.ts';
import type { MerchantStore, StoredKey } from './merchant-store.ts';

interface MerchantDirectoryParts {
  readonly store: MerchantStore;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly onProblem: (problem: string, error: unknown) => void;
}

interface Entry {
  readonly readAt: Instant;
  readonly found: MerchantWithKeys | undefined;
  /** Empty if the merchant does not exist. */
  readonly revision: string;
  /** `found` as a resolved promise. It is created once, because most requests use it. */
  readonly answer: Promise<MerchantWithKeys | undefined>;
  /** When the first of its keys retires. The entry is valid until then. */
  readonly holdsUntil: Instant;
}

function entryOf(readAt: Instant, found: MerchantWithKeys | undefined, revision: string): Entry {
  const ends = allKeys(found).map(({ retiresAt }) => retiresAt ?? Number.POSITIVE_INFINITY);
  return { readAt, found, revision, answer: Promise.resolve(found), holdsUntil: Math.min(...ends) };
}

function allKeys(found: MerchantWithKeys | undefined): readonly MerchantKey[] {
  return found ? [...found.keys.api, ...found.keys.form] : [];
}

function isFresh({ readAt }: Entry, now: Instant): boolean {
  return Math.abs(now - readAt) < MERCHANT_FRESH_MS;
}

const MOST_ABSENT = 10_000;

/** The interval between writes of a key's last use, so that not every request writes. */
const KEY_USE_STALE_MS = 1 * HOUR_MS;
/** After a rotation, users watch whether a server still uses the old key. */
const OLD_KEY_USE_STALE_MS = 1 * MINUTE_MS;

export function createMerchantDirectory({
  store,
  sealer,
  clock,
  onProblem,
}: MerchantDirectoryParts): MerchantDirectory {
  const present = new Map<MerchantId, Entry>();
  const absent = createAbsentees();
  const loading = new Map<MerchantId, Promise<MerchantWithKeys | undefined>>();
  const revisionOf = gatherLookups((merchantIds: readonly MerchantId[]) => readRevisions(store, merchantIds));
  const usesRecorded = new Map<string, Instant>();

  async function refresh(merchantId: MerchantId): Promise<MerchantWithKeys | undefined> {
    const readAt = clock.now();
    const entry = present.get(merchantId);
    // A key has retired since, so the directory reloads the entire merchant.
    if (!entry?.found || readAt >= entry.holdsUntil) return load(merchantId);
    const revision = await revisionOf(merchantId);
    if (revision instanceof Error) throw revision;
    if (revision !== entry.revision) return load(merchantId);
    present.set(merchantId, { ...entry, readAt });
    return entry.found;
  }

  async function load(merchantId: MerchantId): Promise<MerchantWithKeys | undefined> {
    const readAt = clock.now();
    const stored = await store.find(merchantId, readAt);
    const former = allKeys(present.get(merchantId)?.found);
    const keys = stored?.keys.map((key) => openKey(sealer, merchantId, key, former));
    const found = stored && keys && { merchant: stored.merchant, keys: keysByPurpose(keys) };
    if (found) present.set(merchantId, entryOf(readAt, found, stored.revision));
    else {
      present.delete(merchantId);
      absent.add(merchantId, readAt);
    }
    return found;
  }

  function loadOnce(merchantId: MerchantId): Promise<MerchantWithKeys | undefined> {
    const inFlight = loading.get(merchantId);
    if (inFlight) return inFlight;
    const started = refresh(merchantId).finally(() => loading.delete(merchantId));
    loading.set(merchantId, started);
    return started;
  }

  async function lookUp(
    merchantId: MerchantId,
    entry: Entry | undefined,
    now: Instant,
  ): Promise<MerchantWithKeys | undefined> {
    if (!isId(merchantId)) return undefined;
    const found = entry && isFresh(entry, now) ? entry.found : await loadOnce(merchantId);
    // A key retires on time, not at the merchant's next read.
    return found && withValidKeys(found, clock.now());
  }

  return {
    find(merchantId) {
      const now = clock.now();
      const entry = present.get(merchantId) ?? absent.get(merchantId);
      return entry && isFresh(entry, now) && now < entry.holdsUntil ? entry.answer : lookUp(merchantId, entry, now);
    },
    keyUsed(merchantId, { keyId, retiresAt, lastUsedAt }) {
      const now = clock.now();
      const staleMs = retiresAt === null ? KEY_USE_STALE_MS : OLD_KEY_USE_STALE_MS;
      if (lastUsedAt !== null && now - lastUsedAt < staleMs) return;
      const name = `${merchantId}/${keyId}`;
      const recordedAt = usesRecorded.get(name);
      if (recordedAt !== undefined && now - recordedAt < staleMs) return;
      usesRecorded.set(name, now);
      store.markKeyUsed(merchantId, keyId, now).catch((error: unknown) => {
        usesRecorded.delete(name);
        onProblem(`the use of a key of merchant ${merchantId} could not be recorded`, error);
      });
    },
  };
}

/**
 * On a cluster, one unavailable shard fails a query for many merchants. Then each is read separately, so that only its own
 * requests fail.
 */
async function readRevisions(
  store: MerchantStore,
  merchantIds: readonly MerchantId[],
): Promise<ReadonlyMap<MerchantId, string | Error>> {
  try {
    return await store.revisions(merchantIds);
  } catch (error) {
    if (merchantIds.length === 1) throw error;
  }
  const alone = merchantIds.map((merchantId) =>
    store.revisions([merchantId]).then(
      (found): [MerchantId, string | Error][] => [...found],
      (error: Error): [MerchantId, string | Error][] => [[merchantId, error]],
    ),
  );
  return new Map((await Promise.all(alone)).flat());
}

/** The unknown ids, least recently used first. */
function createAbsentees() {
  const entries = new Map<MerchantId, Entry>();
  return {
    get(merchantId: MerchantId): Entry | undefined {
      const entry = entries.get(merchantId);
      if (entry) {
        entries.delete(merchantId);
        entries.set(merchantId, entry);
      }
      return entry;
    },
    add(merchantId: MerchantId, readAt: Instant): void {
      entries.delete(merchantId);
      entries.set(merchantId, entryOf(readAt, undefined, ''));
      const [oldest] = entries.keys();
      if (entries.size > MOST_ABSENT && oldest !== undefined) entries.delete(oldest);
    },
  };
}

function openKey(
  sealer: Sealer,
  merchantId: MerchantId,
  stored: StoredKey,
  former: readonly MerchantKey[],
): MerchantKey {
  const { sealed, ...key } = stored;
  const known = former.find(({ keyId }) => keyId === key.keyId)?.secret;
  return { ...key, secret: known ?? sealer.open(sealed, merchantKeyPlace(merchantId, key.keyId)) };
}
