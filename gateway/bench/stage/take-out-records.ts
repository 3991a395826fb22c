/**
 * The code of the request log and of closing hours, which some gateways of the benchmark lose, so that the product does not
 * need a switch.
 */

/** The strings of each file with their replacements. */
export const REPLACEMENTS: Readonly<Record<string, readonly (readonly [text: string, by: string])[]>> = {
  'gateway/src/main/compose/create-api.ts': [
    ['createRequestLog({ ...core, store: core.requests, onDropped: hooks.onRequestNotLogged })', 'undefined'],
    ['requestLog.close()', 'undefined'],
  ],
  'gateway/src/main/compose/create-ledger-tasks.ts': [['closeHours(', '(async (..._) => 0)(']],
  'gateway/src/storage/ledger/ledger-posting.ts': [
    ['greatest(p.posted_at, c.closing_until)', 'p.posted_at'],
    [
      `
  closings as (
    select merchant_id, closing_until from ledger_closings where merchant_id = any($1::text[]) \${FOR_CLUSTER}),`,
      '',
    ],
    [
      `
    left join closings as c on c.merchant_id = p.merchant_id`,
      '',
    ],
  ],
};

/** Throws when the code has changed, because a comparison with itself would look good. */
export function withoutRecords(url: string, source: string): string {
  const [file = '', replacements = []] = Object.entries(REPLACEMENTS).find(([name]) => url.endsWith(`/${name}`)) ?? [];
  return replacements.reduce((so, [text, by]) => {
    if (!so.includes(text)) throw new Error(`${file} has no "${text}" any more`);
    return so.replaceAll(text, by);
  }, source);
}
