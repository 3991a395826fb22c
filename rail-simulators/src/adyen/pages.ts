/**
 * The bank pages that a payer sees. Each works without JavaScript, loads no other resource, and states that it is a simulator.
 */
import { escaped } from '../kernel/html.ts';
import type { Answer } from '../kernel/http-server.ts';
import { MOST_WRONG_CODES, RIGHT_CODE } from './three-d-secure.ts';

const STYLE = `
:root { color-scheme: light dark; font: 1rem/1.5 system-ui, sans-serif; }
body { margin: 0 auto; padding: 1rem; max-width: 26rem; }
h1 { font-size: 1.25rem; margin: 0 0 .5rem; }
p { margin: 0 0 1rem; }
.note { border-left: .25rem solid; padding-left: .75rem; opacity: .8; }
label { display: block; font-weight: 600; margin-bottom: .25rem; }
input, button { box-sizing: border-box; width: 100%; min-height: 3rem; font: inherit; padding: .5rem .75rem; margin: 0 0 .75rem; }
.wrong { font-weight: 600; }
`;

function page(title: string, content: string, status = 200): Answer {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${escaped(title)}</title><style>${STYLE}</style></head>
<body><main><h1>${escaped(title)}</h1>
<p class="note">This is a simulator of a bank for development. No money moves.</p>
${content}</main></body></html>`;
  return { status, body, contentType: 'text/html; charset=utf-8' };
}

interface ChallengePage {
  readonly acsTransId: string;
  readonly amount: string;
  readonly lastFour: string;
  readonly wrongCodes: number;
}

export function challengePage({ acsTransId, amount, lastFour, wrongCodes }: ChallengePage): Answer {
  const left = MOST_WRONG_CODES - wrongCodes;
  const tries = left === 1 ? '1 try is left' : `${left} tries are left`;
  const wrong = wrongCodes === 0 ? '' : `<p class="wrong" role="alert">That code is not right; ${tries}.</p>`;
  return page(
    'Confirm your payment',
    `<p>You pay <strong>${escaped(amount)}</strong> with the card that ends in <strong>${escaped(lastFour)}</strong>.</p>
${wrong}<form method="post" action="/three-d-secure/challenge/answer">
<input type="hidden" name="acsTransID" value="${escaped(acsTransId)}">
<label for="code">Code from your bank (the right one is ${RIGHT_CODE})</label>
<input id="code" name="code" inputmode="numeric" autocomplete="one-time-code" maxlength="6">
<button name="action" value="confirm">Confirm</button>
<button name="action" value="cancel">Cancel the payment</button>
</form>
<p>To see what happens when nobody answers, leave this page as it is.</p>`,
  );
}

/** Posts one field to the page from which the payer came: automatically with JavaScript, otherwise through a button. */
export function returnPage(url: string, field: string, value: string): Answer {
  return page(
    'Back to the shop',
    `<form method="post" action="${escaped(url)}">
<input type="hidden" name="${escaped(field)}" value="${escaped(value)}">
<button>Continue</button></form>
<script>document.forms[0].submit()</script>`,
  );
}

export function errorPage(what: string): Answer {
  return page('Something is wrong', `<p role="alert">${escaped(what)}</p>`, 400);
}
