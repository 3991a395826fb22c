/**
 * The endpoints of the bank's Pix API, as a table, with the response of each. Each checks the token, the scope and the format,
 * then calls the bank. kernel/http-server.ts handles sockets and the client's certificate.
 */
import { ok } from '../kernel/book-page.ts';
import { asFields, isHttpUrl, parseJson } from '../kernel/fields.ts';
import type { ProviderRequest, Reply, Route } from '../kernel/http-server.ts';
import type { AccessTokens, Scope } from './access-tokens.ts';
import type { Book, Charge, Refund } from './book.ts';
import { type ProblemType, problem } from './errors.ts';
import type { Done, PixBank } from './processing.ts';
import { checkTerms, isRemoval } from './requests.ts';
import { chargeView, pixView, refundView, type ViewParts } from './views.ts';

export interface ApiParts {
  readonly bank: PixBank;
  readonly book: Book;
  readonly tokens: AccessTokens;
  readonly chave: string;
  readonly view: ViewParts;
  readonly webhook: Webhook;
}

/** The client's URL for callbacks, in memory only. */
export interface Webhook {
  url: string | undefined;
  registeredAt: number;
}

type Work = (parts: ApiParts, segments: readonly string[], body: Buffer) => Reply | Promise<Reply>;

const VERSION = '/api/v2';
const TXID_PATTERN = /^[a-zA-Z0-9]{26,35}$/;

const TABLE: readonly (readonly [verb: Route['verb'], path: string, scope: Scope, work: Work])[] = [
  ['PUT', '/cob/*', 'cob.write', putCharge],
  ['PATCH', '/cob/*', 'cob.write', removeCharge],
  ['GET', '/cob/*', 'cob.read', getCharge],
  ['GET', '/pix/*', 'pix.read', getPix],
  ['PUT', '/pix/*/devolucao/*', 'pix.write', putRefund],
  ['GET', '/pix/*/devolucao/*', 'pix.read', getRefund],
  ['PUT', '/webhook/*', 'webhook.write', putWebhook],
  ['GET', '/webhook/*', 'webhook.read', getWebhook],
  ['DELETE', '/webhook/*', 'webhook.write', deleteWebhook],
];

export function apiRoutes(parts: ApiParts): readonly Route[] {
  const { tokens } = parts;
  const giveToken = ({ headers, body }: ProviderRequest) => tokens.give(headers.authorization, body.toString());
  return [
    { verb: 'POST', path: '/oauth/token', answer: giveToken },
    ...TABLE.map(([verb, path, scope, work]): Route => {
      const answer = ({ headers, segments, body }: ProviderRequest) => {
        const access = tokens.check(headers.authorization, scope);
        if (access === 'unknown') return { status: 401, body: { error: 'invalid_token' } };
        return access === 'allowed' ? work(parts, segments, body) : problem('AcessoNegado');
      };
      return { verb, path: VERSION + path, answer };
    }),
  ];
}

async function putCharge(
  { bank, chave, view }: ApiParts,
  [txid = '']: readonly string[],
  body: Buffer,
): Promise<Reply> {
  const checked = checkTerms(parseJson(body), chave);
  const isTxid = TXID_PATTERN.test(txid);
  if (!isTxid)
    return problem('CobOperacaoInvalida', [{ razao: 'O txid não respeita o _schema_.', propriedade: 'cob.txid' }]);
  if ('violations' in checked) return problem('CobOperacaoInvalida', checked.violations);
  return replyTo(await bank.put(txid, checked.terms), 201, 'CobOperacaoInvalida', (charge) => chargeView(charge, view));
}

async function removeCharge({ bank, view }: ApiParts, [txid = '']: readonly string[], body: Buffer): Promise<Reply> {
  if (!isRemoval(parseJson(body)))
    return problem('CobOperacaoInvalida', [
      { razao: 'O campo cob.status não respeita o _schema_.', propriedade: 'cob.status' },
    ]);
  return replyTo(await bank.remove(txid), 200, 'CobOperacaoInvalida', (charge) => chargeView(charge, view));
}

function getCharge({ book, view }: ApiParts, [txid = '']: readonly string[]): Reply {
  const charge = book.latest(txid);
  return charge === undefined ? problem('CobNaoEncontrado') : ok(chargeView(charge, view));
}

function getPix({ book, view }: ApiParts, [endToEndId = '']: readonly string[]): Reply {
  const charge = book.chargeOfPix(endToEndId);
  const pix = charge?.pix.find((one) => one.endToEndId === endToEndId);
  return charge && pix ? ok(pixView(pix, charge, view)) : problem('PixNaoEncontrado');
}

async function putRefund(
  { bank }: ApiParts,
  [endToEndId = '', id = '']: readonly string[],
  body: Buffer,
): Promise<Reply> {
  const { valor } = asFields(parseJson(body));
  if (!/^[a-zA-Z0-9]{1,35}$/.test(id) || typeof valor !== 'string') return problem('PixDevolucaoInvalida');
  return replyTo(await bank.refund(endToEndId, id, valor), 201, 'PixDevolucaoInvalida', refundView);
}

function getRefund({ book }: ApiParts, [endToEndId = '', id = '']: readonly string[]): Reply {
  const pix = book.chargeOfPix(endToEndId)?.pix.find((one) => one.endToEndId === endToEndId);
  const refund = pix?.devolucoes.find((one) => one.id === id);
  return refund === undefined ? problem('PixDevolucaoNaoEncontrada') : ok(refundView(refund));
}

function putWebhook({ chave, webhook, view }: ApiParts, [key = '']: readonly string[], body: Buffer): Reply {
  const { webhookUrl } = asFields(parseJson(body));
  const isUrl = typeof webhookUrl === 'string' && isHttpUrl(webhookUrl);
  if (key !== chave || !isUrl) return problem('WebhookOperacaoInvalida');
  webhook.url = webhookUrl;
  webhook.registeredAt = view.now();
  return ok({});
}

function getWebhook({ chave, webhook }: ApiParts, [key = '']: readonly string[]): Reply {
  if (key !== chave || webhook.url === undefined) return problem('WebhookNaoEncontrado');
  return ok({ webhookUrl: webhook.url, chave, criacao: new Date(webhook.registeredAt).toISOString() });
}

function deleteWebhook({ chave, webhook }: ApiParts, [key = '']: readonly string[]): Reply {
  if (key !== chave || webhook.url === undefined) return problem('WebhookNaoEncontrado');
  webhook.url = undefined;
  return { status: 204, body: '' };
}

function replyTo<Thing extends Charge | Refund>(
  done: Done<Thing>,
  status: number,
  invalid: ProblemType,
  show: (thing: Thing) => object,
): Reply {
  switch (done.kind) {
    case 'done':
      return { status, body: show(done.thing) };
    case 'refused':
      return problem(invalid, done.violations);
    case 'not_found':
      return problem('NaoEncontrado');
    case 'unanswered':
      return 'never';
    case 'error_500':
      return problem('ErroInternoDoServidor');
  }
}
