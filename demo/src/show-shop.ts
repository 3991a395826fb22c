/** The links to the hosted form, one for each way to pay, and what to do behind each. Prints; starts nothing. */
import type { FormPlace } from './form/form-provider.ts';
import { screen } from './screen.ts';

const INDENT = 4;

/** Each link leads to the form by a new order at every click, so it can be opened as often as one likes. */
export function showShop(form: readonly FormPlace[], shopUrl: string): void {
  screen.heading(`Payments to click, by the hosted form; the shop has them all: ${shopUrl}`);
  for (const { url, provider } of form) {
    const { title, paymentType, todo, tries, bank } = provider.offer;
    screen.line(`  ${title}: ${shopUrl}/${paymentType}`);
    screen.pieces(INDENT, [todo]);
    if (bank) screen.pieces(INDENT, [`${bank.name}: ${url}${bank.path}`]);
    screen.pieces(
      INDENT,
      tries.map(([what, outcome]) => `${what} → ${outcome}`),
    );
  }
}
