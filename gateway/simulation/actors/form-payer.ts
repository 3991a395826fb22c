/**
 * A payer on the hosted form: opens the merchant's link, pays, presses twice, retries, leaves, cancels and returns from the
 * provider's page. Pages prove nothing here: only the provider's book decides whether the payer paid.
 */
import { type FormPage, pageOf } from '../../test/support/form/form-payer.ts';
import type { Answer } from '../world/answer.ts';
import type { World } from '../world/world.ts';
import type { Door, Sent } from './door.ts';

interface FormPayers {
  /** Makes a payer follow a link from a merchant's shop. */
  open(link: string): void;
  /** Makes the payer's browser follow a provider's redirect to the form. */
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
/** The probability that the payer presses the button again before the page changes. */
const PRESSES_TWICE = 0.1;
const TRIES_AGAIN = 0.7;
const CANCELS = 0.08;

export function createFormPayers(world: World, door: Door): FormPayers {
  const drawn = world.drawn.apart('payers');

  /** Follows redirects within the form. Resolves to undefined if no page reaches the payer. */
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

  /** Returns undefined if the payer takes no further action on this page. */
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

  /** Reloads a page that did not arrive. */
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
