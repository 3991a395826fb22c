/**
 * A payer at the hosted form: opens the merchant's link, pays, presses twice, tries again, leaves, cancels, and comes back
 * from the provider's page. The payer does not trust a page: the provider's book decides who paid.
 */
import { type FormPage, pageOf } from '../../test/support/form/form-payer.ts';
import type { Answer } from '../world/answer.ts';
import type { World } from '../world/world.ts';
import type { Door, Sent } from './door.ts';

interface FormPayers {
  /** A payer follows the link of a merchant's shop. */
  open(link: string): void;
  /** The payer's browser follows the address to which a provider sends them. */
  comeBack(returnUrl: string): void;
}

const MOST_PAGES = 8;
const LOOKS_AGAIN_MS = 20_000;
const CARDS = ['4111111111111111', '5555555555554444', '4000000000000002'];
const DETAILS = {
  email: 'ann@example.com',
  first_name: 'Ann',
  last_name: 'Payer',
  phone: '+14165550123',
  cpf: '52998224725',
};
/** The payer presses the button once more before the page has changed. */
const PRESSES_TWICE = 0.1;
const TRIES_AGAIN = 0.7;
const CANCELS = 0.08;

export function createFormPayers(world: World, door: Door): FormPayers {
  const drawn = world.drawn.apart('payers');

  /** Follows redirects within the form. Resolves to undefined if the payer does not see a page. */
  async function request(path: string, sent: Sent): Promise<FormPage | undefined> {
    const answer: Answer = await door.send(path, sent);
    if (answer === 'lost') return undefined;
    const location = answer.headers['location'];
    if (answer.status === 303 && location !== undefined) return request(pathOf(location), {});
    return pageOf({ status: answer.status, headers: new Headers(), text: answer.body }, path);
  }

  function press(page: FormPage, act: string, fields: Readonly<Record<string, string>> = {}) {
    const body = new URLSearchParams({ ...page.hidden(act), ...fields }).toString();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    return request(page.address, { method: 'POST', body, headers });
  }

  /** Returns undefined if the payer does nothing more on this page. */
  function actOn({ acts }: FormPage): string | undefined {
    if (!acts.includes('pay') && !acts.includes('try_again')) return undefined;
    if (acts.includes('cancel') && drawn.chance(CANCELS)) return 'cancel';
    if (acts.includes('pay')) return 'pay';
    return drawn.chance(TRIES_AGAIN) ? 'try_again' : undefined;
  }

  function typed(): Readonly<Record<string, string>> {
    const [month, year] = [String(drawn.between(1, 12)).padStart(2, '0'), drawn.between(40, 45)];
    const card = { card_number: drawn.oneOf(CARDS), card_expiry: `${month}/${year}`, card_cvv: '123' };
    return { ...DETAILS, ...card, card_holder: 'Ann Payer' };
  }

  async function visit(link: string): Promise<void> {
    let page = await request(link, {});
    for (let pages = 0; page && pages < MOST_PAGES; pages++) {
      const { address } = page;
      const act = actOn(page);
      if (act === undefined) return;
      const fields = act === 'pay' ? typed() : {};
      if (act === 'pay' && drawn.chance(PRESSES_TWICE)) void press(page, act, fields);
      page = (await press(page, act, fields)) ?? (await later(address));
    }
  }

  /** Loads the page again after it did not arrive. */
  async function later(address: string): Promise<FormPage | undefined> {
    await new Promise<void>((resolve) => world.after(LOOKS_AGAIN_MS, resolve));
    return request(address, {});
  }

  return {
    open: (link) => void visit(link),
    comeBack: (returnUrl) => void request(pathOf(returnUrl), {}),
  };
}

function pathOf(address: string): string {
  const { pathname, search } = new URL(address, 'http://gateway.example');
  return pathname + search;
}
