/** A gateway without any rail, for a test to add its own to. */
import type { RailsConfiguration } from '../../src/rails/registry.ts';

export const NO_RAILS: RailsConfiguration = {
  sandbox: null,
  wayforpay: null,
  epoint: null,
  razorpayx: null,
  dtOne: null,
  freedomPay: null,
  visaDirect: null,
  mastercardSend: null,
  adyenTransfers: null,
  stp: null,
  adyen: null,
  pix: null,
  trustly: null,
  tokenIo: null,
  vopay: null,
};
