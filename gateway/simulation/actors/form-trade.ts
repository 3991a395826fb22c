/** The external parties of a form payment: providers and payers. */
import type { PaymentRail } from '../../src/domain/payments/payment-rail.ts';
import type { Currency } from '../../src/foundation/currency.ts';
import type { Rails } from '../../src/rails/registry.ts';
import type { Drawn } from '../world/drawn.ts';
import type { Life } from '../world/life.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';
import type { Door } from './door.ts';
import { createFormPayers } from './form-payer.ts';
import { type PaymentNotice, PaymentProvider } from './payment-provider.ts';
import { railOver } from './provider-rail.ts';

export interface FormTrade {
  readonly providers: ReadonlyMap<string, PaymentProvider>;
  /** Wraps the rail of one process so that its calls reach the simulated provider. */
  railOf(rail: PaymentRail, life: Life): PaymentRail;
  /** Makes a payer follow the link. */
  readonly open: (link: string) => void;
  /** Counts the entries in the providers' books. */
  count(): { readonly formPayments: number; readonly refunds: number; readonly chargebacks: number };
}

interface FormTradeParts {
  readonly world: World;
  readonly network: Network;
  readonly door: Door;
  readonly notify: (notice: PaymentNotice) => void;
  readonly violated: (what: string) => void;
}

export function createFormTrade({ world, network, door, notify, violated }: FormTradeParts): FormTrade {
  const providers = new Map<string, PaymentProvider>();
  const payers = createFormPayers(world, door);
  return {
    providers,
    open: payers.open,
    count() {
      const books = [...providers.values()];
      const sum = (sizeOf: (book: PaymentProvider) => number) => books.reduce((total, book) => total + sizeOf(book), 0);
      return {
        formPayments: sum(({ payments }) => payments.size),
        refunds: sum(({ refunds }) => refunds.size),
        chargebacks: sum(({ chargebacks }) => chargebacks.length),
      };
    },
    railOf(rail, life) {
      const parts = { world, network, notify, violated, comeBack: payers.comeBack };
      const provider =
        providers.get(rail.name) ?? new PaymentProvider(rail.name, rail.repeatRefund !== undefined, parts);
      providers.set(rail.name, provider);
      return railOver(provider, rail, { world, network, life });
    },
  };
}

/** Each form rail supports one of these currencies. */
const CURRENCIES: readonly Currency[] = ['BRL', 'CAD', 'EUR', 'USD'];

/** Draws a payment type and a currency that some form rail supports. */
export function drawOffer(
  drawn: Drawn,
  { paymentRails }: Pick<Rails, 'paymentRails'>,
): { readonly paymentType: string; readonly currency: Currency } {
  const { paymentType, currencies } = drawn.oneOf(paymentRails);
  return { paymentType, currency: drawn.oneOf(CURRENCIES.filter((currency) => currencies.has(currency))) };
}
