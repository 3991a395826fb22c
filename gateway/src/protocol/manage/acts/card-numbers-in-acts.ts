/**
 * Keeps card numbers out of names, reasons and every other text that a caller writes (decision 63). The database stores these
 * texts in the clear, and users read them. The vault seals the fields for card numbers, which are secret fields.
 */
import { type Endpoint, isWrite } from '../../../../contract/parts/endpoint.ts';
import { holdsCardNumber, isCardNumberAsId, withoutCardNumbers } from '../../../domain/vault/card-number.ts';
import type { ManageProblem } from '../problems.ts';

/** Banks choose these ids, and one in some thousand looks like a card number. Merchants and the operator choose all others. */
const CHOSEN_BY_BANKS: ReadonlySet<string> = new Set(['transferKey', 'subject']);

/** Returns a problem if the request would store a card number in the clear. */
export function rejectCardNumbers(
  { method, unrecorded, secretFields = [] }: Endpoint,
  { params, body }: { readonly params: unknown; readonly body: unknown },
): ManageProblem | undefined {
  if (!isWrite({ method }) || unrecorded) return undefined;
  const ids = Object.entries(params as object).filter(([name]) => !CHOSEN_BY_BANKS.has(name));
  const [id] = ids.find(([, value]) => isCardNumber(String(value))) ?? [];
  if (id !== undefined) return problemOf(`/${id}`);
  const open = Object.entries((body ?? {}) as object).filter(([name]) => !secretFields.includes(name));
  const field = placeIn(Object.fromEntries(open), '');
  return field === undefined ? undefined : problemOf(field);
}

function problemOf(field: string): ManageProblem {
  const name = field === '' ? 'The name of a field' : field.slice(1);
  return { code: 'invalid-request', field, detail: `${name} must not contain a card number.` };
}

/** Returns the JSON pointer of the first text with a card number, or of the object with one in the name of a field. */
function placeIn(value: unknown, pointer: string): string | undefined {
  if (typeof value !== 'object' || value === null) return holdsCardNumber(String(value)) ? pointer : undefined;
  if (!Array.isArray(value) && Object.keys(value).some(holdsCardNumber)) return pointer;
  for (const [name, part] of Object.entries(value)) {
    const place = placeIn(part, `${pointer}/${name}`);
    if (place !== undefined) return place;
  }
  return undefined;
}

/** A user may search for a card number. The audit entry of the read does not repeat it. */
export function maskCardNumbers(value: unknown): unknown {
  if (typeof value === 'string') return withoutCardNumbers(value);
  if (Array.isArray(value)) return value.map(maskCardNumbers);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, part]) => [name, maskCardNumbers(part)]));
}

/** Returns the id of an object for the audit log. A read request may contain a card number as well. */
export function idForAudit(id: unknown): string {
  const text = String(id);
  return isCardNumber(text) ? withoutCardNumbers(text) : text;
}

function isCardNumber(id: string): boolean {
  return isCardNumberAsId(id.replace(/\s/g, ''));
}
