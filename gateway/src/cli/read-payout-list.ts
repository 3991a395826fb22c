/**
 * Reads a list of payouts: one per line, as merchant, payout id, amount and currency, separated by commas, semicolons or
 * blanks.
 */
import { readFile } from 'node:fs/promises';
import type { NamedPayout } from '../domain/reconciliation/ask-named-payouts.ts';
import { isCurrency } from '../foundation/currency.ts';
import { isId } from '../foundation/identifiers.ts';
import { parseAmount } from '../foundation/money.ts';
import { CommandFailure, unreadableText } from './command-output.ts';

const HEADER = /^merchant\b/i;

export async function readPayoutListFile(path: string): Promise<readonly NamedPayout[]> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    throw new CommandFailure(unreadableText(`the list ${path}`, error));
  });
  return readPayoutList(text);
}

function readPayoutList(text: string): readonly NamedPayout[] {
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const payouts = lines.flatMap((line, index) => {
    if (line.trim() === '' || (index === 0 && HEADER.test(line.trim()))) return [];
    return [readLine(line, index + 1)];
  });
  if (payouts.length === 0) throw new CommandFailure('The list contains no payouts.');
  return payouts;
}

function readLine(line: string, number: number): NamedPayout {
  const [merchantId = '', payoutId = '', amount = '', currency = '', ...more] = line
    .trim()
    .split(/\s*[,;\t]\s*|\s+/)
    .map((cell) => cell.replace(/^"(.*)"$/, '$1'));
  const money = isCurrency(currency) ? parseAmount(amount, currency) : undefined;
  if (!isId(merchantId) || !isId(payoutId) || !money || more.length > 0) {
    const wanted = 'merchant, payout id, amount and currency, such as "M1,A17,10.00,EUR"';
    throw new CommandFailure(`Line ${number} of the list is not ${wanted}.`);
  }
  return { merchantId, payoutId, money };
}
