import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type PixUnderTest, startPixUnderTest, txid } from './pix-under-test.ts';

const form = { txid, account: 'azul', name: 'Bruno Lima', cpf: '111.444.777-35' };
const open = (pix: PixUnderTest, charge: string) => pix.page(`/pay?charge=${encodeURIComponent(charge)}`);

describe('the payer’s page', () => {
  it('says on each page that no money moves, and asks nobody else for anything', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    for (const { text } of [
      await pix.page('/'),
      await open(pix, txid),
      await open(pix, 'x'),
      await pix.page('/pay', form),
    ]) {
      assert.match(text, /A simulator for development: no money moves/);
      assert.match(text, /name="viewport"/);
      assert.doesNotMatch(text, /https?:|<script|src=/);
    }
  });

  it('opens a charge by its code, its txid and the end of its location', async (t) => {
    const pix = await startPixUnderTest(t);
    const { body } = await pix.charge({ solicitacaoPagador: 'Pedido <1>' });
    const location = String(body['location']);
    for (const way of [String(body['pixCopiaECola']), `  ${txid}\n`, location.split('/').at(-1) ?? '']) {
      const { status, text } = await open(pix, way);
      assert.equal(status, 200);
      assert.match(text, /R\$ 100\.50/);
      assert.match(text, /Pedido &lt;1&gt;/);
    }
    assert.equal((await pix.page(new URL(`http://${location}`).pathname)).status, 303);
  });

  it('says what is wrong with a code', async (t) => {
    const pix = await startPixUnderTest(t);
    const code = String((await pix.charge()).body['pixCopiaECola']);
    assert.match((await open(pix, code.replace('5802BR', '5802BS'))).text, /check digits are wrong/);
    assert.match((await open(pix, '00020126')).text, /no Pix code/);
    assert.match((await open(pix, '<b>')).text, /There is no such charge.*&lt;b&gt;/s);
  });

  it('pays from the account and the CPF that were chosen', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge({ devedor: { cpf: '52998224725', nome: 'Ana Souza' } });
    assert.match((await open(pix, txid)).text, /value="52998224725"/);
    assert.match((await pix.page('/pay', form)).text, /R\$ 100\.50 went to Loja/);
    const [paid] = (await pix.api('GET', `/cob/${txid}`)).body['pix'] as [{ pagador: object }];
    assert.deepEqual(paid.pagador, { cpf: '11144477735', nome: 'Bruno Lima' });
    assert.match((await pix.page('/pay', form)).text, /paid already/);
    assert.equal((await pix.summary())['pix'], 1);
  });

  const refused: readonly (readonly [what: string, change: object, says: RegExp])[] = [
    ['an account with too little money', { account: 'verde' }, /not enough money/],
    ['no account', { account: '' }, /Choose an account/],
    ['a CPF that is none', { cpf: '11144477736' }, /This is no CPF/],
    ['a charge that is not there', { txid: 'x' }, /no such charge/],
  ];
  for (const [what, change, says] of refused)
    it(`takes no money with ${what}`, async (t) => {
      const pix = await startPixUnderTest(t);
      await pix.charge();
      assert.match((await pix.page('/pay', { ...form, ...change })).text, says);
      assert.equal((await pix.summary())['pix'], 0);
    });

  it('takes no money for a charge that has expired or was removed', async (t) => {
    const pix = await startPixUnderTest(t);
    await pix.charge();
    pix.clock.advance(3_600_000);
    assert.match((await pix.page('/pay', form)).text, /has expired/);
    await pix.api('PATCH', `/cob/${txid}`, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' });
    assert.match((await pix.page('/pay', form)).text, /has removed this charge/);
    assert.equal((await pix.summary())['pix'], 0);
  });
});
