/** The bank's error responses: RFC 7807 with the Central Bank's types. */
import type { Answer } from '../kernel/http-server.ts';

export interface Violation {
  readonly razao: string;
  readonly propriedade: string;
}

const TITLES = {
  RequisicaoInvalida: [400, 'Requisição inválida.'],
  AcessoNegado: [403, 'Acesso Negado'],
  NaoEncontrado: [404, 'Não Encontrado'],
  CobNaoEncontrado: [404, 'Cobrança não encontrada.'],
  CobOperacaoInvalida: [400, 'Cobrança inválida.'],
  PixNaoEncontrado: [404, 'Pix não encontrado.'],
  PixDevolucaoNaoEncontrada: [404, 'Devolução não encontrada.'],
  PixDevolucaoInvalida: [400, 'Devolução inválida.'],
  WebhookNaoEncontrado: [404, 'Webhook não encontrado.'],
  WebhookOperacaoInvalida: [400, 'Webhook inválido.'],
  ErroInternoDoServidor: [500, 'Erro interno.'],
} as const satisfies Readonly<Record<string, readonly [number, string]>>;

export type ProblemType = keyof typeof TITLES;

export function problem(type: ProblemType, violacoes: readonly Violation[] = []): Answer {
  const [status, title] = TITLES[type];
  const body = { type: `https://pix.bcb.gov.br/api/v2/error/${type}`, title, status };
  return {
    status,
    contentType: 'application/problem+json',
    body: violacoes.length === 0 ? body : { ...body, violacoes },
  };
}
