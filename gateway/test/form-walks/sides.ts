/** The providers of the walks, one row per payment type, with delays long enough for a payer to notice. */
import type { FormPaymentType } from '../../src/domain/methods/payment-type.ts';
import { adyen } from '../../src/rails/adyen/form-provider-under-test.ts';
import { pix } from '../../src/rails/pix/form-provider-under-test.ts';
import { tokenIo } from '../../src/rails/token-io/form-provider-under-test.ts';
import { trustly } from '../../src/rails/trustly/form-provider-under-test.ts';
import { vopay } from '../../src/rails/vopay/form-provider-under-test.ts';
import type { Provider, ProviderPlace } from '../support/form-providers/provider.ts';

export type Side = Pick<Provider, 'variables' | 'pages' | 'charges' | 'control' | 'close'>;

export const SIDES: Readonly<Record<FormPaymentType, (place: ProviderPlace) => Promise<Side>>> = {
  card: (place) => adyen.start(place, { notifyMs: 100, decideMs: 300, lateMs: 1_500 }),
  open_banking: (place) => tokenIo.start(place, { prepareMs: 100, bankMs: 300, settleMs: 600 }),
  e_transfer: (place) => vopay.start(place, { sendMs: 100, settleMs: 300, slowMs: 1_500, cancelMs: 300 }),
  instant_bank: (place) => pix.start(place, {}),
  bank_transfer_iframe: (place) => trustly.start(place, { settleMs: 1_000, debitMs: 1_500 }),
};
