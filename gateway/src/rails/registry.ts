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
import type { MastercardSendConfiguration } from './mastercard-send/configuration.ts';
import { createMastercardSendPayoutRail, MASTERCARD_SEND_CONCURRENCY } from './mastercard-send/payout-rail.ts';
import { createPixBank } from './pix/bank.ts';
import type { PixConfiguration } from './pix/configuration.ts';
import { createPixNotifications } from './pix/notifications.ts';
import { createPixPaymentRail } from './pix/payment-rail.ts';
import { createPixPreparation } from './pix/preparation.ts';
import { createProviderHttp } from './provider-http.ts';
import type { RailHooks } from './rail-hooks.ts';
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
import { createVoPayNotifications } from './vopay/notifications.ts';
import { createVoPayPaymentRail, VOPAY_CONCURRENCY } from './vopay/payment-rail.ts';
import { createVoPayApi } from './vopay/vopay-api.ts';

/** Null: this gateway runs without that rail, and its methods are unavailable. */
export interface RailsConfiguration {
  readonly sandbox: SandboxConfiguration | null;
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
  readonly notifications: readonly RailNotifications[];
  readonly depositRails: readonly DepositRail[];
  readonly transferListers: readonly TransferLister[];
  readonly payoutListers: readonly PayoutLister[];
  readonly floatReaders: readonly FloatReader[];
  readonly paymentRails: readonly PaymentRail[];
  readonly preparations: readonly RailPreparation[];
  /** Closes the connections once nothing is under way on them. */
  close(): Promise<void>;
}

/** What a rail can do, each thing by itself. */
interface Connector {
  readonly payoutRail?: PayoutRail;
  readonly depositRail?: DepositRail;
  readonly transferLister?: TransferLister;
  readonly payoutLister?: PayoutLister;
  readonly floatReader?: FloatReader;
  readonly notifications?: RailNotifications;
  readonly paymentRail?: PaymentRail;
  readonly preparation?: RailPreparation;
  readonly connections?: readonly Closable[];
}

interface Closable {
  close(): Promise<void>;
}

type Registration<Configuration> = (configuration: Configuration, hooks: RailHooks, clock: Clock) => Connector;

const REGISTRY: { readonly [Name in keyof RailsConfiguration]: Registration<NonNullable<RailsConfiguration[Name]>> } = {
  sandbox: (configuration) => ({ payoutRail: createSandboxRail(configuration) }),
  // A card's own network stands before whoever carries both.
  visaDirect: (configuration, hooks, clock) => {
    const http = createProviderHttp({
      baseUrl: configuration.url,
      connections: VISA_DIRECT_CONCURRENCY,
      largestAnswerBytes: VISA_DIRECT_LARGEST_ANSWER_BYTES,
      identify: () => identityIn(configuration),
    });
    const api = createVisaApi(configuration, { http, clock, random: systemRandom });
    return { payoutRail: createVisaDirectPayoutRail(configuration, { api, hooks, clock }), connections: [http] };
  },
  mastercardSend: (configuration, hooks, clock) => {
    const http = createProviderHttp({ baseUrl: configuration.url, connections: MASTERCARD_SEND_CONCURRENCY });
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
  vopay: (configuration, hooks, clock) => {
    const http = createProviderHttp({ baseUrl: configuration.url, connections: VOPAY_CONCURRENCY });
    return {
      paymentRail: createVoPayPaymentRail(configuration, createVoPayApi(configuration, { http, hooks, clock }), clock),
      notifications: createVoPayNotifications(configuration),
      connections: [http],
    };
  },
};

export function createRails(configuration: RailsConfiguration, hooks: RailHooks, clock: Clock): Rails {
  const names = Object.keys(REGISTRY) as (keyof RailsConfiguration)[];
  const connectors = names.flatMap((name) => connect(name, configuration, hooks, clock));
  return {
    payoutRails: connectors.flatMap(({ payoutRail }) => payoutRail ?? []),
    notifications: connectors.flatMap(({ notifications }) => notifications ?? []),
    depositRails: connectors.flatMap(({ depositRail }) => depositRail ?? []),
    transferListers: connectors.flatMap(({ transferLister }) => transferLister ?? []),
    payoutListers: connectors.flatMap(({ payoutLister }) => payoutLister ?? []),
    floatReaders: connectors.flatMap(({ floatReader }) => floatReader ?? []),
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
