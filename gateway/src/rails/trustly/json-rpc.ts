/**
 * Trustly's JSON-RPC 1.1: a signed call, and what its answer says. The one road of everything that is asked of Trustly,
 * whichever way the money goes. Pure: no network, no clock.
 *
 * Confirmed by Trustly's documents and by recorded exchanges of its clients: the envelopes both ways, upper case in what is
 * asked and lower case in what is answered; an error signed inside the error; `uuid` and `method` null where the call could
 * not be read. **A call that equals an earlier one, its UUID included, is not processed again, and is answered as it was the
 * first time** (documents, API protocol): hence a UUID that follows from our reference. Not confirmed: for how long Trustly
 * remembers; the HTTP status of an error; whether an error by reason of the signature or of the credentials is always signed.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { asObject, type Json, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import { isSignedBy, type Signed, signatureOf } from './signature.ts';

const VERSION = '1.1';
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/**
 * - `result`: signed by Trustly as the answer to this very call.
 * - `error`: an error to this very call. `isSigned` false: anybody may have said it.
 * - `unreadable`: neither, or not signed by Trustly.
 */
export type CallAnswer =
  | { readonly kind: 'result'; readonly data: Json }
  | { readonly kind: 'error'; readonly isSigned: boolean; readonly code: string; readonly message: string }
  | { readonly kind: 'unreadable'; readonly reason: string };

export function writeCall(call: Signed, privateKey: KeyObject): string {
  const { method, uuid, data } = call;
  const params = { Signature: signatureOf(call, privateKey), UUID: uuid, Data: data };
  return JSON.stringify({ method, params, version: VERSION });
}

/** The same for the same method and reference, for ever. */
export function uuidOf(method: string, reference: string): string {
  const hex = createHash('sha256').update(`${method} ${reference}`).digest('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), `8${hex.slice(13, 16)}`, `a${hex.slice(17, 20)}`, hex.slice(20, 32)].join(
    '-',
  );
}

export function readAnswer(call: Signed, status: number, body: Buffer, publicKey: KeyObject): CallAnswer {
  const answer = readObject(body);
  const result = asObject(answer?.['result']);
  const error = asObject(answer?.['error']);
  if (result) {
    return isAnswerTo(call, result, publicKey)
      ? { kind: 'result', data: result['data'] ?? null }
      : { kind: 'unreadable', reason: 'the answer is not signed by Trustly' };
  }
  return error ? readError(call, error, publicKey) : { kind: 'unreadable', reason: `HTTP ${status}` };
}

function readError(call: Signed, error: JsonObject, publicKey: KeyObject): CallAnswer {
  const inner = asObject(error['error']) ?? {};
  const isSigned = isAnswerTo(call, inner, publicKey);
  const said = isSigned ? (asObject(inner['data']) ?? {}) : error;
  return { kind: 'error', isSigned, code: wordOf(said, 'code'), message: wordOf(said, 'message') };
}

/** As it may stand in a log: Trustly's codes are numbers, its messages words in capitals. */
function wordOf(fields: JsonObject, name: string): string {
  return /^\w{1,60}$/.exec(textOf(fields, name))?.[0] ?? '';
}

function isAnswerTo(call: Signed, answer: JsonObject, publicKey: KeyObject): boolean {
  const [method, uuid] = [textOf(answer, 'method'), textOf(answer, 'uuid')];
  if (method !== call.method || uuid !== call.uuid) return false;
  return isSignedBy({ method, uuid, data: answer['data'] ?? null }, textOf(answer, 'signature'), publicKey);
}
