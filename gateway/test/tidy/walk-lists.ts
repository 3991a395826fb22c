/** The files that a reader opens to follow one payment, as docs/architecture/walks.md lists them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './source-files.ts';

/** The walks by their headings, each with the most files that a reader opens. */
export const WALKS = { 'A payout over WayForPay': 45, 'A card payment over Adyen, with 3-D Secure': 40 } as const;

/** The files and folders in code format of the table under a heading, each once. */
export function filesUnder(heading: string, root = ROOT): string[] {
  const [, section = ''] = readFileSync(join(root, 'docs/architecture/walks.md'), 'utf8').split(`\n## ${heading}\n`);
  const [text = ''] = section.split('\n## ');
  const rows = text.split('\n').filter((line) => line.startsWith('|'));
  return [...new Set([...rows.join('\n').matchAll(/`([\w./-]+(?:\.ts|\*\*))`/g)].map(([, path = '']) => path))];
}
