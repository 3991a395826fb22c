/**
 * A provider of form payments, with its own book of payments, refunds and chargebacks. It executes a repeated order or refund
 * again, except at rails that query by repeating the request.
 */
import type { DepositAdjustmentKind } from '../../src/domain/deposits/deposit-adjustment.ts';
import type {
  PaymentAnswer,
  PaymentOrder,
  PaymentStatus,
  RefundAnswer,
  RefundOrder,
} from '../../src/domain/payments/payment-rail.ts';
import { DAY_MS, HOUR_MS, type Instant, MINUTE_MS, SECOND_MS } from '../../src/foundation/clock.ts';
import type { Money } from '../../src/foundation/money.ts';
import type { Drawn } from '../world/drawn.ts';
import type { Network } from '../world/network.ts';
import type { World } from '../world/world.ts';

interface ProviderPayment {
  readonly rail: string;
  readonly reference: string;
  readonly providerReference: string;
  readonly money: Money;
  readonly returnUrl: string;
  readonly expiresAt: Instant;
  readonly acceptedAt: Instant;
  state: 'acting' | 'deciding' | 'paid' | 'refused';
  /** The number of times that the payer was charged. */
  charges: number;
}

export interface ProviderRefund {
  readonly payment: ProviderPayment;
  readonly reference: string;
  readonly money: Money;
  state: 'pending' | 'refunded' | 'refused' | 'undone';
  /** True once a refund was paid out, even if it was returned. */
  wasRefunded: boolean;
}

export interface Chargeback {
  readonly payment: ProviderPayment;
  readonly key: string;
  readonly money: Money;
  readonly at: Instant;
  isUndone: boolean;
}

export interface PaymentNotice {
  readonly rail: string;
  readonly payment: string;
  readonly kind: 'paid' | 'refused' | 'ask' | DepositAdjustmentKind;
  readonly providerReference: string;
  readonly key: string;
  readonly minor: string;
  readonly currency: string;
}

type RefundStatus = RefundAnswer | { readonly kind: 'not_found' };

interface PaymentProviderParts {
  readonly world: World;
  readonly network: Network;
  readonly notify: (notice: PaymentNotice) => void;
  /** Returns the payer's browser to the form. */
  readonly comeBack: (returnUrl: string) => void;
  readonly violated: (what: string) => void;
}

const BEGINS: readonly (readonly [number, ProviderPayment['state'] | 'not_accepted'])[] = [
  [45, 'paid'],
  [27, 'acting'],
  [10, 'deciding'],
  [10, 'refused'],
  [8, 'not_accepted'],
];
const REFUNDS: readonly (readonly [number, ProviderRefund['state'] | 'not_accepted'])[] = [
  [50, 'refunded'],
  [35, 'pending'],
  [8, 'refused'],
  [7, 'not_accepted'],
];
const ACTS_AFTER_MS = [5 * SECOND_MS, MINUTE_MS, 10 * MINUTE_MS];
const DECIDES_AFTER_MS = [5 * SECOND_MS, MINUTE_MS, 30 * MINUTE_MS];
const REFUND_ENDS_AFTER_MS = [10 * SECOND_MS, 10 * MINUTE_MS, 20 * HOUR_MS];
const CHARGED_BACK_AFTER_MS = [10 * MINUTE_MS, 5 * HOUR_MS, 3 * DAY_MS];
const CHARGED_BACK = 0.1;
const CHARGEBACK_UNDONE = 0.4;
const REFUND_UNDONE = 0.05;
const UNNOTIFIED = 0.08;
/** The probability that the payer never acts. */
const LEFT = 0.15;

/** A provider's book, and the events that change its entries. */
export class PaymentProvider {
  readonly name: string;
  /** If true, the gateway learns outcomes only from notifications, and the provider recognises a repeated refund. */
  readonly isSilent: boolean;
  readonly payments = new Map<string, ProviderPayment>();
  readonly refunds = new Map<string, ProviderRefund>();
  readonly chargebacks: Chargeback[] = [];
  readonly violated: (what: string) => void;
  readonly #parts: PaymentProviderParts;
  readonly #drawn: Drawn;

  constructor(name: string, isSilent: boolean, parts: PaymentProviderParts) {
    this.name = name;
    this.isSilent = isSilent;
    this.#parts = parts;
    this.#drawn = parts.world.drawn.apart(`provider ${name}`);
    this.violated = parts.violated;
  }

  /** Returns undefined if the provider rejects the order. */
  accept({ reference, money, returnUrl, expiresAt }: PaymentOrder): ProviderPayment | undefined {
    const { world, network, violated } = this.#parts;
    const known = this.payments.get(reference);
    if (known) violated(`${this.name} got the payment ${reference} twice`);
    const state = this.#drawn.weighted(BEGINS);
    if (known || state === 'not_accepted') return known;
    const providerReference = `${this.name}-${this.payments.size}`;
    const of = { rail: this.name, reference, providerReference, money, returnUrl, expiresAt, acceptedAt: world.now() };
    const payment: ProviderPayment = { ...of, state, charges: 0 };
    this.payments.set(reference, payment);
    if (state === 'paid') this.#charge(payment);
    if (state === 'paid' || state === 'refused') world.after(network.delayMs(), () => this.#tell(payment, state));
    if (state === 'acting' && !this.#drawn.chance(LEFT)) this.#later(ACTS_AFTER_MS, () => this.#act(payment));
    if (state === 'deciding') this.#later(DECIDES_AFTER_MS, () => this.#decide(payment));
    return payment;
  }

  statusOf({ reference }: PaymentOrder): PaymentStatus {
    const payment = this.payments.get(reference);
    if (this.isSilent && payment?.state !== 'deciding') return SAYS_NOTHING;
    return payment ? answerOf(payment) : { kind: 'not_found' };
  }

  cancel(order: PaymentOrder): PaymentStatus {
    const payment = this.payments.get(order.reference);
    if (payment?.state !== 'acting') return this.statusOf(order);
    if (!this.isSilent) payment.state = 'refused';
    return answerOf(payment);
  }

  /** Called when the payer returns from the provider's page. */
  returned(order: PaymentOrder): PaymentAnswer {
    const payment = this.payments.get(order.reference);
    return payment ? answerOf(payment) : SAYS_NOTHING;
  }

  /** Returns undefined if the provider rejects the order. */
  acceptRefund(order: RefundOrder): ProviderRefund | undefined {
    const { reference, money } = order;
    const known = this.refunds.get(reference);
    if (known && !this.isSilent) this.#parts.violated(`${this.name} got the refund ${reference} twice`);
    if (known) return known;
    const payment = this.payments.get(order.payment.reference);
    const state = this.#drawn.weighted(REFUNDS);
    // A silent provider notifies the gateway of the final state of every refund in its book.
    if (state === 'not_accepted' || !payment || (state === 'refused' && this.isSilent)) return undefined;
    const refund: ProviderRefund = { payment, reference, money, state, wasRefunded: false };
    this.refunds.set(reference, refund);
    this.#refuseExcess(payment);
    if (state === 'pending') this.#later(REFUND_ENDS_AFTER_MS, () => this.#endRefund(refund));
    else if (state === 'refunded') this.#payBack(refund);
    return refund;
  }

  refundStatus({ reference }: RefundOrder): RefundStatus {
    const refund = this.refunds.get(reference);
    return refund ? refundAnswerOf(refund) : { kind: 'not_found' };
  }

  /** Makes the provider report that the payment was not made, and never make it afterwards. */
  disowns(reference: string): boolean {
    const payment = this.payments.get(reference);
    if (payment?.state === 'paid' || payment?.state === 'deciding') return false;
    if (payment) payment.state = 'refused';
    return true;
  }

  #later(delaysMs: readonly number[], event: () => void): void {
    this.#parts.world.after(this.#drawn.oneOf(delaysMs), event);
  }

  #tell(payment: ProviderPayment, kind: PaymentNotice['kind'], key = '', money = payment.money): void {
    const { reference, providerReference } = payment;
    const of = { minor: `${money.minor}`, currency: money.currency };
    const notice = { rail: this.name, payment: reference, kind, providerReference, key, ...of };
    this.#parts.notify(notice);
    if (this.#drawn.chance(0.1)) this.#parts.notify(notice);
  }

  #act(payment: ProviderPayment): void {
    if (payment.state !== 'acting' || this.#parts.world.now() >= payment.expiresAt) return;
    if (this.#drawn.chance(0.2)) {
      payment.state = 'deciding';
      this.#later(DECIDES_AFTER_MS, () => this.#decide(payment));
    } else this.#decide(payment);
    if (this.#drawn.chance(0.8)) this.#parts.comeBack(payment.returnUrl);
  }

  #decide(payment: ProviderPayment): void {
    if (payment.state !== 'acting' && payment.state !== 'deciding') return;
    const outcome = this.#drawn.chance(0.8) ? 'paid' : 'refused';
    payment.state = outcome;
    if (outcome === 'paid') this.#charge(payment);
    if (this.isSilent) this.#tell(payment, outcome);
    else if (!this.#drawn.chance(UNNOTIFIED)) this.#tell(payment, this.#drawn.oneOf([outcome, 'ask']));
  }

  #charge(payment: ProviderPayment): void {
    payment.charges += 1;
    if (this.#drawn.chance(CHARGED_BACK)) this.#later(CHARGED_BACK_AFTER_MS, () => this.#chargeBack(payment));
  }

  #chargeBack(payment: ProviderPayment): void {
    const { money, reference } = payment;
    const part = this.#drawn.chance(0.3) ? { ...money, minor: money.minor / 2n } : money;
    const at = this.#parts.world.now();
    const chargeback: Chargeback = { payment, key: `cb-${reference}`, money: part, at, isUndone: false };
    this.chargebacks.push(chargeback);
    this.#tell(payment, 'charged_back', chargeback.key, part);
    if (!this.#drawn.chance(CHARGEBACK_UNDONE)) return;
    this.#later(CHARGED_BACK_AFTER_MS, () => {
      chargeback.isUndone = true;
      this.#tell(payment, 'chargeback_undone', chargeback.key, part);
    });
  }

  #refuseExcess(payment: ProviderPayment): void {
    const kept = [...this.refunds.values()].filter(
      (each) => each.payment === payment && (each.state === 'pending' || each.state === 'refunded'),
    );
    const minor = kept.reduce((sum, { money }) => sum + money.minor, 0n);
    if (minor > payment.money.minor)
      this.#parts.violated(
        `${this.name} got refunds of ${minor} for the ${payment.money.minor} of ${payment.reference}`,
      );
  }

  #endRefund(refund: ProviderRefund): void {
    if (this.#drawn.chance(0.85)) this.#payBack(refund);
    else refund.state = 'refused';
    const kind = refund.state === 'refused' ? 'refund_undone' : 'refunded';
    this.#tell(refund.payment, kind, refund.reference, refund.money);
  }

  #payBack(refund: ProviderRefund): void {
    refund.state = 'refunded';
    refund.wasRefunded = true;
    if (!this.#drawn.chance(REFUND_UNDONE)) return;
    this.#later(REFUND_ENDS_AFTER_MS, () => {
      refund.state = 'undone';
      this.#tell(refund.payment, 'refund_undone', refund.reference, refund.money);
    });
  }
}

const SAYS_NOTHING = { kind: 'unknown', reason: 'the provider does not say' } as const;

export function answerOf({ state, money, providerReference }: ProviderPayment) {
  switch (state) {
    case 'acting': {
      const step = { kind: 'redirect', url: 'https://bank.example/act' } as const;
      return { kind: 'step', step, keep: 'step', providerReference } as const;
    }
    case 'deciding':
      return { kind: 'pending', isAuthorised: false, keep: '', providerReference } as const;
    case 'paid':
      return { kind: 'paid', money, payerAccount: '', providerReference } as const;
    case 'refused':
      return { kind: 'refused', refusal: 'declined', canRetry: true, detail: 'declined', providerReference } as const;
  }
}

/** The response never reports a returned refund: only a notification does. */
export function refundAnswerOf({ state }: ProviderRefund): RefundAnswer {
  if (state === 'pending') return { kind: state };
  return state === 'refused' ? { kind: state, reason: 'refused' } : { kind: 'refunded' };
}
