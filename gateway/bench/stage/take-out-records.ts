/**
 * Edits that remove the request log and the closing of hours from some gateways of the benchmark. The product therefore needs
 * no switch for them.
 */

/** The strings to replace in each file, and their replacements. */
export const REPLACEMENTS: Readonly<Record<string, readonly (readonly [text: string, by: string])[]>> = {
  'gateway/src/main/compose/create-api.ts': [
    ['createRequestLog({ ...core, store: core.requests, onDropped: hooks.onRequestNotLogged })', 'undefined'],
    ['requestLog.close()', 'undefined'],
  ],
  'gateway/src/main/compose/tasks/ledger-tasks.ts': [['closeHours(', '(async (..._) => 0)(']],
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

/** Throws if the source has changed: otherwise the benchmark would compare the gateway with itself. */
export function withoutRecords(url: string, source: string): string {
  const [file = '', replacements = []] = Object.entries(REPLACEMENTS).find(([name]) => url.endsWith(`/${name}`)) ?? [];
  return replacements.reduce((so, [text, by]) => {
    if (!so.includes(text)) throw new Error(`${file} has no "${text}" any more`);
    return so.replaceAll(text, by);
  }, source);
}
