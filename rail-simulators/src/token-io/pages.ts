/**
 * The pages of the payer's bank: log in, then agree, reject or leave. They are plain forms without scripts, for phones and
 * desktops, and load no other resource. Each page states that it is a simulator.
 */
import { escaped } from '../kernel/html.ts';
import { bankOf } from './banks.ts';
import type { Payment } from './book.ts';
import { BUTTONS } from './conducts.ts';

type Shown = Pick<Payment, 'session' | 'amount' | 'payee' | 'reference' | 'bankId' | 'callbackUrl'>;

const STYLE = `
body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:#17202a;background:#f4f6f8}
main{max-width:26rem;margin:0 auto;padding:1rem}
.note{margin:0;padding:.5rem 1rem;background:#7a1f1f;color:#fff;text-align:center}
h1{font-size:1.25rem;overflow-wrap:anywhere}
button,input{font:inherit;box-sizing:border-box;width:100%;min-height:3rem;margin:.25rem 0 .75rem;padding:.5rem .75rem;border-radius:.5rem}
input{border:1px solid #5d6d7e;background:#fff;color:inherit}
button{border:1px solid #5d6d7e;background:#fff;color:#17202a;cursor:pointer}
button.first{border:0;background:#0b4f6b;color:#fff}
button:focus,input:focus,a:focus{outline:3px solid #1a5fb4;outline-offset:2px}
dl{display:grid;grid-template-columns:auto 1fr;gap:.25rem 1rem}dd{margin:0;text-align:right;overflow-wrap:anywhere}
.wrong{color:#8b0000}`;

/** The only password that every bank rejects. */
export const WRONG_PASSWORD = 'wrong';

export function logInPage(payment: Shown, failures: number): string {
  const wrong =
    failures === 0
      ? ''
      : `<p class="wrong" role="alert">These credentials are wrong (${failures} of 3). Any will do but the password “${WRONG_PASSWORD}”.</p>`;
  const fields =
    '<label for="user">User name</label><input id="user" name="user" autocomplete="off" required>' +
    '<label for="password">Password</label><input id="password" name="password" type="password" autocomplete="off" required>' +
    `<input type="hidden" name="failures" value="${failures}"><button class="first">Log in</button>`;
  return page(`Log in to ${nameOf(payment)}`, `${wrong}${form(payment, 'login', fields)}${leave(payment)}`);
}

export function decidePage(payment: Shown): string {
  const choices = BUTTONS.map(([conduct, text], at) => {
    const fields = `<input type="hidden" name="conduct" value="${conduct}">`;
    return form(payment, 'decide', `${fields}<button${at === 0 ? ' class="first"' : ''}>${escaped(text)}</button>`);
  });
  return page('Agree to the payment', `${sum(payment)}${choices.join('')}${leave(payment)}`);
}

export function leftPage(payment: Shown): string {
  const again = form(payment, 'back', '<button>Log in again</button>');
  return page('Nothing was decided', `<p>You have left ${escaped(nameOf(payment))}.</p>${again}${shop(payment)}`);
}

export function overPage(payment: Shown): string {
  return page('This payment is over', `<p>Nothing more can be decided here.</p>${shop(payment)}`);
}

export function unknownPage(): string {
  return page('No such payment', '<p>The URL of this page does not belong to a payment.</p>');
}

function nameOf({ bankId }: Shown): string {
  return bankOf(bankId)?.name ?? 'a bank';
}

function sum({ amount, payee, reference }: Shown): string {
  const rows = [
    ['Amount', `${amount} EUR`],
    ['To', payee],
    ['Reference', reference],
  ].map(([term, value]) => `<dt>${term}</dt><dd>${escaped(value ?? '')}</dd>`);
  return `<dl>${rows.join('')}</dl>`;
}

function leave(payment: Shown): string {
  return form(payment, 'leave', '<button>Leave without deciding</button>');
}

/** Returns the return URL of a payer who closes the bank's page, without Token.io's parameters. */
function shop({ callbackUrl }: Shown): string {
  return `<p><a href="${escaped(callbackUrl)}">Back to the shop</a></p>`;
}

function form({ session }: Shown, step: string, inner: string): string {
  const hidden = `<input type="hidden" name="session" value="${escaped(session)}">`;
  return `<form method="post" action="/authorize/${step}">${hidden}${inner}</form>`;
}

function page(title: string, inner: string): string {
  const heading = escaped(title);
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">' +
    `<title>${heading} – Token.io simulator</title><style>${STYLE}</style></head>` +
    '<body><header class="note">Simulator of a bank behind Token.io: no money moves</header>' +
    `<main><h1>${heading}</h1>${inner}</main></body></html>`
  );
}
