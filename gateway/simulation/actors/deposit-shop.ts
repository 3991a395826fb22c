/** A merchant's shop: it requests an address for each deposit, passes it to a payer and receives the result. */
import { CREATE, depositRequest } from '../../test/support/deposits/host-to-host-wire.ts';
import { signedForm } from '../../test/support/merchants/test-merchant.ts';
import { xSignHeaders } from '../../test/support/payouts/payout-request.ts';
import type { Door } from './door.ts';

interface MerchantDeposit {
  readonly order: string;
  readonly minor: bigint;
  /** Undefined until the first callback. */
  transactionId: number | undefined;
  /** The last state that a callback reported. */
  reportedState: string | undefined;
  /** True after a callback reported success. */
  isPaid: boolean;
}

export interface DepositShop {
  readonly deposits: ReadonlyMap<string, MerchantDeposit>;
  deposit(minor: bigint): void;
  /** Gives a payer the signed form link of a new order. */
  sell(minor: bigint, currency: string, paymentType: string): void;
  /** Returns the number of deposits that received an address. */
  opened(): number;
  receiveCallback(payload: Readonly<Record<string, string>>): void;
}

export interface ShopKeys {
  readonly id: string;
  readonly key: string;
  readonly formKey: string;
}

export interface ShopParts {
  readonly door: Door;
  readonly violated: (what: string) => void;
  /** Gives the address to a payer. */
  readonly payer: (clabe: string, minor: bigint) => void;
  /** Gives the link to a payer. */
  readonly openForm: (link: string) => void;
}

export function createDepositShop(
  { id, key, formKey }: ShopKeys,
  { door, violated, payer, openForm }: ShopParts,
): DepositShop {
  const deposits = new Map<string, MerchantDeposit>();
  let opened = 0;

  function begin(order: string, minor: bigint): MerchantDeposit {
    const deposit: MerchantDeposit = {
      order,
      minor,
      transactionId: undefined,
      reportedState: undefined,
      isPaid: false,
    };
    deposits.set(order, deposit);
    return deposit;
  }

  /** Opens a deposit. If no response arrives, the payer never sees an address. */
  async function open({ order, minor }: MerchantDeposit): Promise<void> {
    const fields = depositRequest({ order, amount: amountOf(minor) });
    const answer = await door.post(CREATE, fields, xSignHeaders(id, key, JSON.stringify(fields)));
    if (answer === 'lost' || answer.status !== 200) return;
    const { clabe } = JSON.parse(answer.body) as Partial<Record<string, string>>;
    if (clabe === undefined) return;
    opened += 1;
    payer(clabe, minor);
  }

  return {
    deposits,
    opened: () => opened,
    deposit(minor) {
      void open(begin(`d${deposits.size}`, minor));
    },
    sell(minor, currency, paymentType) {
      const { order } = begin(`f${deposits.size}`, minor);
      const named = { merchant: id, order, amount: amountOf(minor), currency };
      openForm(signedForm({ ...named, item_name: 'Tea', country: 'CA', payment_type: paymentType }, formKey));
    },
    receiveCallback({ co_order_no: order = '', co_inv_st: state = '', co_inv_id: transactionId }) {
      const deposit = deposits.get(order);
      if (!deposit) return violated(`${id} was called back about deposit ${order}, which it never opened`);
      if (deposit.reportedState !== undefined && deposit.reportedState !== state)
        violated(`deposit ${id}/${order} was ${deposit.reportedState} and is ${state}`);
      deposit.reportedState = state;
      deposit.transactionId = Number(transactionId);
      deposit.isPaid = state === 'success';
    },
  };
}

export function amountOf(minor: bigint): string {
  return `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
}
