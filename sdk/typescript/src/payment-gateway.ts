// biome-ignore-all lint/performance/noBarrelFile: the package's only entry.
export { type Callback, type ReceivedCallback, type VerifyOptions, verifyCallback } from './callbacks.ts';
export { InvalidSignature, OutcomeUnknown, RequestRejected } from './errors.ts';
export { explainSign, type SignExplanation } from './explain-sign.ts';
export {
  type Balance,
  type Deposit,
  type DepositRequest,
  type FormRequest,
  Gateway,
  type GatewayOptions,
  type ListedPayment,
  type ListQuery,
  type PayoutReply,
} from './gateway.ts';
export type * from './payouts.ts';
export { md5Sign, xSign } from './signatures.ts';
