/** Searches for a planted secret everywhere it could appear, in every encoding. */
import type pg from 'pg';

/** Returns the secret itself, with grouped digits, and in the encodings in which bytes are printed or stored. */
export function formsOf(secret: string): ReadonlyMap<string, string> {
  const forms = new Map([
    ['plain', secret],
    ['reversed', [...secret].reverse().join('')],
    ['hex', Buffer.from(secret).toString('hex')],
    ['UTF-16 hex', Buffer.from(secret, 'utf16le').toString('hex')],
    ['percent-encoded', [...Buffer.from(secret)].map((byte) => `%${byte.toString(16)}`).join('')],
  ]);
  if (/^\d+$/.test(secret)) {
    forms.set('in groups of four', secret.replace(/(\d{4})(?=\d)/g, '$1 '));
    forms.set('in groups with hyphens', secret.replace(/(\d{4})(?=\d)/g, '$1-'));
    forms.set('without the last digit', secret.slice(0, -1));
    forms.set('without the first digit', secret.slice(1));
  }
  // The base64 of a string that contains the secret depends on the secret's offset modulo three bytes.
  for (let shift = 0; shift < 3; shift++) {
    const encoded = Buffer.from('x'.repeat(shift) + secret).toString('base64');
    const inner = encoded.slice(shift === 0 ? 0 : 4, Math.floor((shift + secret.length) / 3) * 4);
    forms.set(`base64, shifted by ${shift}`, inner);
    forms.set(`base64url, shifted by ${shift}`, inner.replaceAll('+', '-').replaceAll('/', '_'));
  }
  return forms;
}

/** Returns the secrets in the text, each as `name: form`. */
export function findSecrets(text: string, secrets: Readonly<Record<string, string>>): string[] {
  return Object.entries(secrets).flatMap(([name, secret]) =>
    [...formsOf(secret)].filter(([, form]) => text.includes(form)).map(([form]) => `${name}: ${form}`),
  );
}

/** Returns every row of every table: each column as text, and bytes as hex, base64 and text. */
export async function dumpTables(pool: pg.Pool): Promise<ReadonlyMap<string, string>> {
  const { rows: tables } = await pool.query<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_tables
     where schemaname not in ('pg_catalog', 'information_schema')`,
  );
  const dumps = new Map<string, string>();
  for (const { name } of tables) {
    const { rows } = await pool.query(`select * from ${name}`);
    dumps.set(name, rows.flatMap((row) => Object.values(row).map(describe)).join('\n'));
  }
  return dumps;
}

function describe(value: unknown): string {
  if (Buffer.isBuffer(value)) {
    return [value.toString('hex'), value.toString('base64'), value.toString('latin1')].join('\n');
  }
  return typeof value === 'string' ? value : JSON.stringify(value);
}
