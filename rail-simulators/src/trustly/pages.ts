/**
 * Trustly's checkout in the payer's frame: choose a bank, log in, and agree or go back. They are plain forms without scripts,
 * for phones and desktops, and load no other resource. Each page states that it is a simulator.
 */
import { escaped } from '../kernel/html.ts';
import type { Order } from './book.ts';
import { BANKS, type ConductName, conductOf } from './conducts.ts';

/** The hidden fields that every form posts back. */
type Opened = Pick<Order, 'orderId' | 'sessionId' | 'amount' | 'statement' | 'payer' | 'urlTarget'>;

const STYLE = `
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#17202a;background:#f4f6f8}
main{max-width:26rem;margin:0 auto;padding:1rem}
.note{margin:0;padding:.5rem 1rem;background:#7a1f1f;color:#fff;text-align:center}
h1{font-size:1.25rem}
button,input{font:inherit;box-sizing:border-box;width:100%;min-height:3rem;margin:.25rem 0 .75rem;padding:.5rem .75rem;border-radius:.5rem}
input{border:1px solid #5d6d7e;background:#fff;color:inherit}
button{border:0;background:#0b6b3a;color:#fff;cursor:pointer}
button.back{background:#fff;color:#17202a;border:1px solid #5d6d7e}
button:focus,input:focus,a:focus{outline:3px solid #1a5fb4;outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0;text-align:right;overflow-wrap:anywhere}
.wrong{color:#8b0000}`;

export function bankPage(order: Opened): string {
  const choices = BANKS.map(([conduct, name]) => form(order, 'bank', { conduct }, `<button>${escaped(name)}</button>`));
  return page('Choose your bank', `${sum(order)}${choices.join('')}${back(order)}`);
}

export function logInPage(order: Opened, conduct: ConductName, isWrong: boolean): string {
  const wrong = isWrong
    ? '<p class="wrong" role="alert">That is not right. Any number and any code but 0000 will do.</p>'
    : '';
  const fields =
    '<label for="user">User number</label><input id="user" name="user" autocomplete="off" required>' +
    '<label for="code">Code</label><input id="code" name="code" type="password" autocomplete="off" inputmode="numeric" required>' +
    '<button>Log in</button>';
  const name = escaped(nameOf(conduct));
  return page(`Log in to ${name}`, `${wrong}${form(order, 'login', { conduct }, fields)}${back(order)}`);
}

/** Both buttons leave the frame, as the order's URLTarget requires. */
export function agreePage(order: Opened, conduct: ConductName): string {
  const agree = form(order, 'agree', { conduct }, `<button>Pay ${escaped(order.amount)} EUR</button>`, order.urlTarget);
  return page('Agree to the payment', `${sum(order)}${agree}${back(order)}`);
}

export function overPage(url: string, target: string): string {
  const link = `<p><a href="${escaped(url)}" target="${escaped(target)}">Back to the shop</a></p>`;
  return page('This payment is over', `<p>Nothing more can be paid here.</p>${link}`);
}

export function unknownPage(): string {
  return page('No such payment', '<p>The URL of this page does not belong to a payment.</p>');
}

export function isConductOnPage(conduct: ConductName): boolean {
  return conductOf(conduct).bank !== undefined;
}

function nameOf(conduct: ConductName): string {
  return conductOf(conduct).bank ?? conduct;
}

function sum({ amount, statement, payer }: Opened): string {
  const rows = [
    ['Amount', `${amount} EUR`],
    ['To', statement],
    ['From', payer],
  ].map(([term, value]) => `<dt>${term}</dt><dd>${escaped(value ?? '')}</dd>`);
  return `<dl>${rows.join('')}</dl>`;
}

function back(order: Opened): string {
  return form(order, 'cancel', {}, '<button class="back">Cancel</button>', order.urlTarget);
}

function form(
  { orderId, sessionId }: Opened,
  step: string,
  fields: Readonly<Record<string, string>>,
  inner: string,
  target?: string,
): string {
  const hidden = Object.entries({ OrderID: orderId, SessionID: sessionId, ...fields }).map(
    ([name, value]) => `<input type="hidden" name="${name}" value="${escaped(value)}">`,
  );
  const to = target === undefined ? '' : ` target="${escaped(target)}"`;
  return `<form method="post" action="/checkout/${step}"${to}>${hidden.join('')}${inner}</form>`;
}

function page(title: string, inner: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">' +
    `<title>${title} – Trustly simulator</title><style>${STYLE}</style></head>` +
    '<body><header class="note">Simulator of Trustly: no money moves</header>' +
    `<main><h1>${title}</h1>${inner}</main></body></html>`
  );
}
