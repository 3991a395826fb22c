import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import {
  ACT,
  type CardPayments,
  cardOf,
  DECIDING,
  MASK,
  NOT_ACCEPTED,
  openCardPayments,
  PAID,
  PLANTED,
  payer,
  REFUSED,
  SILENT,
  verifyAndClose,
} from '../../../../test/support/form/card-payments.ts';
import { dumpTables, findSecrets } from '../../../../test/support/secrets/hiding-places.ts';
import { attemptTable } from '../../../cli/texts/attempt-texts.ts';
import { HOUR_MS } from '../../../foundation/clock.ts';
import { viewAttempt } from '../../../protocol/manage/views/deposit-views.ts';
import { readRecordedAttempts } from '../../../storage/deposits/attempt-rows.ts';
import { createVaultStore } from '../../../storage/vault/vault-store.ts';
import { destroyExpiredRecords } from '../../vault/destroy-expired-records.ts';
import { askDuePayments } from './ask-payments.ts';
import { handleReturn } from './handle-return.ts';
import { abandonAttempt } from './leave-payment.ts';
import { LONGEST_CARD_LIFE_MS } from './payment-attempt.ts';

let payments: CardPayments;

before(async () => {
  payments = await openCardPayments();
});

after(() => verifyAndClose(payments));

describe('a card in the vault', () => {
  it('a card is sealed in the vault while its attempt is in flight, without the CVV', async () => {
    payments.provider.says = ACT;
    await payments.outcomeOf(payments.bench.merchant('sealed'));
    const { rows } = await payments.bench.owner.query(
      `select c.mask, t.target_hash, v.token from payment_cards as c
       join counted_attempts as t using (merchant_id, transaction_id, attempt)
       join vault_records as v on v.merchant_id = c.merchant_id and v.token = c.vault_token where c.merchant_id = 'sealed'`,
    );
    assert.equal(rows[0].mask, MASK);
    assert.deepEqual(rows[0].target_hash, payments.vault.fingerprint(cardOf(PLANTED.number).number));
    const kept = await createVaultStore(payments.bench.database).find('sealed', rows[0].token);
    assert.ok(kept);
    const fields = Object.entries(payments.vault.openFields(kept)).map(([name, secret]) => [name, secret.reveal()]);
    assert.deepEqual(Object.fromEntries(fields), { number: PLANTED.number, expiry: '11/38', holder: PLANTED.holder });
  });

  it('a card leaves the vault when its attempt ends in any state, and the mask stays', async () => {
    for (const [name, answer, state] of [
      ['paid', PAID, 'paid'],
      ['refused', REFUSED, 'refused'],
      ['not-accepted', NOT_ACCEPTED, 'refused'],
    ] as const) {
      payments.provider.says = answer;
      assert.equal(await payments.outcomeOf(payments.bench.merchant(name)), state);
      assert.equal(await payments.recordsInVault(name), 0, name);
    }
    const { rows } = await payments.bench.owner.query(
      `select transaction_id from payment_attempts where merchant_id = 'paid'`,
    );
    const key = { merchantId: 'paid', transactionId: Number(rows[0].transaction_id) };
    const [attempt] = await readRecordedAttempts(payments.bench.database, key);
    assert.ok(attempt);
    assert.equal(attempt.cardMask, MASK);
    assert.ok(attemptTable([viewAttempt(attempt)]).includes(`card ${MASK}`), 'the operator sees the mask');
  });

  it('a card leaves the vault when its attempt ends', async () => {
    const under = async (name: string) => {
      payments.provider.says = ACT;
      const merchant = payments.bench.merchant(name);
      const session = await payments.openedForm(merchant);
      const ownRail = { ...payments.rail, name };
      const parts = payments.partsOver(payments.store, ownRail);
      const result = await payments.attemptOnce(merchant, { session, parts });
      assert.ok(result.ok);
      assert.equal(await payments.recordsInVault(name), 1, name);
      const due = await payments.store.findDue(result.value);
      assert.ok(due);
      return { ...due, merchant, session, parts, ownRail };
    };
    const back = await under('back');
    payments.provider.says = PAID;
    const returnUrl = () => '';
    await handleReturn(back.parts, back.attempt, back.deposit, { ...back, payer, returnUrl }, { fields: {} });
    assert.equal(await payments.recordsInVault('back'), 0);

    const away = await under('gives-up');
    await abandonAttempt(away.parts, away.attempt, away.deposit);
    assert.equal(await payments.recordsInVault('gives-up'), 0);

    const late = await under('late');
    payments.bench.clock.advance(2 * HOUR_MS);
    payments.provider.says = ACT;
    const recordAdjustment = async () => 'recorded' as const;
    await askDuePayments({ ...late.parts, recordAdjustment }, late.ownRail, 100);
    assert.equal((await payments.store.find(late.attempt))?.state, 'abandoned');
    assert.equal(await payments.recordsInVault('late'), 0);
  });

  it('a card leaves the vault after half a day, even if the outcome of its attempt is still unknown', async () => {
    payments.provider.says = SILENT;
    const merchant = payments.bench.merchant('in-doubt');
    const parts = payments.partsOver(payments.store, { ...payments.rail, name: 'in-doubt' });
    const result = await payments.attemptOnce(merchant, { parts });
    assert.ok(result.ok);
    const retention = () =>
      destroyExpiredRecords({ vaultStore: createVaultStore(payments.bench.database), clock: payments.bench.clock });
    payments.bench.clock.advance(LONGEST_CARD_LIFE_MS - 1);
    await retention();
    assert.equal(await payments.recordsInVault('in-doubt'), 1);
    payments.bench.clock.advance(1);
    await retention();
    assert.equal(await payments.recordsInVault('in-doubt'), 0);
    payments.provider.says = PAID;
    await askDuePayments(
      { ...parts, recordAdjustment: async () => 'recorded' },
      { ...payments.rail, name: 'in-doubt' },
      100,
    );
    assert.equal((await payments.store.find(result.value))?.state, 'paid', 'the attempt needed no card');
  });
});

describe('a planted card number and CVV', () => {
  it('a card number and CVV reach the provider and never a table or a log line', async () => {
    payments.provider.given.length = 0;
    payments.provider.says = DECIDING;
    await payments.outcomeOf(payments.bench.merchant('planted'));
    const [card] = payments.provider.given;
    assert.deepEqual([card?.number.reveal(), card?.cvv.reveal()], [PLANTED.number, PLANTED.cvv]);
    await failInTheCommit();
    const dumps = await dumpTables(payments.bench.owner);
    for (const table of ['public.payment_cards', 'public.vault_records', 'public.payment_attempts'])
      assert.ok((dumps.get(table) ?? '').length > 0, table);
    for (const [table, dump] of dumps) assert.deepEqual(findSecrets(dump, PLANTED), [], table);
    assert.ok(
      payments.lines.some((line) => line.includes('rail_called')) &&
        payments.lines.some((line) => line.includes('violates')),
    );
    for (const line of payments.lines) assert.deepEqual(findSecrets(line, PLANTED), [], line);
  });

  /** PostgreSQL reports the entire row that violates a constraint, and the HTTP layer logs that error. */
  async function failInTheCommit(): Promise<void> {
    await payments.bench.owner.query(
      `alter table payment_cards add constraint planted check (merchant_id <> 'fails') not valid`,
    );
    await assert.rejects(payments.outcomeOf(payments.bench.merchant('fails')), (error) => {
      payments.hooks.onInternalError(error, '/payment/form/:token');
      return true;
    });
    assert.equal(await payments.recordsInVault('fails'), 0);
  }
});
