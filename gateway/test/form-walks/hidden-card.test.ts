/** After a payment, card data must appear in no URL, page, table or vault record. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { RIGHT_CODE } from '../../../rail-simulators/src/adyen/three-d-secure.ts';
import { catalogueOf } from '../../src/protocol/form/languages/languages.ts';
import type { FormChange } from '../support/form/form-request.ts';
import { dumpTables, findSecrets } from '../support/secrets/hiding-places.ts';
import { answerChallenge, payByCard } from './bank-acts.ts';
import { createWalkPayer, type WalkPayer } from './walk-payer.ts';
import { openWalkStage, type WalkStage } from './walk-stage.ts';

let stage: WalkStage;

before(async () => {
  stage = await openWalkStage('card');
});
after(() => stage.verifyAndClose());

/** A single four-digit code may appear by chance; two in the same place may not. */
const CODES = ['8305', '6194'] as const;
const AT_ONCE = '378282246310005';
const CHALLENGE = '4212345678910006';
const settings = { card_brands: 'visa,amex' };
const request = { payment_type: 'card', country: 'FI', email: 'aino@example.com' };

function holdsCodes(text: string): boolean {
  return CODES.every((code) => new RegExp(`(?<![\\w.])${code}(?![\\w.])`).test(text));
}

describe('cards that were paid with or mistyped', () => {
  const payers: WalkPayer[] = [];

  before(async () => {
    const way = { language: 'en', size: 'phone', hasScript: true } as const;
    for (const code of CODES) {
      const payer = await createWalkPayer(stage, way, { settings });
      payers.push(payer);
      payer.watch.expect(stage.side('card').pages);
      await payer.open(request);
      await payByCard(payer, AT_ONCE, { card_cvv: code });
      await payer.at((texts) => texts.ended.paid);
    }
    const plain = await createWalkPayer(stage, { ...way, hasScript: false }, { settings });
    payers.push(plain);
    await plain.open(request);
    await payByCard(plain, AT_ONCE, { card_expiry: '01/20', card_cvv: CODES[0], card_holder: AT_ONCE });
    await plain.type({ card_number: CHALLENGE, card_expiry: '03/30', card_cvv: '737', card_holder: 'JOANA' });
    await plain.press('pay');
    plain.watch.expect(stage.side('card').pages);
    await answerChallenge(plain, RIGHT_CODE);
    await plain.at((texts) => texts.ended.paid);
  });
  after(() => Promise.all(payers.map(({ context }) => context.close())));

  const places: Readonly<Record<string, () => Promise<string> | string>> = {
    'the log': () => stage.gateway.log.join('\n'),
    'an address that a browser requested': () => payers.flatMap(({ watch }) => watch.urls).join('\n'),
    'a page that a payer saw': async () =>
      (await Promise.all(payers.map(({ watch }) => watch.pages()))).flat().join('\n'),
  };

  for (const [place, read] of Object.entries(places)) {
    it(`a card and its security code do not appear in ${place}`, async () => {
      const text = await read();
      assert.ok(text.length > 1_000, 'there is text to search');
      assert.deepEqual(findSecrets(text, { [AT_ONCE]: AT_ONCE, [CHALLENGE]: CHALLENGE }), []);
      assert.ok(!holdsCodes(text), 'security codes');
    });
  }

  it('a card and its security code do not appear in any table in plain text', async () => {
    const tables = await dumpTables(stage.gateway.database.pool);
    assert.ok([...tables.values()].join('').includes(payers[0]?.merchant.id ?? '-'));
    for (const [table, text] of tables) {
      assert.deepEqual(findSecrets(text, { [AT_ONCE]: AT_ONCE, [CHALLENGE]: CHALLENGE }), [], table);
      assert.ok(!holdsCodes(text), `security codes in ${table}`);
    }
  });

  it('the vault deletes a card once its attempts have ended', async () => {
    const { rows } = await stage.gateway.database.pool.query('select count(*)::int as kept from vault_records');
    assert.equal(rows[0].kept, 0);
  });
});

describe('the first view of the form', () => {
  it('the first view of the form is at most 20 kB over the wire', async () => {
    const payer = await createWalkPayer(stage, { language: 'kk', size: 'phone', hasScript: true });
    const sizes: Promise<number>[] = [];
    payer.page.on('response', (response) => {
      if (response.status() !== 200) return;
      const size = response.request().sizes();
      sizes.push(size.then(({ responseBodySize, responseHeadersSize }) => responseBodySize + responseHeadersSize));
    });
    await payer.open(request);
    await payer.page.waitForLoadState('networkidle');
    const bytes = (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    assert.ok(sizes.length >= 3 && bytes > 5_000 && bytes <= 20_000, `${bytes} bytes`);
    sizes.length = 0;
    await payer.open(request);
    await payer.page.waitForLoadState('networkidle');
    const again = (await Promise.all(sizes)).filter((size) => size > 0);
    assert.equal(again.length, 1, 'responses over the wire');
    assert.deepEqual(payer.watch.offences, []);
    await payer.context.close();
  });
});

describe('the language of the form', () => {
  it('the language of the form comes from the link before the shop, the browser and the country', async () => {
    const titleOf = async (settings: Record<string, string>, browser: string, change: FormChange) => {
      const payer = await createWalkPayer(stage, { language: 'en', size: 'phone', hasScript: true }, { settings });
      await payer.context.setExtraHTTPHeaders({ 'accept-language': browser });
      await payer.open({ payment_type: 'card', email: 'aino@example.com', ...change });
      const title = await payer.page.locator('h1').innerText();
      await payer.context.close();
      return title;
    };
    const inPolish = { default_lang: 'pl' };
    const cases = [
      [await titleOf(inPolish, 'fr', { lang: 'ua', country: 'DE' }), 'uk'],
      [await titleOf(inPolish, 'fr', { lang: undefined, country: 'DE' }), 'pl'],
      [await titleOf({}, 'fr', { lang: undefined, country: 'DE' }), 'fr'],
      [await titleOf({}, 'it', { lang: undefined, country: 'DE' }), 'de'],
    ] as const;
    for (const [title, language] of cases) assert.equal(title, catalogueOf(language).card.title);
  });
});
