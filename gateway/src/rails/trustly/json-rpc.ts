/**
 * Writes signed calls of Trustly's JSON-RPC 1.1 and reads their responses. Payments and refunds both use this module for every
 * call to Trustly. Pure: no network, no clock.
 *
 * Confirmed by Trustly's documents and by recorded exchanges of its clients: the envelopes in both directions, upper case in
 * calls and lower case in responses; the signature of an error is inside the error; `uuid` and `method` are null if Trustly
 * could not read the call. **Trustly does not process a call that equals an earlier call, including its UUID, again, and
 * repeats the first response** (documents, API protocol). We therefore derive the UUID from our reference. Not confirmed: how
 * long Trustly remembers a call; the HTTP status of an error; whether Trustly always signs an error about the signature or the
 * credentials.
 */
import { createHash, type KeyObject } from 'node:crypto';
import { asObject, type Json, type JsonObject, readObject, textOf } from '../kit/provider-json.ts';
import { isSignedBy, type Signed, signatureOf } from './signature.ts';

const VERSION = '1.1';
export const JSON_HEADERS = { 'content-type': 'application/json; charset=utf-8' };

/**
 * - `result`: Trustly's signed response to this call.
 * - `error`: an error about this call. Without `isSigned`, anyone may have sent it.
 * - `unreadable`: neither of these, or a response that Trustly did not sign.
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

/** Returns the same UUID whenever the method and the reference are the same. */
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
      : { kind: 'unreadable', reason: 'the response is not signed by Trustly' };
  }
  return error ? readError(call, error, publicKey) : { kind: 'unreadable', reason: `HTTP ${status}` };
}

function readError(call: Signed, error: JsonObject, publicKey: KeyObject): CallAnswer {
  const inner = asObject(error['error']) ?? {};
  const isSigned = isAnswerTo(call, inner, publicKey);
  const said = isSigned ? (asObject(inner['data']) ?? {}) : error;
  return { kind: 'error', isSigned, code: wordOf(said, 'code'), message: wordOf(said, 'message') };
}

/** Returns a field that may appear in a log: Trustly's codes are numbers, and its messages are words in capitals. */
function wordOf(fields: JsonObject, name: string): string {
  return /^\w{1,60}$/.exec(textOf(fields, name))?.[0] ?? '';
}

function isAnswerTo(call: Signed, answer: JsonObject, publicKey: KeyObject): boolean {
  const [method, uuid] = [textOf(answer, 'method'), textOf(answer, 'uuid')];
  if (method !== call.method || uuid !== call.uuid) return false;
  return isSignedBy({ method, uuid, data: answer['data'] ?? null }, textOf(answer, 'signature'), publicKey);
}
