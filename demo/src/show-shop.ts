/** Prints the links to the hosted form, one per payment type, with the steps behind each. It starts nothing. */
import type { ProviderPlace } from './providers/provider.ts';
import { screen } from './screen.ts';
import type { Shelf } from './shop/offer.ts';

const INDENT = 4;

/** Each click opens the form for a new order, so a link works any number of times. */
export function showShop(shelves: readonly Shelf[], shopUrl: string): void {
  screen.heading(`Payments to click on the hosted form; the shop has all of them: ${shopUrl}`);
  for (const { offer, simulatorUrl } of shelves) {
    const { title, paymentType, todo, tries, bank } = offer;
    screen.line(`  ${title}: ${shopUrl}/${paymentType}`);
    screen.pieces(INDENT, [todo]);
    if (bank) screen.pieces(INDENT, [`${bank.name}: ${simulatorUrl}${bank.path}`]);
    const pieces = tries.map(([what, outcome]) => `${what} → ${outcome}`);
    screen.pieces(INDENT, pieces);
  }
}

export function shelvesOf(providers: readonly ProviderPlace[]): readonly Shelf[] {
  return providers.flatMap(({ provider: { offer }, url }) => (offer ? [{ offer, simulatorUrl: url }] : []));
}
