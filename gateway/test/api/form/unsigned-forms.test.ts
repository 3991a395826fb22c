/**
 * A third party pays an order through an unsigned form, for every payment type, before the merchant's own payer arrives. Every
 * provider's simulator takes part.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { reasonOf } from '../../support/deposits/host-to-host-wire.ts';
import { createFormPayer } from '../../support/form/form-payer.ts';
import { FORM_REQUEST } from '../../support/form/form-request.ts';
import type { FormVisit } from '../../support/form-providers/form-visit.ts';
import { pay } from '../../support/form-providers/provider-endings.ts';
import { openProviderStage, type ProviderStage } from '../../support/form-providers/provider-stage.ts';
import { PROVIDERS, RAIL_NAMES, type RailName } from '../../support/form-providers/providers.ts';
import { signedForm } from '../../support/merchants/test-merchant.ts';
import { type StpUnderControl, startStpUnderControl } from '../../support/rails/stp-under-control.ts';
import { until } from '../../support/tools/until.ts';

let stage: ProviderStage;
let stp: StpUnderControl;
before(async () => {
  stp = await startStpUnderControl('http://127.0.0.1:1/nobody-pays-by-spei');
  stage = await openProviderStage(stp.variables);
});
after(() => stage.verifyAndClose().finally(() => stp.close()));

/** The third party pays, and the gateway calls the merchant back. */
async function strangerPaid(rail: RailName): Promise<FormVisit> {
  const visit = await stage.visit(rail);
  await pay(visit);
  await visit.until('paid');
  await until('the callback', async () => callbacks(visit).length === 1 || undefined);
  return visit;
}

const callbacks = ({ merchant, order }: FormVisit) =>
  stage.gateway.receiver.about(merchant.id, order).map(({ fields }) => [fields['co_inv_st'], fields['co_amount']]);

const deposit = async ({ merchant, order }: FormVisit) => {
  const record = await stage.gateway.operations.deposits.find(merchant.id, order);
  assert.ok(record);
  return record;
};

/** The merchant's payer opens the signed link for 99.00 and submits the form. */
async function openSigned({ merchant, order, provider, rail }: FormVisit) {
  const { paymentType } = PROVIDERS[rail as RailName];
  const request = { ...FORM_REQUEST, merchant: merchant.id, order, amount: '99.00', payment_type: paymentType };
  const fields = Object.entries({ ...request, ...provider.link(order) }).map(([name, value]) => [name, String(value)]);
  const payer = createFormPayer(stage.gateway.url, {});
  const page = await payer.open(signedForm(Object.fromEntries(fields), merchant.formKey));
  await payer.press(page, 'pay', provider.typed(order, undefined));
  return { payer, token: page.token };
}

const statusesOf = async ({ merchant, order, rail }: FormVisit) =>
  (await merchant.list(PROVIDERS[rail as RailName].currency, { order, type: 'deposit' })).map(({ status, amount }) => [
    status,
    amount,
  ]);

describe('an order that a stranger has paid on an unsigned form', () => {
  for (const rail of RAIL_NAMES) {
    it(`an order that a stranger paid is paid again on the merchant's signed form, and the stranger's money is held (${rail})`, async () => {
      const visit = await strangerPaid(rail);
      const first = (await deposit(visit)).deposit.transactionId;
      const { payer, token } = await openSigned(visit);
      const tried = await until('the attempt on the signed form has started', async () => {
        const record = await deposit(visit);
        const attempt = record.attempts.at(-1);
        return record.deposit.transactionId !== first && attempt?.state !== 'starting' ? attempt : undefined;
      });
      const { suspense, available } = await visit.standing();
      assert.deepEqual(
        [suspense, available, await statusesOf(visit)],
        [
          '10.50',
          '0.00',
          [
            ['fail', '10.50'],
            ['pending', '99.00'],
          ],
        ],
      );
      assert.equal(reasonOf(await visit.merchant.requestDeposit(visit.order)), 'Order already exists');
      await visit.provider.act(tried, undefined, { payer, page: await payer.open(`/payment/form/${token}`) });
      await until('the second callback', async () => callbacks(visit).length === 2 || undefined);
      assert.deepEqual(callbacks(visit), [
        ['success', '10.50'],
        ['success', '99.00'],
      ]);
      assert.deepEqual(
        (await statusesOf(visit)).map(([status]) => status),
        ['fail', 'success'],
      );
      const events = stage.gateway.receiver.about(visit.merchant.id, visit.order, 'event');
      assert.deepEqual(
        events.map(({ fields }) => [fields['type'], fields['status'], fields['amount'], fields['transaction_id']]),
        [['deposit.displaced', 'success', '10.00', String(first)]],
      );
    });
  }

  it('a host-to-host request gets a CLABE and takes over an order that a stranger paid on an unsigned form', async () => {
    const visit = await strangerPaid('adyen');
    const { transactionId } = await visit.merchant.deposit(visit.order);
    const { deposit: holder } = await deposit(visit);
    assert.deepEqual([holder.transactionId, holder.state], [transactionId, 'pending']);
    assert.deepEqual(await statusesOf(visit), [['fail', '10.50']]);
    assert.equal(reasonOf(await visit.merchant.requestDeposit(visit.order)), 'Order already exists');
  });
});
