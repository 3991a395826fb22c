/** Runs every statement of the request log and of the other records that only operators read. */
import type { RequestRecord } from '../../src/domain/requests/logged-request.ts';
import type { Database } from '../../src/storage/core/database.ts';
import { createExchangeStore } from '../../src/storage/exchanges/exchange-store.ts';
import { createRequestLogStore } from '../../src/storage/requests/request-log-store.ts';
import { exerciseProofs } from './exercise-proofs.ts';

const KEY = { merchantId: 'M1', requestId: 'R1' };
const BYTES = Buffer.from('{}');

export async function exerciseRequestLog(database: Database): Promise<void> {
  await exerciseProofs(database, 1);
  const store = createRequestLogStore(database);
  const record: RequestRecord = {
    ...KEY,
    receivedAt: 1,
    endpoint: 'payout_send',
    outcome: 'unproven',
    reason: 'sign_error',
    description: 'Sign error',
    method: 'POST',
    httpStatus: 200,
    clientAddress: '::1',
    durationMs: 1,
    subjectId: null,
    headers: {},
    request: BYTES,
    requestBytes: 2,
    reply: BYTES,
    vaultToken: 'T1',
  };
  const sealed = { masterKeyId: 'k', wrappedKey: BYTES, ciphertext: BYTES };
  await store.append([{ record, sealed, destroyAt: 2 }]);
  await store.find(KEY);
  await store.trim('M1', 'unproven', 2);
  await store.forget(10, 1);
  const exchanges = createExchangeStore(database);
  const call = {
    rail: 'stp',
    reference: 'P1',
    exchangeId: 'E1',
    call: 'send',
    answer: 'unknown',
    at: 1,
    durationMs: 1,
  };
  await exchanges.append([
    { ...call, method: 'POST', path: '/', request: BYTES, status: null, reply: BYTES, failure: 'no response' },
  ]);
  await exchanges.list('stp', 'P1');
  await exchanges.forget(10, 1);
}
