/** The Pix bank: authentication, charges, Pix payments, the webhook, the payer's pages, the book and the control surface. */
import assert from 'node:assert/strict';
import { request } from 'node:https';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { aWhile, eachOf, eventually } from '../kernel/inbox-under-test.ts';
import { basic, CHAVE, type PixUnderTest, startPixUnderTest, TXID, temporaryFolder } from './under-test.ts';

describe('authentication at the Pix bank', () => {
  it('the Pix bank refuses a connection without a client certificate', async (t) => {
    const { server } = await startPixUnderTest(t);
    const answer = await new Promise((resolve) => {
      request(`${server.url}/oauth/token`, { method: 'POST', rejectUnauthorized: false })
        .on('response', () => resolve('answered'))
        .on('error', () => resolve('turned away'))
        .end();
    });
    assert.equal(answer, 'turned away');
  });

  it('the Pix bank issues a token only to its client, for the requested scopes', async (t) => {
    const pix = await startPixUnderTest(t);
    const { status, body } = await pix.token('grant_type=client_credentials&scope=cob.read+unknown');
    assert.deepEqual([status, body['token_type'], body['expires_in'], body['scope']], [200, 'Bearer', 600, 'cob.read']);
    assert.equal((await pix.token(undefined, basic('loja', 'wrong'))).status, 401);
    assert.equal((await pix.token('grant_type=password')).status, 400);
    const authorization = `Bearer ${body['access_token']}`;
    assert.equal((await pix.api('GET', `/cob/${TXID}`, undefined, { authorization })).status, 404);
    const denied = await pix.api('PUT', `/cob/${TXID}`, {}, { authorization });
    assert.deepEqual([denied.status, denied.body['type']], [403, 'https://pix.bcb.gov.br/api/v2/error/AcessoNegado']);
  });

  it('the Pix bank rejects an expired or revoked token', async (t) => {
    const pix = await startPixUnderTest(t, { tokenSeconds: 60 });
    const ask = (authorization: string) => pix.api('GET', `/cob/${TXID}`, undefined, { authorization });
    const authorization = `Bearer ${(await pix.token()).body['access_token']}`;
    assert.equal((await ask(authorization)).status, 404);
    pix.clock.advance(60_000);
    assert.equal((await ask(authorization)).status, 401);
    assert.equal((await ask('Bearer made-up')).status, 401);
    const fresh = `Bearer ${(await pix.token()).body['access_token']}`;
    await pix.control('revoke-tokens', {});
    assert.equal((await ask(fresh)).status, 401);
  });
});

describe('a Pix charge', () => {
  it('a Pix charge is created once and changed while it is open', async (t) => {
    const pix = await startPixUnderTest(t);
    const made = await pix.charge({ devedor: { cpf: '52998224725', nome: 'Ana' }, solicitacaoPagador: 'Pedido 1' });
    assert.deepEqual([made.status, made.body['status'], made.body['revisao']], [201, 'ATIVA', 0]);
    const changed = await pix.charge({ valor: { original: '7.00' } });
    assert.deepEqual([changed.body['valor'], changed.body['revisao']], [{ original: '7.00' }, 1]);
    assert.equal(changed.body['location'], made.body['location']);
    assert.deepEqual((await pix.api('GET', `/cob/${TXID}`)).body, changed.body);
    assert.equal((await pix.summary())['charges'], 1);
  });

  const violations: readonly (readonly [what: string, fields: object, property: string])[] = [
    ['an amount of one decimal', { valor: { original: '1.5' } }, 'cob.valor.original'],
    ['an amount that is a number', { valor: { original: 1.5 } }, 'cob.valor.original'],
    ['no amount', { valor: undefined }, 'cob.valor.original'],
    ['nothing to pay', { valor: { original: '0.00' } }, 'cob.valor.original'],
    ['no time', { calendario: { expiracao: 0 } }, 'cob.calendario.expiracao'],
    ['a key of somebody else', { chave: 'x@example.com' }, 'cob.chave'],
    ['a CPF with wrong check digits', { devedor: { cpf: '52998224726', nome: 'Ana' } }, 'cob.devedor'],
    ['a payer without a name', { devedor: { cpf: '52998224725' } }, 'cob.devedor'],
    ['a long message', { solicitacaoPagador: 'x'.repeat(141) }, 'cob.solicitacaoPagador'],
  ];
  it('a Pix charge with an invalid field is rejected with the field’s name', async (t) => {
    const pix = await startPixUnderTest(t);
    await eachOf(violations, async ([_what, fields, property]) => {
      const { status, body } = await pix.charge(fields);
      const found = (body['violacoes'] as { propriedade: string }[]).map(({ propriedade }) => propriedade);
      assert.deepEqual([status, found], [400, [property]]);
      assert.equal((await pix.summary())['charges'], 0);
    });
  });

  it('a Pix charge requires a txid of 26 to 35 letters and digits', async (t) => {
    const pix = await startPixUnderTest(t);
    for (const id of ['short', 'x'.repeat(36), `${'x'.repeat(25)}-`])
      assert.equal((await pix.charge({}, id)).status, 400);
  });

  it('a removed Pix charge stays removed, and a paid charge cannot be removed', async (t) => {
    const pix = await startPixUnderTest(t);
    const removal = { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' };
    await pix.charge();
    assert.equal((await pix.api('PATCH', `/cob/${TXID}`, { ...removal, chave: CHAVE })).status, 400);
    const removed = await pix.api('PATCH', `/cob/${TXID}`, removal);
    assert.deepEqual([removed.status, removed.body['status']], [200, removal.status]);
    assert.equal((await pix.api('PATCH', `/cob/${TXID}`, removal)).status, 400);
    assert.equal((await pix.charge()).status, 400);
    assert.equal((await pix.control('pay', { txid: TXID })).status, 409);
    const other = TXID.replace('1001', '1002');
    await pix.charge({}, other);
    await pix.control('pay', { txid: other });
    assert.equal((await pix.api('PATCH', `/cob/${other}`, removal)).status, 400);
    assert.equal((await pix.api('PATCH', `/cob/${TXID.replace('1001', '1003')}`, removal)).status, 404);
  });

  it('an expired Pix charge cannot be paid, although its status stays ATIVA', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    pix.clock.advance(3_600_000);
    assert.deepEqual((await pix.control('pay', { txid: TXID })).body, { error: 'expired' });
    assert.equal((await pix.api('GET', `/cob/${TXID}`)).body['status'], 'ATIVA');
  });
});

describe('a Pix payment', () => {
  it('a Pix payment appears in its charge and under its own id', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    await pix.control('pay', { txid: TXID, cpf: '11144477735', name: 'Bruno' });
    const { body } = await pix.api('GET', `/cob/${TXID}`);
    const [received] = body['pix'] as Record<string, unknown>[];
    assert.equal(body['status'], 'CONCLUIDA');
    assert.match(String(received?.['endToEndId']), /^E\d{8}\d{12}[a-z0-9]{11}$/);
    assert.deepEqual([received?.['valor'], received?.['pagador']], ['100.50', { cpf: '11144477735', nome: 'Bruno' }]);
    assert.deepEqual((await pix.api('GET', `/pix/${received?.['endToEndId']}`)).body, received);
    assert.equal((await pix.api('GET', `/pix/${'E'.repeat(32)}`)).status, 404);
  });

  it('a Pix payment is refunded in parts up to its amount, each part under one id', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    const [{ endToEndId } = assert.fail()] = (await pix.control('pay', { txid: TXID })).body['pix'] as [
      { endToEndId: string },
    ];
    const refund = (id: string, valor: unknown) => pix.api('PUT', `/pix/${endToEndId}/devolucao/${id}`, { valor });
    assert.deepEqual([(await refund('1', '60.00')).status, (await refund('2', '40.51')).status], [201, 400]);
    assert.deepEqual([(await refund('1', '1.00')).status, (await refund('3', '40.50')).status], [400, 201]);
    assert.equal((await refund('4', 5)).status, 400);
    pix.clock.advance(2_000);
    const { body } = await pix.api('GET', `/pix/${endToEndId}/devolucao/1`);
    assert.deepEqual([body['status'], body['natureza'], body['valor']], ['DEVOLVIDO', 'ORIGINAL', '60.00']);
    assert.equal((await pix.api('GET', `/pix/${endToEndId}/devolucao/2`)).status, 404);
    const { refunds_settled, refunds_settled_amount } = await pix.summary();
    assert.deepEqual([refunds_settled, refunds_settled_amount], [2, '100.50']);
  });

  it('a Pix payment cannot be refunded after 90 days', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    const [{ endToEndId } = assert.fail()] = (await pix.control('pay', { txid: TXID })).body['pix'] as [
      { endToEndId: string },
    ];
    pix.clock.advance(90 * 86_400_000 + 1);
    assert.equal((await pix.api('PUT', `/pix/${endToEndId}/devolucao/1`, { valor: '1.00' })).status, 400);
  });
});

describe('the webhook of the Pix bank', () => {
  it('the Pix bank notifies the registered webhook URL until its deletion', async (t) => {
    const pix = await startPixUnderTest(t);
    const path = `/webhook/${encodeURIComponent(CHAVE)}`;
    assert.equal((await pix.api('GET', path)).body['webhookUrl'], pix.inbox.url);
    assert.equal((await pix.api('DELETE', path)).status, 204);
    assert.equal((await pix.api('GET', path)).status, 404);
    await pix.charge();
    await pix.control('pay', { txid: TXID });
    await aWhile();
    assert.deepEqual([pix.inbox.received.length, pix.log, (await pix.summary())['callbacks_due']], [0, [], 0]);
    assert.equal((await pix.api('PUT', path, { webhookUrl: 'ftp://x' })).status, 400);
    assert.equal((await pix.api('PUT', '/webhook/another', { webhookUrl: pix.inbox.url })).status, 400);
    assert.equal((await pix.api('PUT', path, { webhookUrl: pix.inbox.url })).status, 200);
  });
});

const form = { txid: TXID, account: 'azul', name: 'Bruno Lima', cpf: '111.444.777-35' };

const open = (pix: PixUnderTest, charge: string) => pix.page(`/pay?charge=${encodeURIComponent(charge)}`);

describe('the payer’s page of the Pix bank', () => {
  it('each payer’s page of the Pix bank states that no money moves, and does not load another resource', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    for (const { text } of [
      await pix.page('/'),
      await open(pix, TXID),
      await open(pix, 'x'),
      await pix.page('/pay', form),
    ]) {
      assert.match(text, /A simulator for development: no money moves/);
      assert.match(text, /name="viewport"/);
      assert.doesNotMatch(text, /https?:|<script|src=/);
    }
  });

  it('the payer’s page of the Pix bank opens a charge by its code, its txid or the end of its location', async (t) => {
    const pix = await startPixUnderTest(t);
    const { body } = await pix.charge({ solicitacaoPagador: 'Pedido <1>' });
    const location = String(body['location']);
    for (const way of [String(body['pixCopiaECola']), `  ${TXID}\n`, location.split('/').at(-1) ?? '']) {
      const { status, text } = await open(pix, way);
      assert.equal(status, 200);
      assert.match(text, /R\$ 100\.50/);
      assert.match(text, /Pedido &lt;1&gt;/);
    }
    assert.equal((await pix.page(new URL(`http://${location}`).pathname)).status, 303);
  });

  it('the payer’s page at the simulated Pix bank explains the error in a code', async (t) => {
    const pix = await startPixUnderTest(t);
    const code = String((await pix.charge()).body['pixCopiaECola']);
    assert.match((await open(pix, code.replace('5802BR', '5802BS'))).text, /check digits are invalid/);
    assert.match((await open(pix, '00020126')).text, /not a Pix code/);
    assert.match((await open(pix, '<b>')).text, /Charge not found.*&lt;b&gt;/s);
  });

  it('the payer’s page of the Pix bank pays a charge from the chosen account and CPF', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge({ devedor: { cpf: '52998224725', nome: 'Ana Souza' } });
    assert.match((await open(pix, TXID)).text, /value="52998224725"/);
    assert.match((await pix.page('/pay', form)).text, /R\$ 100\.50 went to Loja/);
    const [paid] = (await pix.api('GET', `/cob/${TXID}`)).body['pix'] as [{ pagador: object }];
    assert.deepEqual(paid.pagador, { cpf: '11144477735', nome: 'Bruno Lima' });
    assert.match((await pix.page('/pay', form)).text, /paid already/);
    assert.equal((await pix.summary())['pix'], 1);
  });

  const refused: readonly (readonly [what: string, change: object, says: RegExp])[] = [
    ['an account with too little money', { account: 'verde' }, /not enough money/],
    ['no account', { account: '' }, /Choose an account/],
    ['a CPF that is none', { cpf: '11144477736' }, /This is not a CPF/],
    ['a charge that is not there', { txid: 'x' }, /Charge not found/],
  ];
  it('the payer’s page of the Pix bank rejects an invalid payment', async (t) => {
    await eachOf(refused, async ([_what, change, says]) => {
      const pix = await startPixUnderTest(t);
      await pix.charge();
      assert.match((await pix.page('/pay', { ...form, ...change })).text, says);
      assert.equal((await pix.summary())['pix'], 0);
    });
  });

  it('the payer’s page of the Pix bank rejects a payment of an expired or removed charge', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    pix.clock.advance(3_600_000);
    assert.match((await pix.page('/pay', form)).text, /has expired/);
    await pix.api('PATCH', `/cob/${TXID}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    assert.match((await pix.page('/pay', form)).text, /has removed this charge/);
    assert.equal((await pix.summary())['pix'], 0);
  });
});

const other = TXID.replace('1001', '1002');

describe('the book of the Pix bank', () => {
  it('the Pix bank’s book records each event of a charge', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    await pix.control('pay', { txid: TXID });
    await eventually('the callback is accepted', async () => (await pix.summary())['callbacks_due'] === 0);
    const { entries } = (await pix.control('book')).body as { entries: { kind: string; seq: number }[] };
    assert.deepEqual(
      entries.map(({ seq, kind }) => [seq, kind]),
      [
        [1, 'charge_created'],
        [2, 'pix_received'],
        [3, 'acknowledged'],
      ],
    );
  });

  it('the Pix bank’s book shows charges that were paid more than once', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    await pix.charge({}, other);
    await pix.control('pay', { txid: TXID, behaviour: 'twice' });
    await pix.control('pay', { txid: other });
    const { pix: count, pix_amount, paid_over_once } = await pix.summary();
    assert.deepEqual([count, pix_amount, paid_over_once], [3, '301.50', [TXID]]);
  });

  it('after a restart the Pix bank keeps its book and performs due events', async (t) => {
    const folder = temporaryFolder(t);
    const options = { bookPath: join(folder, 'pix.jsonl'), certificateFolder: folder };
    const first = await startPixUnderTest(t, options);
    first.inbox.answer = () => ({ status: 503, body: '' });
    await first.charge();
    const paid = (await first.control('pay', { txid: TXID })).body['pix'] as [{ endToEndId: string }];
    await first.api('PUT', `/pix/${paid[0].endToEndId}/devolucao/1`, { valor: '1.00' });
    assert.equal((await first.control('reset', {})).status, 409);
    await first.close();

    const again = await startPixUnderTest(t, { ...options, clock: first.clock });
    await eventually('the callback comes again', () => again.inbox.received.length === 1);
    first.clock.advance(2_000);
    await eventually('the refund is settled', async () => (await again.summary())['refunds_settled'] === 1);
    await eventually('the refund is notified', () => again.inbox.received.length === 2);
    assert.match(again.inbox.received[1]?.raw ?? '', /"status":"DEVOLVIDO"/);
    assert.equal((await again.api('GET', `/cob/${TXID}`)).body['status'], 'CONCLUIDA');
  });
});

describe('the control surface of the Pix bank', () => {
  it('the control surface can make a payer pay later', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    assert.deepEqual((await pix.control('pay', { txid: TXID, behaviour: 'late' })).body, { pix: [] });
    assert.equal((await pix.summary())['pix'], 0);
    pix.clock.advance(10_000);
    await eventually('the payment is made', async () => (await pix.summary())['pix'] === 1);
  });

  it('the payer’s pages keep working under a fault of the Pix API', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.control('faults', { down: true });
    await assert.rejects(pix.charge());
    assert.equal((await pix.page('/')).status, 200);
    await pix.control('faults', { down: false });
    assert.equal((await pix.charge()).status, 201);
  });
});
