/**
 * The app of a payer's bank, as pages without JavaScript: paste a code or name a charge, choose an account and its holder, and
 * pay. It is served without TLS on a separate port, because browsers do not trust the bank's certificate. Every page states
 * that it is a simulator.
 */
import { sumOf } from '../kernel/amounts.ts';
import { escaped, html } from '../kernel/html.ts';
import type { Answer, ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { Book, BookEntry } from './book.ts';
import { readCode } from './br-code.ts';
import { ACCOUNTS, ANYBODY } from './payers.ts';
import type { Paid, PixBank } from './processing.ts';
import { isCpf } from './requests.ts';
import { locationOf, type ViewParts } from './views.ts';

interface PayerPagesParts {
  readonly bank: PixBank;
  readonly book: Book;
  readonly view: ViewParts;
}

export function payerRoutes(parts: PayerPagesParts): readonly Route[] {
  return [
    { verb: 'GET', path: '/', answer: () => page(200, 'Pay with Pix', startForm('')) },
    { verb: 'GET', path: '/pay', answer: ({ query }) => showCharge(parts, query.get('charge') ?? '') },
    {
      verb: 'GET',
      path: '/qr/v2/',
      answer: ({ rest }) => ({ status: 303, body: '', location: `/pay?charge=${encodeURIComponent(rest)}` }),
    },
    { verb: 'POST', path: '/pay', answer: (request) => pay(parts, request) },
  ];
}

const REFUSALS: Readonly<Record<Extract<Paid, { kind: 'refused' }>['why'], string>> = {
  unknown: 'The bank of the receiver does not know this charge.',
  expired: 'This charge has expired. No money was taken.',
  removed: 'The receiver has removed this charge. No money was taken.',
  already_paid: 'This charge has been paid already. No money was taken.',
};

/** `text` is a pasted code, a txid or the end of a location. */
function find({ book, view }: PayerPagesParts, text: string): BookEntry | string {
  const asked = text.trim();
  const direct = book.latest(asked) ?? book.chargeAt(asked);
  if (direct !== undefined) return direct;
  if (!asked.startsWith('0002')) return 'Charge not found.';
  const code = readCode(asked);
  if ('fault' in code) return code.fault;
  const charge = book.chargeAt(code.location.split('/').at(-1) ?? '');
  return charge && locationOf(charge, view) === code.location ? charge : REFUSALS.unknown;
}

function showCharge(parts: PayerPagesParts, text: string): Answer {
  const found = find(parts, text);
  if (typeof found === 'string') return page(404, 'Not found', notice(found) + startForm(text));
  return page(200, 'Confirm the payment', payForm(found, parts));
}

async function pay(parts: PayerPagesParts, { body }: ProviderRequest): Promise<Reply> {
  const form = new URLSearchParams(body.toString());
  const charge = parts.book.latest(form.get('txid') ?? '');
  if (charge === undefined) return page(404, 'Not found', notice('Charge not found.') + startForm(''));
  const account = ACCOUNTS.find(({ id }) => id === form.get('account'));
  const cpf = (form.get('cpf') ?? '').replace(/[.\s-]/g, '');
  const nome = (form.get('name') ?? '').trim().slice(0, 200) || ANYBODY.nome;
  const fault = !account ? 'Choose an account.' : isCpf(cpf) ? undefined : 'This is not a CPF.';
  if (fault !== undefined) return page(400, 'Confirm the payment', notice(fault) + payForm(charge, parts));
  if (sumOf([charge.valor]) > sumOf([account?.balance]))
    return page(
      200,
      'Not paid',
      notice('There is not enough money in this account. No money was taken.') + payForm(charge, parts),
    );
  const paid = await parts.bank.pay({ txid: charge.txid, pagador: { cpf, nome } });
  if (paid.kind === 'refused') return page(409, 'Not paid', notice(REFUSALS[paid.why]) + startForm(''));
  return page(200, 'Paid', receipt(paid.charge.valor, paid.pix.endToEndId, parts));
}

function startForm(text: string): string {
  return `<form action="/pay" method="get">
<label for="charge">Pix copy-and-paste code, or the id of a charge</label>
<textarea id="charge" name="charge" rows="6" required autocomplete="off" spellcheck="false">${escaped(text)}</textarea>
<button>Go on</button>
</form>`;
}

function payForm({ txid, valor, devedor, solicitacaoPagador }: BookEntry, { view }: PayerPagesParts): string {
  const payer = devedor ?? ANYBODY;
  const choices = ACCOUNTS.map(
    ({ id, bank, balance }, at) =>
      `<label class="choice"><input type="radio" name="account" value="${id}"${at === 0 ? ' checked' : ''}> ${bank}<br><small>R$ ${balance}</small></label>`,
  );
  return `<dl><dt>To</dt><dd>${escaped(view.receiver.name)}</dd><dt>Amount</dt><dd class="amount">R$ ${valor}</dd>
${solicitacaoPagador === '' ? '' : `<dt>Message</dt><dd>${escaped(solicitacaoPagador)}</dd>`}
${devedor === null ? '' : `<dt>Addressed to</dt><dd>${escaped(devedor.nome)}, CPF ${devedor.cpf}</dd>`}</dl>
<form action="/pay" method="post"><input type="hidden" name="txid" value="${txid}">
<fieldset><legend>From which account</legend>${choices.join('')}</fieldset>
<label for="name">Whose account it is</label><input id="name" name="name" value="${escaped(payer.nome)}" maxlength="200" autocomplete="off">
<label for="cpf">CPF of that person</label><input id="cpf" name="cpf" value="${payer.cpf}" inputmode="numeric" required autocomplete="off">
<button>Pay R$ ${valor}</button></form>`;
}

function receipt(valor: string, endToEndId: string, { view }: PayerPagesParts): string {
  return `<p class="paid" role="status">R$ ${valor} went to ${escaped(view.receiver.name)}.</p>
<dl><dt>Id of the payment</dt><dd class="id">${endToEndId}</dd></dl><p>You can go back to the shop now.</p>`;
}

const notice = (text: string): string => `<p class="notice" role="alert">${escaped(text)}</p>`;

const STYLE = `:root{color-scheme:light dark}body{margin:0;font:1rem/1.5 system-ui,sans-serif}main{max-width:30rem;margin:0 auto;padding:1rem}
.simulator{background:#7a4b00;color:#fff;text-align:center;padding:.5rem;margin:0}label,legend{display:block;margin:1rem 0 .25rem;font-weight:600}
textarea,input:not([type=radio]){width:100%;box-sizing:border-box;font:inherit;padding:.6rem}fieldset{margin:1rem 0;padding:.5rem 1rem}
.choice{font-weight:400}button{width:100%;font:inherit;font-weight:600;padding:.9rem;margin:1.5rem 0;background:#00624b;color:#fff;border:0;border-radius:.4rem}
dt{font-weight:600}dd{margin:0 0 .5rem}.amount{font-size:1.6rem}.id{overflow-wrap:anywhere}.notice{border-left:.3rem solid #b00020;padding-left:.7rem}.paid{border-left:.3rem solid #00845f;padding-left:.7rem}`;

function page(status: number, title: string, content: string): Answer {
  const body = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<title>${title} · bank simulator</title><style>${STYLE}</style></head>
<body><p class="simulator">A simulator for development: no money moves.</p><main><h1>${title}</h1>
${content}
</main></body></html>`;
  return html(body, status);
}
