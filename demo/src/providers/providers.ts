/** The providers of the demo, in the order of the shop's offers and of the printed payouts. */
import { adyen } from './adyen.ts';
import { adyenTransfers } from './adyen-transfers.ts';
import { dtOne } from './dt-one.ts';
import { epoint } from './epoint.ts';
import { freedomPay } from './freedom-pay.ts';
import { mastercardSend } from './mastercard-send.ts';
import { pix } from './pix.ts';
import type { Provider } from './provider.ts';
import { razorpayx } from './razorpayx.ts';
import { tokenIo } from './token-io.ts';
import { trustly } from './trustly.ts';
import { visaDirect } from './visa-direct.ts';
import { vopay } from './vopay.ts';
import { wayforpay } from './wayforpay.ts';

export const PROVIDERS: readonly Provider[] = [
  adyen,
  tokenIo,
  vopay,
  pix,
  trustly,
  adyenTransfers,
  visaDirect,
  mastercardSend,
  wayforpay,
  freedomPay,
  epoint,
  razorpayx,
  dtOne,
];
