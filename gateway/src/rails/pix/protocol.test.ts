import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Charge, chargePath, codeOf, type NewCharge, readChargeAnswer, writeCharge } from './protocol.ts';
import { readRefund, refundPath, writeRefund } from './refunds.ts';

const brl = (minor: bigint) => ({ currency: 'BRL' as const, minor });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

/** The charges of the OpenAPI document's examples: one open, one paid (by more than was asked for). */
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

describe('a charge that we ask for', () => {
  const asked: NewCharge = {
    money: brl(12_345n),
    chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
    expiresInSeconds: 3600,
    debtor: { cpf: '12345678909', name: 'Francisco da Silva' },
    text: 'Cobrança dos serviços prestados.',
  };

  it('has the fields of the OpenAPI document', () =>
    assert.deepEqual(JSON.parse(writeCharge(asked)), {
      calendario: { expiracao: 3600 },
      devedor: { cpf: '12345678909', nome: 'Francisco da Silva' },
      valor: { original: '123.45' },
      chave: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      solicitacaoPagador: 'Cobrança dos serviços prestados.',
    }));

  it('is addressed to nobody where the payer is not known, and says nothing where there is nothing to say', () =>
    assert.deepEqual(Object.keys(JSON.parse(writeCharge({ ...asked, debtor: null, text: '' }))), [
      'calendario',
      'valor',
      'chave',
    ]));

  it('keeps within the longest texts', () => {
    const long = writeCharge({
      ...asked,
      debtor: { cpf: '12345678909', name: 'n'.repeat(300) },
      text: 't'.repeat(300),
    });
    const { devedor, solicitacaoPagador } = JSON.parse(long);
    assert.deepEqual([devedor.nome.length, solicitacaoPagador.length], [200, 140]);
  });

  it('is never of nothing, of another currency or expired', () => {
    assert.throws(() => writeCharge({ ...asked, money: brl(0n) }));
    assert.throws(() => writeCharge({ ...asked, money: { currency: 'MXN', minor: 1n } }));
    assert.throws(() => writeCharge({ ...asked, expiresInSeconds: 0 }));
    assert.throws(() => chargePath('../webhook'));
  });
});

describe('a charge as the bank tells of it', () => {
  it('is open', () => {
    const { state, money, location, received, code } = chargeIn(OPEN);
    assert.deepEqual([state, money.minor, received, code], ['ATIVA', 3_700n, [], '']);
    assert.equal(location, 'pix.example.com/qr/9d36b84fc70b478fb95c12729b90ca25');
  });

  it('is paid, by whatever amount came', () => {
    const { state, received } = chargeIn(PAID);
    assert.equal(state, 'CONCLUIDA');
    assert.deepEqual(received, [
      { endToEndId: 'E1234567820200909122120200808008', money: brl(11_000n), payerTaxId: '', givenBack: [] },
    ]);
  });

  const payers: readonly (readonly [told: unknown, taxId: string])[] = [
    [{ cpf: '12345678909', nome: 'Francisco da Silva' }, '12345678909'],
    [{ cnpj: '12ABC678000195', nome: 'Empresa' }, '12ABC678000195'],
    [{ cpf: '***456789**', nome: 'Francisco' }, ''],
    [{ nome: 'Francisco' }, ''],
    ['12345678909', ''],
  ];
  for (const [pagador, taxId] of payers)
    it(`is paid by ${taxId || 'somebody'} where the bank says ${JSON.stringify(pagador)}`, () =>
      assert.equal(chargeIn({ ...PAID, pix: [{ ...FIRST_PIX, pagador }] }).received[0]?.payerTaxId, taxId));

  it('tells what went back, by whose wish, once it has', () => {
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
    ['a Pix that is none', 200, { ...OPEN, pix: ['E1'] }],
    [
      'a devolução that can’t be read',
      200,
      { ...PAID, txid: OPEN.txid, pix: [{ ...FIRST_PIX, txid: '', devolucoes: [{ status: 'DEVOLVIDO' }] }] },
    ],
    ['nothing', 200, ''],
    ['a fault of its own', 503, { type: 'https://pix.bcb.gov.br/api/v2/error/ServicoIndisponivel', status: 503 }],
    ['a redirect', 302, OPEN],
  ];
  for (const [what, status, body] of unreadable)
    it(`is unknown where the bank answers with ${what}`, () =>
      assert.equal(readChargeAnswer(status, json(body), OPEN.txid).kind, 'unknown'));

  it('is refused with the reason and the property, or not known', () => {
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

describe('the code of a charge', () => {
  const location = 'pix.example.com/8b3da2f39a4140d1a91abd93113bd441';
  const code =
    '00020101021226700014br.gov.bcb.pix2548pix.example.com/8b3da2f39a4140d1a91abd93113bd4415204000053039865802BR5913' +
    'Fulano de Tal6008BRASILIA62070503***630464E4';
  const charge = (fields: object) => chargeIn({ ...OPEN, location, ...fields });

  it('is the bank’s own, where it leads to the charge', () => {
    assert.equal(codeOf(charge({ pixCopiaECola: code }), 'Loja', 'Recife'), code);
    assert.equal(codeOf(charge({ pixCopiaECola: code, location: `https://${location}` }), 'Loja', 'Recife'), code);
    assert.equal(codeOf(charge({ pixCopiaECola: code, location: '', loc: {} }), 'Loja', 'Recife'), code);
  });

  for (const pixCopiaECola of ['', code.replace('Fulano', 'Beltra'), code.replaceAll(' ', '')])
    it(`is ours where the bank gives ${pixCopiaECola.slice(-12) || 'none'}`, () =>
      assert.equal(codeOf(charge({ pixCopiaECola }), 'Fulano de Tal', 'BRASILIA'), code));

  it('is ours where the bank’s leads to another charge', () =>
    assert.match(
      codeOf(charge({ pixCopiaECola: code, location: 'a.b/c' }), 'Loja', 'Recife') ?? '',
      /2505a\.b\/c5204/,
    ));

  it('is not there without either', () =>
    assert.equal(codeOf(charge({ location: 'x'.repeat(78), loc: {} }), 'Loja', 'Recife'), undefined));
});

describe('a refund', () => {
  /** The examples of the OpenAPI document. */
  const asked = { id: '123456', rtrId: 'D12345678202009091000abcde123456', valor: '7.89', status: 'EM_PROCESSAMENTO' };
  const failed = { ...asked, status: 'NAO_REALIZADO', motivo: 'Negado por timeout' };

  it('is asked for by its amount', () => {
    assert.equal(writeRefund(brl(789n)), '{"valor":"7.89"}');
    assert.equal(
      refundPath('E12345678202009091221abcdef12345', '123456'),
      '/pix/E12345678202009091221abcdef12345/devolucao/123456',
    );
    assert.throws(() => refundPath('E1', '1'));
    assert.throws(() => writeRefund(brl(0n)));
  });

  it('is under way, done or not done', () => {
    const stateOf = (value: object) => {
      const reading = readRefund(201, json(value), '123456');
      return reading.kind === 'refund' && [reading.refund.state, reading.refund.money.minor, reading.refund.reason];
    };
    assert.deepEqual(stateOf(asked), ['EM_PROCESSAMENTO', 789n, '']);
    assert.deepEqual(stateOf({ ...asked, status: 'DEVOLVIDO' }), ['DEVOLVIDO', 789n, '']);
    assert.deepEqual(stateOf(failed), ['NAO_REALIZADO', 789n, 'Negado por timeout']);
  });

  it('is unknown where the answer tells of another, of a new state, or of nothing', () => {
    assert.equal(readRefund(201, json(asked), '1').kind, 'unknown');
    assert.equal(readRefund(201, json({ ...asked, status: 'AGENDADO' }), '123456').kind, 'unknown');
    assert.equal(readRefund(500, json({}), '123456').kind, 'unknown');
    assert.equal(readRefund(400, json({}), '123456').kind, 'refused');
  });

  const notFound: readonly (readonly [who: string, body: unknown, kind: string])[] = [
    ['the bank in the standard’s words', { type: 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado' }, 'not_found'],
    ['the bank by its title', { title: 'Não Encontrado', status: 404 }, 'not_found'],
    ['a bank in words of its own', { nome: 'cobranca_nao_encontrada' }, 'not_found'],
    ['whatever stands before the bank', { message: 'no Route matched with those values' }, 'unknown'],
    ['a web server', '<html>', 'unknown'],
  ];
  for (const [who, body, kind] of notFound)
    it(`or a charge is ${kind} where ${who} says 404`, () => {
      assert.equal(readRefund(404, json(body), '123456').kind, kind);
      assert.equal(readChargeAnswer(404, json(body), OPEN.txid).kind, kind);
    });
});
