/**
 * The messages of payers' banks, and the payer's choices for each, as pages. They are plain forms without scripts, for phones
 * and desktops, and load no other resource. Each page states that it is a simulator.
 */
import { escaped } from '../kernel/html.ts';
import type { BookEntry } from './book.ts';
import { CONDUCTS } from './conducts.ts';

export function inboxPage(email: string, messages: readonly BookEntry[]): string {
  const asked = email === '' ? 'every address' : escaped(email);
  const rows = messages.map(
    (entry) =>
      `<li><a href="/inbox/message?id=${entry.id}">${escaped(titleOf(entry))}</a><br><small>to ${escaped(entry.email)}, ${stateOf(entry)}</small></li>`,
  );
  const list = rows.length === 0 ? '<p>There are no messages.</p>' : `<ul>${rows.join('')}</ul>`;
  const form =
    `<form method="get" action="/inbox"><label for="email">Messages to the email address</label>` +
    `<input id="email" name="email" type="email" autocomplete="off" value="${escaped(email)}"><button>Show</button></form>`;
  return page('Messages from your bank', `${form}<h2>To ${asked}</h2>${list}`);
}

export function messagePage(entry: BookEntry, client: string, notice = ''): string {
  const facts = [
    ['From', client],
    ['To', `${entry.name}, ${entry.email}`],
    ['Amount', `${entry.amount} CAD`],
    ['Message', entry.message],
    ['Number', String(entry.id)],
  ].map(([term, value]) => `<dt>${term}</dt><dd>${escaped(value ?? '')}</dd>`);
  const alert = notice === '' ? '' : `<p class="notice" role="alert">${escaped(notice)}</p>`;
  return page(titleOf(entry), `${alert}<dl>${facts.join('')}</dl>${doableOf(entry)}${inboxLink(entry)}`);
}

export function unknownPage(): string {
  return page('No such message', '<p>Nobody was sent this message.</p><p><a href="/inbox">All messages</a></p>');
}

function titleOf({ type, amount }: BookEntry): string {
  return type === 'Interac Money Request' ? `A request for ${amount} CAD` : `You are sent ${amount} CAD`;
}

const STATES: Readonly<Record<BookEntry['status'], string>> = {
  pending: 'not sent yet',
  requested: 'waits for you',
  'request fulfilled': 'accepted, on its way',
  successful: 'done',
  'cancellation requested': 'being called back',
  failed: 'ended without money',
  cancelled: 'no longer valid',
};

function stateOf({ status }: BookEntry): string {
  return STATES[status];
}

function doableOf(entry: BookEntry): string {
  if (entry.status !== 'requested')
    return `<p role="status"><strong>${stateOf(entry)}.</strong> ${furtherOf(entry)}</p>`;
  return entry.type === 'Interac Money Request' ? payingOf(entry) : depositingOf(entry);
}

function furtherOf({ type, status, failureReason }: BookEntry): string {
  if (type === 'Interac Money Request' && (status === 'request fulfilled' || status === 'successful'))
    return 'You can return to the shop’s page now; it will show the outcome.';
  return escaped(failureReason);
}

function payingOf({ id }: BookEntry): string {
  const banks = Object.entries(CONDUCTS).flatMap(([name, conduct]) =>
    'bank' in conduct ? [[name, conduct.bank] as const] : [],
  );
  const choices = banks.map(
    ([name, bank], at) =>
      `<label class="choice"><input type="radio" name="behaviour" value="${name}"${at === 0 ? ' checked' : ''}> ${escaped(bank)}</label>`,
  );
  return (
    form(
      id,
      `<fieldset><legend>From which bank</legend>${choices.join('')}</fieldset><button>Accept and pay</button>`,
    ) +
    form(id, '<button class="back" name="behaviour" value="decline">Decline</button>') +
    form(id, '<button class="back" name="behaviour" value="expire">Let it expire, as if 30 days had passed</button>')
  );
}

function depositingOf({ id, question }: BookEntry): string {
  const asked = question === '' ? 'Answer to the question that the sender asks' : question;
  return (
    form(
      id,
      `<label for="answer">${escaped(asked)}</label>` +
        '<input id="answer" name="answer" autocomplete="off" required><button>Deposit</button>',
    ) +
    form(id, '<button class="back" name="behaviour" value="decline">Decline</button>') +
    form(
      id,
      '<button class="back" name="behaviour" value="expire">Leave it unclaimed, as if 30 days had passed</button>',
    )
  );
}

function form(id: number, inner: string): string {
  return `<form method="post" action="/inbox/message"><input type="hidden" name="id" value="${id}">${inner}</form>`;
}

function inboxLink({ email }: BookEntry): string {
  return `<p><a href="/inbox?${escaped(new URLSearchParams({ email }).toString())}">All messages to ${escaped(email)}</a></p>`;
}

const STYLE = `
:root{color-scheme:light dark}body{margin:0;background:#fff;color:#17202a;font:1rem/1.5 system-ui,sans-serif}
main{max-width:28rem;margin:0 auto;padding:1rem}
.simulator{margin:0;padding:.5rem 1rem;background:#7a1f1f;color:#fff;text-align:center}
a{color:#0b5c8a}@media(prefers-color-scheme:dark){body{background:#121619;color:#f2f4f6}a{color:#8ccbff}}
h1{font-size:1.35rem}h2{font-size:1.1rem}
button,input:not([type=radio]){font:inherit;box-sizing:border-box;width:100%;min-height:3rem;margin:.25rem 0 .75rem;padding:.5rem .75rem;border-radius:.5rem}
input:not([type=radio]){border:1px solid #6b7783}
button{border:0;background:#0b5c8a;color:#fff;cursor:pointer}
button.back{background:transparent;color:inherit;border:1px solid #6b7783}
fieldset{margin:1rem 0;padding:.5rem 1rem}.choice{display:block;padding:.5rem 0}
li{margin:.5rem 0}dt{font-weight:600}dd{margin:0 0 .5rem;overflow-wrap:anywhere}
.notice{border-left:.3rem solid #b00020;padding-left:.7rem}
button:focus-visible,input:focus-visible,a:focus-visible{outline:3px solid #e08a00;outline-offset:2px}`;

function page(title: string, inner: string): string {
  return (
    '<!doctype html><html lang="en"><head><meta charset="utf-8">' +
    '<meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer">' +
    `<title>${escaped(title)} · bank simulator</title><style>${STYLE}</style></head>` +
    '<body><header class="simulator">A simulator for development: no money moves.</header>' +
    `<main><h1>${escaped(title)}</h1>${inner}</main></body></html>`
  );
}
