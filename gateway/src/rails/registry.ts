/**
 * The one list of rails: which are configured decides which are made. Beside the configuration, no other file of the
 * gateway names a rail.
 */
import type { DepositRail } from '../domain/deposits/deposit-rail.ts';
import type { PaymentRail } from '../domain/deposits/payment-rail.ts';
import type { TransferLister } from '../domain/deposits/reconcile-transfers.ts';
import type { FloatReader } from '../domain/payouts/float-reader.ts';
import type { PayoutLister } from '../domain/payouts/payout-lister.ts';
import type { PayoutRail } from '../domain/payouts/payout-rail.ts';
import type { RailNotifications } from '../domain/rail-notification.ts';
import type { RailPreparation } from '../domain/rail-preparation.ts';
import type { Clock } from '../foundation/clock.ts';
import { systemRandom } from '../foundation/ids.ts';
import type { AdyenConfiguration } from './adyen/configuration.ts';
import { createAdyenNotifications } from './adyen/notifications.ts';
import { ADYEN_CONCURRENCY, ADYEN_LARGEST_ANSWER_BYTES, createAdyenPaymentRail } from './adyen/payment-rail.ts';
import type { AdyenTransfersConfiguration } from './adyen-transfers/configuration.ts';
import { createAdyenTransfersFloatReader } from './adyen-transfers/float-reader.ts';
import { createAdyenTransfersNotifications } from './adyen-transfers/notifications.ts';
import { createAdyenTransfersPayoutLister } from './adyen-transfers/payout-lister.ts';
import { ADYEN_TRANSFERS_CONCURRENCY, createAdyenTransfersPayoutRail } from './adyen-transfers/payout-rail.ts';
import { ADYEN_TRANSFERS_LARGEST_ANSWER_BYTES, createTransfersApi } from './adyen-transfers/transfers-api.ts';
import type { DtOneConfiguration } from './dt-one/configuration.ts';
import { createConfirmTransaction } from './dt-one/confirm-transaction.ts';
import { createDtOneApi } from './dt-one/dt-one-api.ts';
import { createDtOneFloatReader } from './dt-one/float-reader.ts';
import { createDtOneNotifications } from './dt-one/notifications.ts';
import { createDtOnePayoutLister, DT_ONE_LARGEST_ANSWER_BYTES } from './dt-one/payout-lister.ts';
import { createDtOnePayoutRail, DT_ONE_CONCURRENCY } from './dt-one/payout-rail.ts';
import type { EpointConfiguration } from './epoint/configuration.ts';
import { createEpointNotifications } from './epoint/notifications.ts';
import { createEpointPayoutRail, EPOINT_CONCURRENCY } from './epoint/payout-rail.ts';
import type { FreedomPayConfiguration } from './freedom-pay/configuration.ts';
import { createFreedomPayFloatReader } from './freedom-pay/float-reader.ts';
import { createFreedomPayApi } from './freedom-pay/freedom-pay-api.ts';
import { createFreedomPayNotifications, FREEDOM_PAY_CONFIRMATIONS } from './freedom-pay/notifications.ts';
import { createFreedomPayPayoutRail, FREEDOM_PAY_CONCURRENCY } from './freedom-pay/payout-rail.ts';
import type { MastercardSendConfiguration } from './mastercard-send/configuration.ts';
import { createMastercardSendPayoutRail, MASTERCARD_SEND_CONCURRENCY } from './mastercard-send/payout-rail.ts';
import { createPixBank } from './pix/bank.ts';
import type { PixConfiguration } from './pix/configuration.ts';
import { createPixNotifications } from './pix/notifications.ts';
import { createPixPaymentRail } from './pix/payment-rail.ts';
import { createPixPreparation } from './pix/preparation.ts';
import { createProviderHttp, type ProviderHttp } from './provider-http.ts';
import type { RailHooks } from './rail-hooks.ts';
import type { RazorpayXConfiguration } from './razorpayx/configuration.ts';
import { createRazorpayXFloatReader } from './razorpayx/float-reader.ts';
import { createRazorpayXNotifications } from './razorpayx/notifications.ts';
import { createRazorpayXPayoutLister, RAZORPAYX_LARGEST_ANSWER_BYTES } from './razorpayx/payout-lister.ts';
import { createRazorpayXPayoutRail, RAZORPAYX_CONCURRENCY } from './razorpayx/payout-rail.ts';
import { createRazorpayXApi } from './razorpayx/razorpayx-api.ts';
import type { SandboxConfiguration } from './sandbox/configuration.ts';
import { createSandboxRail } from './sandbox/payout-rail.ts';
import type { StandInBankConfiguration } from './stand-in-bank/configuration.ts';
import { createStandInBankNotifications } from './stand-in-bank/notifications.ts';
import { createStandInBankRail, STAND_IN_BANK_CONCURRENCY } from './stand-in-bank/payout-rail.ts';
import type { StpConfiguration } from './stp/configuration.ts';
import { createConfirmAbono, STP_CONFIRMATIONS } from './stp/confirm-abono.ts';
import { createConfirmOrder } from './stp/confirm-order.ts';
import { createStpDepositRail } from './stp/deposit-rail.ts';
import { createStpNotifications } from './stp/notifications.ts';
import { createStpPayoutRail, STP_CONCURRENCY } from './stp/payout-rail.ts';
import { createStpTransferLister, STP_LARGEST_ANSWER_BYTES } from './stp/transfer-lister.ts';
import { TOKEN_IO_CONCURRENCY, TOKEN_IO_LARGEST_ANSWER_BYTES } from './token-io/calls.ts';
import type { TokenIoConfiguration } from './token-io/configuration.ts';
import { createTokenIoNotifications } from './token-io/notifications.ts';
import { createTokenIoPaymentRail } from './token-io/payment-rail.ts';
import type { TrustlyConfiguration } from './trustly/configuration.ts';
import { createTrustlyNotifications } from './trustly/notifications.ts';
import { createTrustlyPaymentRail, TRUSTLY_CONCURRENCY } from './trustly/payment-rail.ts';
import { TRUSTLY_LARGEST_ANSWER_BYTES } from './trustly/queries.ts';
import { identityIn } from './visa-direct/certificate-files.ts';
import type { VisaDirectConfiguration } from './visa-direct/configuration.ts';
import {
  createVisaDirectPayoutRail,
  VISA_DIRECT_CONCURRENCY,
  VISA_DIRECT_LARGEST_ANSWER_BYTES,
} from './visa-direct/payout-rail.ts';
import { createVisaApi } from './visa-direct/visa-api.ts';
import type { VoPayConfiguration } from './vopay/configuration.ts';
import { createConfirmPayout, VOPAY_CONFIRMATIONS } from './vopay/confirm-payout.ts';
import { createVoPayFloatReader } from './vopay/float-reader.ts';
import { createVoPayNotifications } from './vopay/notifications.ts';
import { createVoPayPaymentRail, VOPAY_CONCURRENCY } from './vopay/payment-rail.ts';
import { createVoPayPayoutLister, VOPAY_LARGEST_LIST_BYTES } from './vopay/payout-lister.ts';
import { createVoPayPayoutRail, VOPAY_PAYOUT_CONCURRENCY } from './vopay/payout-rail.ts';
import { createVoPayApi } from './vopay/vopay-api.ts';
import type { WayForPayConfiguration } from './wayforpay/configuration.ts';
import { createWayForPayFloatReader } from './wayforpay/float-reader.ts';
import { createWayForPayNotifications } from './wayforpay/notifications.ts';
import { createWayForPayPayoutLister, WAYFORPAY_LARGEST_LIST_BYTES } from './wayforpay/payout-lister.ts';
import { createWayForPayPayoutRail, WAYFORPAY_CONCURRENCY } from './wayforpay/payout-rail.ts';

/** Null: this gateway runs without that rail, and its methods are unavailable. */
export interface RailsConfiguration {
  readonly sandbox: SandboxConfiguration | null;
  readonly wayforpay: WayForPayConfiguration | null;
  readonly epoint: EpointConfiguration | null;
  readonly razorpayx: RazorpayXConfiguration | null;
  readonly dtOne: DtOneConfiguration | null;
  readonly freedomPay: FreedomPayConfiguration | null;
  readonly visaDirect: VisaDirectConfiguration | null;
  readonly mastercardSend: MastercardSendConfiguration | null;
  readonly adyenTransfers: AdyenTransfersConfiguration | null;
  readonly standInBank: StandInBankConfiguration | null;
  readonly stp: StpConfiguration | null;
  readonly adyen: AdyenConfiguration | null;
  readonly pix: PixConfiguration | null;
  readonly trustly: TrustlyConfiguration | null;
  readonly tokenIo: TokenIoConfiguration | null;
  readonly vopay: VoPayConfiguration | null;
}

export interface Rails {
  /** A method that two of them carry goes to the first. */
  readonly payoutRails: readonly PayoutRail[];
  readonly payoutListers: readonly PayoutLister[];
  readonly floatReaders: readonly FloatReader[];
  readonly notifications: readonly RailNotifications[];
  readonly depositRails: readonly DepositRail[];
  readonly transferListers: readonly TransferLister[];
  readonly paymentRails: readonly PaymentRail[];
  readonly preparations: readonly RailPreparation[];
  /** Closes the connections once nothing is under way on them. */
  close(): Promise<void>;
}

/** What a rail can do, each thing by itself. */
interface Connector {
  readonly payoutRail?: PayoutRail;
  readonly payoutLister?: PayoutLister;
  readonly floatReader?: FloatReader;
  readonly depositRail?: DepositRail;
  readonly transferLister?: TransferLister;
  readonly notifications?: RailNotifications;
  readonly paymentRail?: PaymentRail;
  readonly preparation?: RailPreparation;
  readonly connections?: readonly Closable[];
}

interface Closable {
  close(): Promise<void>;
}

type Registration<Configuration> = (configuration: Configuration, hooks: RailHooks, clock: Clock) => Connector;

/** Of the rails that are asked about each payout of a day: one question at a time, which delays no payout. */
const RECONCILING = 1;

/** A payout's method goes to the first that carries it: the stand-in bank takes what the rails before it leave. */
const REGISTRY: { readonly [Name in keyof RailsConfiguration]: Registration<NonNullable<RailsConfiguration[Name]>> } = {
  sandbox: (configuration) => ({ payoutRail: createSandboxRail(configuration) }),
  wayforpay: (configuration, hooks, clock) => {
    // One more than there are payouts under way, so that a question about the float waits for none of them.
    const http = createProviderHttp({ baseUrl: configuration.url, connections: WAYFORPAY_CONCURRENCY + 1 });
    const limits = { connections: 1, largestAnswerBytes: WAYFORPAY_LARGEST_LIST_BYTES };
    const lists = createProviderHttp({ baseUrl: configuration.url, ...limits });
    return {
      payoutRail: createWayForPayPayoutRail(configuration, { http, hooks }),
      payoutLister: createWayForPayPayoutLister(configuration, lists),
      floatReader: createWayForPayFloatReader(configuration, http),
      notifications: createWayForPayNotifications(configuration, clock),
      connections: [http, lists],
    };
  },
  epoint: (configuration, hooks) => {
    const http = createProviderHttp({ baseUrl: configuration.url, connections: EPOINT_CONCURRENCY + RECONCILING });
    return {
      payoutRail: createEpointPayoutRail(configuration, { http, hooks }),
      notifications: createEpointNotifications(configuration),
      connections: [http],
    };
  },
  razorpayx: (configuration, hooks) => {
    const limits = { connections: RAZORPAYX_CONCURRENCY, largestAnswerBytes: RAZORPAYX_LARGEST_ANSWER_BYTES };
    const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
    const api = createRazorpayXApi(configuration, { http, hooks });
    return {
      payoutRail: createRazorpayXPayoutRail(configuration, api),
      payoutLister: createRazorpayXPayoutLister(configuration, api),
      floatReader: createRazorpayXFloatReader(configuration, api),
      notifications: createRazorpayXNotifications(configuration),
      connections: [http],
    };
  },
  dtOne: (configuration, hooks) => {
    const limits = { connections: DT_ONE_CONCURRENCY, largestAnswerBytes: DT_ONE_LARGEST_ANSWER_BYTES };
    const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
    const api = createDtOneApi(configuration, { http, hooks });
    return {
      payoutRail: createDtOnePayoutRail(configuration, api),
      payoutLister: createDtOnePayoutLister(api),
      floatReader: createDtOneFloatReader(api),
      notifications: createDtOneNotifications(configuration, createConfirmTransaction(api)),
      connections: [http],
    };
  },
  freedomPay: (configuration, hooks, clock) => {
    // One more for the balance, so that it delays no payout.
    const connections = FREEDOM_PAY_CONCURRENCY + RECONCILING + 1;
    const http = createProviderHttp({ baseUrl: configuration.url, connections });
    // Its own, so that a burst of news delays neither.
    const confirmations = createProviderHttp({ baseUrl: configuration.url, connections: FREEDOM_PAY_CONFIRMATIONS });
    const api = createFreedomPayApi(configuration, { http, hooks, clock });
    const confirmingApi = createFreedomPayApi(configuration, { http: confirmations, hooks, clock });
    return {
      payoutRail: createFreedomPayPayoutRail(configuration, api),
      floatReader: createFreedomPayFloatReader(api),
      notifications: createFreedomPayNotifications(configuration, confirmingApi),
      connections: [http, confirmations],
    };
  },
  vopay: (configuration, hooks, clock) => {
    const baseUrl = configuration.url;
    // Each with its own, so that none delays another: a payer waits for the first.
    const http = createProviderHttp({ baseUrl, connections: VOPAY_CONCURRENCY });
    const payouts = createProviderHttp({ baseUrl, connections: VOPAY_PAYOUT_CONCURRENCY });
    const confirmations = createProviderHttp({ baseUrl, connections: VOPAY_CONFIRMATIONS });
    const lists = createProviderHttp({ baseUrl, connections: 2, largestAnswerBytes: VOPAY_LARGEST_LIST_BYTES });
    const apiOver = (own: ProviderHttp) => createVoPayApi(configuration, { http: own, hooks, clock });
    return {
      paymentRail: createVoPayPaymentRail(configuration, apiOver(http), clock),
      payoutRail: createVoPayPayoutRail(configuration, apiOver(payouts), clock),
      payoutLister: createVoPayPayoutLister(apiOver(lists)),
      floatReader: createVoPayFloatReader(apiOver(lists)),
      notifications: createVoPayNotifications(configuration, createConfirmPayout(apiOver(confirmations))),
      connections: [http, payouts, confirmations, lists],
    };
  },
  // A card's own network stands before whoever carries both.
  visaDirect: (configuration, hooks, clock) => {
    const http = createProviderHttp({
      baseUrl: configuration.url,
      connections: VISA_DIRECT_CONCURRENCY + RECONCILING,
      largestAnswerBytes: VISA_DIRECT_LARGEST_ANSWER_BYTES,
      identify: () => identityIn(configuration),
    });
    const api = createVisaApi(configuration, { http, clock, random: systemRandom });
    return { payoutRail: createVisaDirectPayoutRail(configuration, { api, hooks, clock }), connections: [http] };
  },
  mastercardSend: (configuration, hooks, clock) => {
    const connections = MASTERCARD_SEND_CONCURRENCY + RECONCILING;
    const http = createProviderHttp({ baseUrl: configuration.url, connections });
    // Its nonces decide about nothing of ours, so they need not be the same when a run is replayed.
    const parts = { http, hooks, clock, random: systemRandom };
    return { payoutRail: createMastercardSendPayoutRail(configuration, parts), connections: [http] };
  },
  adyenTransfers: (configuration, hooks, clock) => {
    const http = createProviderHttp({
      baseUrl: configuration.url,
      // One for the lister, so that a long list delays no payout.
      connections: ADYEN_TRANSFERS_CONCURRENCY + 1,
      largestAnswerBytes: ADYEN_TRANSFERS_LARGEST_ANSWER_BYTES,
    });
    const api = createTransfersApi(configuration, http, hooks);
    const { balancesUrl } = configuration;
    const balances = balancesUrl === null ? null : createProviderHttp({ baseUrl: balancesUrl, connections: 1 });
    return {
      payoutRail: createAdyenTransfersPayoutRail(configuration, { api, clock }),
      payoutLister: createAdyenTransfersPayoutLister(api),
      notifications: createAdyenTransfersNotifications(configuration),
      ...(balances === null ? {} : { floatReader: createAdyenTransfersFloatReader(configuration, balances) }),
      connections: balances === null ? [http] : [http, balances],
    };
  },
  standInBank: (configuration, hooks) => {
    const http = createProviderHttp({ baseUrl: configuration.url, connections: STAND_IN_BANK_CONCURRENCY });
    return {
      payoutRail: createStandInBankRail(configuration, http, hooks),
      notifications: createStandInBankNotifications(configuration),
      connections: [http],
    };
  },
  stp: (configuration, hooks, clock) => {
    const orders = createProviderHttp({ baseUrl: configuration.ordersUrl, connections: STP_CONCURRENCY });
    const queries = createProviderHttp({
      baseUrl: configuration.url,
      // One for the lister, so that a long list delays no question about an order.
      connections: STP_CONCURRENCY + 1,
      largestAnswerBytes: STP_LARGEST_ANSWER_BYTES,
    });
    // Its own, so that a burst of large abonos delays no question about an order.
    const confirmations = createProviderHttp({ baseUrl: configuration.url, connections: STP_CONFIRMATIONS });
    return {
      payoutRail: createStpPayoutRail(configuration, { orders, queries, hooks, clock }),
      depositRail: createStpDepositRail(configuration),
      transferLister: createStpTransferLister(configuration, queries, clock),
      notifications: createStpNotifications(
        configuration,
        {
          confirmAbono: createConfirmAbono(configuration, confirmations, clock),
          confirmOrder: createConfirmOrder(configuration, confirmations, clock),
        },
        clock,
      ),
      connections: [orders, queries, confirmations],
    };
  },
  adyen: (configuration, hooks, clock) => {
    const limits = { connections: ADYEN_CONCURRENCY, largestAnswerBytes: ADYEN_LARGEST_ANSWER_BYTES };
    const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
    return {
      paymentRail: createAdyenPaymentRail(configuration, { http, hooks, clock }),
      notifications: createAdyenNotifications(configuration),
      connections: [http],
    };
  },
  pix: (configuration, hooks, clock) => {
    const bank = createPixBank(configuration, hooks, clock);
    return {
      paymentRail: createPixPaymentRail(configuration, bank, clock),
      notifications: createPixNotifications(configuration),
      preparation: createPixPreparation(configuration, bank),
      connections: [bank],
    };
  },
  trustly: (configuration, hooks, clock) => {
    const limits = { connections: TRUSTLY_CONCURRENCY, largestAnswerBytes: TRUSTLY_LARGEST_ANSWER_BYTES };
    const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
    return {
      paymentRail: createTrustlyPaymentRail(configuration, { http, hooks, clock }),
      notifications: createTrustlyNotifications(configuration),
      connections: [http],
    };
  },
  tokenIo: (configuration, hooks, clock) => {
    const limits = { connections: TOKEN_IO_CONCURRENCY, largestAnswerBytes: TOKEN_IO_LARGEST_ANSWER_BYTES };
    const http = createProviderHttp({ baseUrl: configuration.url, ...limits });
    return {
      paymentRail: createTokenIoPaymentRail(configuration, { http, hooks, clock }),
      notifications: createTokenIoNotifications(configuration),
      connections: [http],
    };
  },
};

export function createRails(configuration: RailsConfiguration, hooks: RailHooks, clock: Clock): Rails {
  const names = Object.keys(REGISTRY) as (keyof RailsConfiguration)[];
  const connectors = names.flatMap((name) => connect(name, configuration, hooks, clock));
  return {
    payoutRails: connectors.flatMap(({ payoutRail }) => payoutRail ?? []),
    payoutListers: connectors.flatMap(({ payoutLister }) => payoutLister ?? []),
    floatReaders: connectors.flatMap(({ floatReader }) => floatReader ?? []),
    notifications: connectors.flatMap(({ notifications }) => notifications ?? []),
    depositRails: connectors.flatMap(({ depositRail }) => depositRail ?? []),
    transferListers: connectors.flatMap(({ transferLister }) => transferLister ?? []),
    paymentRails: connectors.flatMap(({ paymentRail }) => paymentRail ?? []),
    preparations: connectors.flatMap(({ preparation }) => preparation ?? []),
    async close() {
      await Promise.all(
        connectors.flatMap(({ connections = [] }) => connections.map((connection) => connection.close())),
      );
    },
  };
}

function connect<Name extends keyof RailsConfiguration>(
  name: Name,
  configuration: RailsConfiguration,
  hooks: RailHooks,
  clock: Clock,
): Connector[] {
  const own = configuration[name];
  return own === null ? [] : [REGISTRY[name](own as NonNullable<RailsConfiguration[Name]>, hooks, clock)];
}
