import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Charge, chargePath, codeOf, type NewCharge, readChargeAnswer, writeCharge } from './protocol.ts';
import { readRefund, refundPath, writeRefund } from './refund-messages.ts';

const brl = (minor: bigint) => ({ currency: 'BRL' as const, minor });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The charges of the OpenAPI document's examples: one open, one paid (by more than its amount). */
const OPEN = {
  calendario: { criacao: '2020-09-09T20:15:00.358Z', expiracao: 3600 },
  txid: '7978c0c97ea847e78e8849634473c1f1',
  revisao: 0,
  loc: { id: 789, location: 'pix.example.com/qr/9d36b84fc70b478fb95c12729b90ca25', tipoCob: 'cob' },
  location: 'pix.example.com/qr/9d36b84fc70b478fb95c12729b90ca25',
  status: 'ATIVA',
  devedor: { cnpj: '12345678000195', nome: 'Empresa de Serviços SA' },
  valor: { original: '37.00', modalidadeAlteracao: 1 },
  chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
};
const PAID = {
  ...OPEN,
  txid: '655dfdb1a4514b8fbb58254b958913fb',
  status: 'CONCLUIDA',
  valor: { original: '100.00', modalidadeAlteracao: 0 },
  pix: [
    {
      endToEndId: 'E1234567820200909122120200808008',
      txid: '655dfdb1a4514b8fbb58254b958913fb',
      valor: '110.00',
      horario: '2020-09-09T20:15:00.358Z',
      infoPagador: '0123456789',
      devolucoes: [
        {
          id: '123ABC',
          rtrId: 'D1234567820200909122120200808006',
          valor: '10.00',
          horario: { solicitacao: '2020-09-09T20:15:00.358Z' },
          status: 'EM_PROCESSAMENTO',
        },
      ],
    },
  ],
};
const [FIRST_PIX] = PAID.pix;

function chargeIn(value: { readonly txid: string; readonly [field: string]: unknown }): Charge {
  const answer = readChargeAnswer(200, json(value), value.txid);
  assert.ok(answer.kind === 'charge', answer.kind);
  return answer.charge;
}

describe('our request for a Pix charge', () => {
  const asked: NewCharge = {
    money: brl(12_345n),
    chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    expiresInSeconds: 3600,
    debtor: { cpf: '12345678909', name: 'Francisco da Silva' },
    text: 'Cobrança dos serviços prestados.',
  };

  it('a Pix charge request contains the fields of the OpenAPI document', () =>
    assert.deepEqual(JSON.parse(writeCharge(asked)), {
      calendario: { expiracao: 3600 },
      devedor: { cpf: '12345678909', nome: 'Francisco da Silva' },
      valor: { original: '123.45' },
      chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      solicitacaoPagador: 'Cobrança dos serviços prestados.',
    }));

  it('a Pix charge request for an unknown payer contains neither a debtor nor a description', () =>
    assert.deepEqual(Object.keys(JSON.parse(writeCharge({ ...asked, debtor: null, text: '' }))), [
      'calendario',
      'valor',
      'chave',
    ]));

  it('a Pix charge request keeps its strings within their maximum lengths', () => {
    const long = writeCharge({
      ...asked,
      debtor: { cpf: '12345678909', name: 'n'.repeat(300) },
      text: 't'.repeat(300),
    });
    const { devedor, solicitacaoPagador } = JSON.parse(long);
    assert.deepEqual([devedor.nome.length, solicitacaoPagador.length], [200, 140]);
  });

  it('a Pix charge request with an invalid amount, currency or expiry throws', () => {
    assert.throws(() => writeCharge({ ...asked, money: brl(0n) }));
    assert.throws(() => writeCharge({ ...asked, money: { currency: 'MXN', minor: 1n } }));
    assert.throws(() => writeCharge({ ...asked, expiresInSeconds: 0 }));
    assert.throws(() => chargePath('../webhook'));
  });
});

describe('a Pix charge in the bank’s response', () => {
  it('an open Pix charge is read with its state, amount and location', () => {
    const { state, money, location, received, code } = chargeIn(OPEN);
    assert.deepEqual([state, money.minor, received, code], ['ATIVA', 3_700n, [], '']);
    assert.equal(location, 'pix.example.com/qr/9d36b84fc70b478fb95c12729b90ca25');
  });

  it('a paid Pix charge is read with the amount that arrived', () => {
    const { state, received } = chargeIn(PAID);
    assert.equal(state, 'CONCLUIDA');
    assert.deepEqual(received, [
      { endToEndId: 'E1234567820200909122120200808008', money: brl(11_000n), payerTaxId: '', givenBack: [] },
    ]);
  });

  const payers: readonly (readonly [named: unknown, taxId: string])[] = [
    [{ cpf: '12345678909', nome: 'Francisco da Silva' }, '12345678909'],
    [{ cnpj: '12ABC678000195', nome: 'Empresa' }, '12ABC678000195'],
    [{ cpf: '***456789**', nome: 'Francisco' }, ''],
    [{ nome: 'Francisco' }, ''],
    ['12345678909', ''],
  ];
  for (const [pagador, taxId] of payers)
    it(`the Pix payer ${JSON.stringify(pagador)} is read with ${taxId || 'no'} tax id`, () =>
      assert.equal(chargeIn({ ...PAID, pix: [{ ...FIRST_PIX, pagador }] }).received[0]?.payerTaxId, taxId));

  it('a paid Pix charge contains its completed returns, as refunds or as chargebacks', () => {
    const devolucoes = [
      { id: 'A', rtrId: 'D1234567820200909122120200808001', valor: '1.00', status: 'DEVOLVIDO' },
      {
        id: 'B',
        rtrId: 'D1234567820200909122120200808002',
        valor: '2.00',
        status: 'DEVOLVIDO',
        natureza: 'MED_FRAUDE',
      },
      { id: 'C', rtrId: 'D1234567820200909122120200808003', valor: '3.00', status: 'NAO_REALIZADO', motivo: 'x' },
      { id: 'D', status: 'A_STATE_OF_A_LATER_VERSION' },
    ];
    const [pix] = chargeIn({ ...PAID, pix: [{ ...FIRST_PIX, devolucoes }] }).received;
    assert.deepEqual(
      pix?.givenBack.map(({ kind, id, money, detail }) => [kind, id, money.minor, detail]),
      [
        ['refunded', 'A', 100n, 'ORIGINAL'],
        ['charged_back', 'B', 200n, 'MED_FRAUDE'],
      ],
    );
  });

  const unreadable: readonly (readonly [what: string, status: number, body: unknown])[] = [
    ['another charge', 200, { ...OPEN, txid: '655dfdb1a4514b8fbb58254b958913fb' }],
    ['a state of a later version', 200, { ...OPEN, status: 'EXPIRADA' }],
    ['no amount', 200, { ...OPEN, valor: {} }],
    ['an amount that is a number', 200, { ...OPEN, valor: { original: 37 } }],
    ['a Pix without an amount', 200, { ...OPEN, pix: [{ ...FIRST_PIX, txid: OPEN.txid, valor: undefined }] }],
    ['a Pix of another charge', 200, { ...OPEN, pix: [FIRST_PIX] }],
    ['a Pix that is not an object', 200, { ...OPEN, pix: ['E1'] }],
    [
      'a devolução that cannot be read',
      200,
      { ...PAID, txid: OPEN.txid, pix: [{ ...FIRST_PIX, txid: '', devolucoes: [{ status: 'DEVOLVIDO' }] }] },
    ],
    ['an empty body', 200, ''],
    ['an HTTP 503', 503, { type: 'https://pix.bcb.gov.br/api/v2/error/ServicoIndisponivel', status: 503 }],
    ['a redirect', 302, OPEN],
  ];
  for (const [what, status, body] of unreadable)
    it(`a Pix response with ${what} leaves the outcome of the charge unknown`, () =>
      assert.equal(readChargeAnswer(status, json(body), OPEN.txid).kind, 'unknown'));

  it('a rejected Pix charge contains the bank’s reason and the field, and a missing charge is not found', () => {
    const body = json({
      type: 'https://pix.bcb.gov.br/api/v2/error/CobOperacaoInvalida',
      title: 'Cobrança inválida.',
      status: 400,
      violacoes: [{ razao: 'O campo cob.valor.original não respeita o _schema_.', propriedade: 'cob.valor.original' }],
    });
    const answer = readChargeAnswer(400, body, OPEN.txid);
    assert.ok(answer.kind === 'refused');
    assert.deepEqual([answer.problem.type, answer.problem.properties], ['CobOperacaoInvalida', ['cob.valor.original']]);
    assert.equal(readChargeAnswer(403, Buffer.from('<html>'), OPEN.txid).kind, 'refused');
  });
});

describe('the BR Code of a charge', () => {
  const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441';
  const code =
    '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913' +
    'Fulano de Tal6008BRASILIA62070503***630464E4';
  const charge = (fields: object) => chargeIn({ ...OPEN, location, ...fields });

  it('a Pix charge shows the bank’s BR Code if that code is for the charge', () => {
    assert.equal(codeOf(charge({ pixCopiaECola: code }), 'Loja', 'Recife'), code);
    assert.equal(codeOf(charge({ pixCopiaECola: code, location: `https://${location}` }), 'Loja', 'Recife'), code);
    assert.equal(codeOf(charge({ pixCopiaECola: code, location: '', loc: {} }), 'Loja', 'Recife'), code);
  });

  for (const pixCopiaECola of ['', code.replace('Fulano', 'Beltra'), code.replaceAll(' ', '')])
    it(`a Pix charge shows our own BR Code if the bank gives ${pixCopiaECola.slice(-12) || 'none'}`, () =>
      assert.equal(codeOf(charge({ pixCopiaECola }), 'Fulano de Tal', 'BRASILIA'), code));

  it('a Pix charge shows our own BR Code if the bank’s code is for another charge', () =>
    assert.match(
      codeOf(charge({ pixCopiaECola: code, location: 'a.b/c' }), 'Loja', 'Recife') ?? '',
      /2505a\.b\/c5204/,
    ));

  it('a Pix charge without the bank’s code and without a usable location has no BR Code', () =>
    assert.equal(codeOf(charge({ location: 'x'.repeat(78), loc: {} }), 'Loja', 'Recife'), undefined));
});

describe('Pix refunds', () => {
  /** The examples of the OpenAPI document. */
  const asked = { id: '123456', rtrId: 'D12345678202009091000abcde123456', valor: '7.89', status: 'EM_PROCESSAMENTO' };
  const failed = { ...asked, status: 'NAO_REALIZADO', motivo: 'Negado por timeout' };

  it('a Pix refund request contains its amount and path, and throws if either is invalid', () => {
    assert.equal(writeRefund(brl(789n)), '{"valor":"7.89"}');
    assert.equal(
      refundPath('E12345678202009091221abcdef12345', '123456'),
      '/pix/E12345678202009091221abcdef12345/devolucao/123456',
    );
    assert.throws(() => refundPath('E1', '1'));
    assert.throws(() => writeRefund(brl(0n)));
  });

  it('a Pix refund is read as pending, done or failed', () => {
    const stateOf = (value: object) => {
      const reading = readRefund(201, json(value), '123456');
      return reading.kind === 'refund' && [reading.refund.state, reading.refund.money.minor, reading.refund.reason];
    };
    assert.deepEqual(stateOf(asked), ['EM_PROCESSAMENTO', 789n, '']);
    assert.deepEqual(stateOf({ ...asked, status: 'DEVOLVIDO' }), ['DEVOLVIDO', 789n, '']);
    assert.deepEqual(stateOf(failed), ['NAO_REALIZADO', 789n, 'Negado por timeout']);
  });

  it('a Pix refund has an unknown outcome if the response is about a different refund, has an unknown state, or is empty', () => {
    assert.equal(readRefund(201, json(asked), '1').kind, 'unknown');
    assert.equal(readRefund(201, json({ ...asked, status: 'AGENDADO' }), '123456').kind, 'unknown');
    assert.equal(readRefund(500, json({}), '123456').kind, 'unknown');
    assert.equal(readRefund(400, json({}), '123456').kind, 'refused');
  });

  const notFound: readonly (readonly [who: string, body: unknown, kind: string])[] = [
    [
      'of the bank with the standard’s type',
      { type: 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado' },
      'not_found',
    ],
    ['of the bank with a title', { title: 'Não Encontrado', status: 404 }, 'not_found'],
    ['of a bank with its own error name', { nome: 'cobranca_nao_encontrada' }, 'not_found'],
    ['of a proxy before the bank', { message: 'no Route matched with those values' }, 'unknown'],
    ['of a web server', '<html>', 'unknown'],
  ];
  for (const [who, body, kind] of notFound)
    it(`a 404 ${who} means ${kind} for a Pix refund and a Pix charge`, () => {
      assert.equal(readRefund(404, json(body), '123456').kind, kind);
      assert.equal(readChargeAnswer(404, json(body), OPEN.txid).kind, kind);
    });
});
