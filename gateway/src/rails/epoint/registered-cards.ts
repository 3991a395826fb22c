/**
 * Which card_id of Epoint's stands for a card number. Epoint pays to a card only once its holder has typed the number on a page
 * of Epoint's, which gives out the card_id and tells us but the card's ends; so who had it registered says here whose it is.
 *
 * A file of lines: HMAC-SHA256 of the card number under Epoint's private key, in hexadecimal, a blank, the card_id. No card
 * number stands in it, and without the key nothing leads back to one.
 */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { EpointConfiguration } from './configuration.ts';

const LINE = /^([0-9a-f]{64}) (\w{1,64})$/;

/** Undefined: the card is not registered. The file is read anew each time: cards are registered while we run. */
export async function findCardId(
  card: string,
  { cardsFile, privateKey }: Pick<EpointConfiguration, 'cardsFile' | 'privateKey'>,
): Promise<Result<string | undefined, string>> {
  const text = await readFile(cardsFile, 'utf8').catch(() => undefined);
  if (text === undefined) return fail('the registered cards can’t be read: check EPOINT_CARDS_FILE');
  const wanted = cardHash(card, privateKey);
  const lines = text.split('\n').map((line) => LINE.exec(line.trim()));
  // The last one counts: a card may be registered anew.
  return ok(lines.findLast((line) => line?.[1] === wanted)?.[2]);
}

export function cardHash(card: string, privateKey: Secret): string {
  return createHmac('sha256', privateKey.reveal()).update(card, 'utf8').digest('hex');
}
