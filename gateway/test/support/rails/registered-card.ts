/** A card that Epoint's simulator can pay: its holder has registered it there, and the gateway knows it. */
import { appendFile } from 'node:fs/promises';
import type { EpointAccount } from '../../../src/rails/epoint/configuration.ts';
import { sealed, writeForm } from '../../../src/rails/epoint/envelope.ts';
import { cardHash } from '../../../src/rails/epoint/registered-cards.ts';
import type { AskSimulator } from './simulator-control.ts';

/** Registers the card through Epoint's API, adds the gateway's entry for it, and returns its card_id. */
export async function registerCard(
  card: string,
  at: { readonly url: string; readonly account: EpointAccount; readonly cardsFile: string },
  control: AskSimulator,
): Promise<string> {
  const { url, account, cardsFile } = at;
  const fields = { public_key: account.publicKey, language: 'en', refund: '1' };
  const body = new URLSearchParams(writeForm(sealed(fields, account.privateKey)));
  const response = await fetch(`${url}/card-registration`, { method: 'POST', body });
  const { card_id } = (await response.json()) as { card_id: string };
  await control('register', { card_id, card });
  await appendFile(cardsFile, `${cardHash(card, account.privateKey)} ${card_id}\n`);
  return card_id;
}
