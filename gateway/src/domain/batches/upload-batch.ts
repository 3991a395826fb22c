/** The command behind the upload of a file: it seals each row and stores the draft, which a worker then checks. */

import type { Clock } from '../../foundation/clock.ts';
import { DAY_MS } from '../../foundation/clock.ts';
import type { MerchantId } from '../../foundation/identifiers.ts';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { MerchantDirectory } from '../merchants/merchant-directory.ts';
import type { Vault } from '../vault/vault.ts';
import type { BatchKey, FileRow } from './batch.ts';
import type { BatchStore, SealedRow } from './batch-store.ts';
import { sealRow } from './row-content.ts';

interface BatchUpload {
  readonly merchantId: MerchantId;
  /** The same for every repeat of the action. */
  readonly batchId: string;
  readonly name: string;
  readonly by: string;
  readonly file: Buffer;
}

interface UploadBatchParts {
  readonly store: BatchStore;
  readonly vault: Vault;
  readonly merchants: Pick<MerchantDirectory, 'find'>;
  readonly readFile: (file: Buffer) => Promise<Result<readonly FileRow[], string>>;
  readonly clock: Clock;
}

type UploadFailure = { readonly kind: 'merchant_not_found' } | { readonly kind: 'unreadable'; readonly detail: string };
/** After this time, the rows of an unsubmitted draft are destroyed. */
const KEPT_MS = 30 * DAY_MS;
/** Sealing a complete file in one step would delay every other request of the process. */
const SEALED_AT_ONCE = 100;

export async function uploadBatch(
  parts: UploadBatchParts,
  { merchantId, batchId, name, by, file }: BatchUpload,
): Promise<Result<BatchKey, UploadFailure>> {
  const { store, vault, merchants, readFile, clock } = parts;
  if (!(await merchants.find(merchantId))) return fail({ kind: 'merchant_not_found' });
  const read = await readFile(file);
  if (!read.ok) return fail({ kind: 'unreadable', detail: read.error });
  const createdAt = clock.now();
  const rows: SealedRow[] = [];
  for (const [index, row] of read.value.entries()) {
    rows.push({ row: index + 1, line: row.line, record: sealRow(vault, merchantId, createdAt, row) });
    if (rows.length % SEALED_AT_ONCE === 0) await clock.sleep(0);
  }
  await store.add({ merchantId, batchId, name, createdAt, createdBy: by, rows }, createdAt + KEPT_MS);
  return ok({ merchantId, batchId });
}
