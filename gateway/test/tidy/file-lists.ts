/** The files that a reader opens to follow one payment, as listed in docs/architecture/files-of-one-payment.md. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

/** The maximum number of files that a reader opens, by the heading of the payment. */
export const MOST_FILES = { 'A payout over WayForPay': 45, 'A card payment over Adyen, with 3-D Secure': 40 } as const;

/** Returns the distinct files and folders in code format in the table under a heading. */
export function filesUnder(heading: string, root = ROOT): string[] {
  const [, section = ''] = readFileSync(join(root, 'docs/architecture/files-of-one-payment.md'), 'utf8').split(
    `\n## ${heading}\n`,
  );
  const [text = ''] = section.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return [...new Set([...rows.join('\n').matchAll(/`([\w./-]+(?:\.ts|\*\*))`/g)].map(([, path = '']) => path))];
}
