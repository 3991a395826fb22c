/** The content of a batch's row, sealed from the upload until the row is accepted or rejected, and the faults in it. */
import { Secret } from '../../foundation/secret.ts';
import type { RequestedPayout, RequestFailure } from '../payouts/create-payout.ts';
import { faultOfWhole, fieldFaultsOf } from '../payouts/request-faults.ts';
import type { Vault } from '../vault/vault.ts';
import { type Batch, type FileRow, payoutIdOfRow, type RowFault } from './batch.ts';
import type { SealedRow } from './batch-store.ts';

/** The name of the vault cell that contains a row. */
const SEALED_CELL = 'row';

export function sealRow(vault: Vault, merchantId: string, at: number, row: FileRow) {
  return vault.sealFields(merchantId, at, { [SEALED_CELL]: new Secret(JSON.stringify(row)) });
}

export function openRow(vault: Vault, { batchId }: Batch, row: number, record: SealedRow['record']) {
  const opened = vault.openFields(record)[SEALED_CELL];
  const { cells, fault } = JSON.parse(opened?.reveal() ?? '{}') as FileRow;
  const { payout_id: payoutId = payoutIdOfRow(batchId, row), method = '', ...fields } = cells;
  const requested: RequestedPayout = { payoutId, method: /^\d{1,3}$/.test(method) ? Number(method) : 0, fields };
  return { requested, fault };
}

/** Returns the faulty fields, or the reason why the entire row is rejected. */
export function faultsOf(failure: RequestFailure): readonly RowFault[] {
  const faults = fieldFaultsOf(failure);
  return faults.length > 0 ? faults : [{ field: '', reason: [faultOfWhole(failure)] }];
}
