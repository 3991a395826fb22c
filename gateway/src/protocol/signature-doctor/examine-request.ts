/**
 * Reads a request of any endpoint for the signature doctor: which fields its signatures cover, and what a reader may see. It
 * runs on demand for users, never while a request gets its response: its findings would help an attacker who guesses
 * signatures.
 */
import { IMPERSONAL_FIELDS, maskRequest } from '../../domain/requests/mask-request.ts';
import { type Redaction, redactBytes } from '../../domain/requests/redact-request.ts';
import { diagnose } from '../../domain/signature-doctor/diagnose.ts';
import type { ExaminedRequest, ExamineRequest, SignatureFinding } from '../../domain/signature-doctor/examination.ts';
import { rightRecipe, signatureBy } from '../../domain/signature-doctor/recipes.ts';
import type { DoctorKey, Suspect } from '../../domain/signature-doctor/suspect.ts';
import { FORM_SIGNED } from '../form/request/read-form-request.ts';
import { parseForm } from '../http/form-body.ts';
import { JsonNumber, type JsonObject, MalformedBody, parseJsonObject } from '../http/json-body.ts';
import { methodNumber } from '../payout/authenticate-request.ts';
import { DEFAULT_SIGNED, PAYOUT_METHODS, payoutMethod } from '../payout/method-table.ts';
import { BALANCE_SIGNED } from '../payout/payment-balance.ts';
import { LIST_SIGNED } from '../payout/payment-list.ts';
import { STATUS_SIGNED } from '../payout/payout-status.ts';
import type { SignedSet } from '../signatures/merchant-signature.ts';

type Fields = ReadonlyMap<string, string>;

const SETS: readonly SignedSet[] = [
  ...new Set(PAYOUT_METHODS.map(({ signed }) => signed)),
  STATUS_SIGNED,
  BALANCE_SIGNED,
  LIST_SIGNED,
  FORM_SIGNED,
];

export const examineRequest: ExamineRequest = (request, keys, showsPersonal) => {
  const fields = readFields(request.request);
  const redaction = { isProven: true, keys: keys.map(({ secret }) => secret) };
  const shown = maskedRequest(request, fields, showsPersonal, redaction);
  const parts = request.endpoint === 'host2host' ? (['x_sign'] as const) : partsOf(request);
  const findings = parts.map((part): SignatureFinding => {
    const signature = part === 'sign' ? fields.get('sign') : request.headers['x-sign'];
    if (signature === undefined) return { part, kind: 'absent', text: absentText(request, fields) };
    const suspect = suspectOf(part, signature, request, fields, keys);
    return { part, ...diagnose(suspect, { ...suspect, ...shown }) };
  });
  return oneKey(request, fields, keys) ? findings : findings.map(withTwoKeys);
};

function partsOf({ endpoint, headers, requiresXSign }: ExaminedRequest): readonly ('sign' | 'x_sign')[] {
  if (endpoint === 'form') return ['sign'];
  return requiresXSign || headers['x-sign'] !== undefined ? ['sign', 'x_sign'] : ['sign'];
}

function absentText({ endpoint, headers }: ExaminedRequest, fields: Fields): string {
  if (endpoint === 'host2host')
    return fields.has('sign')
      ? 'The header X-Sign is missing. A field sign in the body does not replace it.'
      : 'The header X-Sign is missing.';
  if (fields.has('sign')) return 'The header X-Sign is missing. The merchant’s setting payout_x_sign requires it.';
  return headers['x-sign'] === undefined
    ? 'The field sign is missing.'
    : 'The field sign is missing. The header X-Sign does not replace it.';
}

function suspectOf(
  scheme: 'sign' | 'x_sign',
  signature: string,
  { endpoint, request }: ExaminedRequest,
  sent: Fields,
  keys: readonly DoctorKey[],
): Suspect {
  const fields = new Map([...sent].filter(([name]) => name !== 'sign'));
  const set = setOf(endpoint, fields);
  const names = [...set.mandatory, ...set.optional];
  return {
    scheme,
    signature,
    raw: request,
    fields,
    keys,
    covered: names.filter((name) => fields.has(name)),
    absent: names.filter((name) => !fields.has(name)),
    otherSets: SETS.filter((other) => other !== set).map(({ mandatory, optional }) => [...mandatory, ...optional]),
    rightOrigin: endpoint === 'form' ? 'form' : 'api',
  };
}

function setOf(endpoint: ExaminedRequest['endpoint'], fields: Fields): SignedSet {
  if (endpoint === 'payout_send')
    return payoutMethod(methodNumber(fields.get('method')) ?? 0)?.signed ?? DEFAULT_SIGNED;
  const of = { payout_status: STATUS_SIGNED, balance: BALANCE_SIGNED, list: LIST_SIGNED, form: FORM_SIGNED };
  return endpoint === 'host2host' ? DEFAULT_SIGNED : of[endpoint];
}

/** Requires one key for one request: `sign` and `X-Sign` may each be right, by different keys. */
function oneKey(request: ExaminedRequest, fields: Fields, keys: readonly DoctorKey[]): boolean {
  const [sign, xSign] = [fields.get('sign'), request.headers['x-sign']];
  if (request.endpoint === 'host2host' || sign === undefined || xSign === undefined) return true;
  const madeBy = ({ secret }: DoctorKey, part: 'sign' | 'x_sign', signature: string) => {
    const suspect = suspectOf(part, signature, request, fields, keys);
    return signatureBy(suspect, rightRecipe(suspect), secret.reveal()) === signature;
  };
  const right = keys.filter(({ origin }) => origin === 'api');
  const bySign = right.filter((key) => madeBy(key, 'sign', sign));
  const byXSign = right.filter((key) => madeBy(key, 'x_sign', xSign));
  return bySign.length === 0 || byXSign.length === 0 || bySign.some((key) => byXSign.includes(key));
}

const TWO_KEYS = {
  id: 'two_keys',
  text: 'sign and X-Sign were made by two different keys. Use one key for a request.',
  field: null,
};

function withTwoKeys(finding: SignatureFinding): SignatureFinding {
  if (finding.part !== 'x_sign') return finding;
  return { part: 'x_sign', kind: 'mistake', mistakes: [TWO_KEYS], expected: '', signed: '', differsAt: null };
}

/** A malformed body has no known field. A value that is not a string is written as sent. */
function readFields(bytes: Buffer): Fields {
  const text = bytes.toString();
  try {
    return textsOf(/^\s*\{/.test(text) ? parseJsonObject(text) : parseForm(text));
  } catch (error) {
    if (!(error instanceof MalformedBody)) throw error;
    return new Map();
  }
}

function textsOf(object: JsonObject): Fields {
  return new Map(
    [...object].flatMap(([name, value]) => {
      if (value instanceof JsonNumber) return [[name, value.text] as const];
      return typeof value === 'string' ? [[name, value] as const] : [];
    }),
  );
}

/** Returns the same request with the same number of bytes, and with the masks that this reader requires. */
function maskedRequest({ request }: ExaminedRequest, fields: Fields, showsPersonal: boolean, redaction: Redaction) {
  const personal = showsPersonal ? (value: string) => value : maskSameLength;
  const mask = (name: string, value: string) => {
    const redacted = redactValue(name, value, redaction);
    return IMPERSONAL_FIELDS.has(name) ? redacted : personal(redacted);
  };
  const raw = redactBytes(request, redaction);
  return {
    raw: showsPersonal ? raw : Buffer.from(maskRequest(raw.toString(), maskSameLength)),
    fields: new Map(
      [...fields].flatMap(([name, value]) => (name === 'sign' ? [] : [[name, mask(name, value)] as const])),
    ),
  };
}

/** Overwrites a value as the request log does. */
function redactValue(name: string, value: string, redaction: Redaction): string {
  const written = redactBytes(Buffer.from(`${name}=${value.replaceAll('&', ' ')}`), redaction).toString();
  const kept = written.slice(name.length + 1);
  return kept === value.replaceAll('&', ' ') ? value : kept;
}

function maskSameLength(value: string): string {
  return [...value].map((letter, at) => (at === 0 ? letter : '*'.repeat(Buffer.byteLength(letter)))).join('');
}
