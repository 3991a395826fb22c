/**
 * Masks personal data in the text of a logged request, for readers who may not see it. The values of a closed list of fields
 * stay. A string that is not a plain object of fields is masked entirely, because the meaning of its parts is unknown.
 */

/** Fields that describe the payment and contain no personal data. */
export const IMPERSONAL_FIELDS: ReadonlySet<string> = new Set([
  'merchant',
  'method',
  'payout_id',
  'order',
  'amount',
  'currency',
  'sign',
  'status',
  'type',
  'start_date',
  'finish_date',
  'after',
  'limit',
  'country',
  'customs_country',
  'lang',
  'payment_type',
  'bank_id',
  'item_name',
  'payment_url',
  'code',
  'description',
  'transactionId',
  'merchantUuid',
  'uuid',
]);

const FIELD = /"((?:[^"\\]|\\.)*)"(\s*:\s*)(?:"((?:[^"\\]|\\.)*)"|([^\s,{}[\]"]+))/g;
const PAIR = /(^|&)([^=&]*)=([^&]*)/g;

export function maskRequest(text: string, mask: (value: string) => string): string {
  if (isFlatObject(text))
    return text.replace(FIELD, (whole, name: string, between: string, value?: string, word?: string) => {
      if (IMPERSONAL_FIELDS.has(name)) return whole;
      return value === undefined ? `"${name}"${between}${mask(word ?? '')}` : `"${name}"${between}"${mask(value)}"`;
    });
  if (/^[\w.%-]+=[^{"]*$/s.test(text))
    return text.replace(PAIR, (whole, start: string, name: string, value: string) =>
      IMPERSONAL_FIELDS.has(name) ? whole : `${start}${name}=${mask(value)}`,
    );
  return text.replace(/[\p{L}\p{N}]/gu, '*');
}

function isFlatObject(text: string): boolean {
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
    return Object.values(value).every((each) => typeof each !== 'object' || each === null);
  } catch {
    return false;
  }
}
