/** Charges and Pix as the API shows them. */
import type { Charge, Pix, Refund } from './book.ts';
import { dynamicCode } from './br-code.ts';
import type { Faults } from './faults.ts';

export interface ViewParts {
  readonly faults: Readonly<Faults>;
  /** Returns the beginning of locations, without `https://`. */
  readonly locations: () => string;
  readonly receiver: { readonly name: string; readonly city: string };
  readonly now: () => number;
}

export function chargeView(charge: Charge, parts: ViewParts): object {
  const { txid, revisao, valor, chave, devedor, solicitacaoPagador, expiracao, createdAt } = charge;
  const location = locationOf(charge, parts);
  const seen = charge.pix.filter(({ at }) => at + parts.faults.listing_delay_ms <= parts.now());
  const isSettledUnseen = charge.status === 'CONCLUIDA' && seen.length === 0;
  return {
    calendario: { criacao: iso(createdAt), expiracao },
    txid,
    revisao,
    loc: { id: revisao + 1, location, tipoCob: 'cob', criacao: iso(createdAt) },
    location,
    status: isSettledUnseen ? 'ATIVA' : charge.status,
    ...(devedor === null ? {} : { devedor }),
    valor: { original: valor },
    chave,
    ...(solicitacaoPagador === '' ? {} : { solicitacaoPagador }),
    ...codeView(location, parts),
    ...(seen.length === 0 ? {} : { pix: seen.map((pix) => pixView(pix, charge, parts)) }),
  };
}

export function locationOf({ token }: Charge, { locations }: ViewParts): string {
  return `${locations()}/qr/v2/${token}`;
}

function codeView(location: string, { faults, receiver }: ViewParts): object {
  if (faults.code === 'none') return {};
  const code = dynamicCode(location, receiver.name, receiver.city);
  return { pixCopiaECola: faults.code === 'broken' ? `${code.slice(0, -4)}0000` : code };
}

export function pixView(
  { endToEndId, valor, at, pagador, devolucoes }: Pix,
  { txid, chave }: Charge,
  { faults }: ViewParts,
): object {
  const masked = { cpf: `***${pagador.cpf.slice(3, 9)}**`, nome: pagador.nome };
  return {
    endToEndId,
    txid,
    valor,
    componentesValor: { original: { valor } },
    chave,
    horario: iso(at),
    ...(faults.payer === 'omitted' ? {} : { pagador: faults.payer === 'masked' ? masked : pagador }),
    ...(devolucoes.length === 0 ? {} : { devolucoes: devolucoes.map(refundView) }),
  };
}

export function refundView({ id, rtrId, valor, natureza, askedAt, settledAt, status, motivo }: Refund): object {
  return {
    id,
    rtrId,
    valor,
    natureza,
    horario: { solicitacao: iso(askedAt), ...(settledAt === null ? {} : { liquidacao: iso(settledAt) }) },
    status,
    ...(motivo === '' ? {} : { motivo }),
  };
}

const iso = (at: number): string => new Date(at).toISOString();
