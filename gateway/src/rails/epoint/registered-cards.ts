/**
 * Finds Epoint's card_id of a card number. Epoint pays to a card only after its holder typed the number on Epoint's
 * page, which issues the card_id and shows us only the card's first and last digits. The operator who had it registered
 * therefore records its card here.
 *
 * The file has lines of HMAC-SHA256 of the card number under Epoint's private key in hexadecimal, a blank, and the
 * card_id. It must hold no card number, and without the key nothing leads back to one.
 */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { fail, ok, type Result } from '../../foundation/result.ts';
import type { Secret } from '../../foundation/secret.ts';
import type { EpointConfiguration } from './configuration.ts';

const LINE = /^([0-9a-f]{64}) (\w{1,64})$/;

/**
 * Returns undefined if the card is not registered. Each call reads the file again, because cards are registered while the
 * gateway runs.
 */
export async function findCardId(
  card: string,
  { cardsFile, privateKey }: Pick<EpointConfiguration, 'cardsFile' | 'privateKey'>,
): Promise<Result<string | undefined, string>> {
  const text = await readFile(cardsFile, 'utf8').catch(() => undefined);
  if (text === undefined) return fail('the registered cards cannot be read: check EPOINT_CARDS_FILE');
  const wanted = cardHash(card, privateKey);
  const lines = text.split('\n').map((line) => LINE.exec(line.trim()));
  // The last line of a card applies, because a card may be registered again.
  return ok(lines.findLast((line) => line?.[1] === wanted)?.[2]);
}

export function cardHash(card: string, privateKey: Secret): string {
  return createHmac('sha256', privateKey.reveal()).update(card, 'utf8').digest('hex');
}
