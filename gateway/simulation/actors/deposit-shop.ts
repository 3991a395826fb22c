/** The part of a merchant that opens deposits: it asks for an address, passes it to a payer, and receives the result. */
import { CREATE, depositRequest } from '../../test/support/host-to-host-wire.ts';
import { xSignHeaders } from '../../test/support/payout-request.ts';
import type { Door } from './door.ts';

interface MerchantDeposit {
  readonly order: string;
  readonly minor: bigint;
  /** The state that a callback reported. */
  reportedState: string | undefined;
}

export interface DepositShop {
  readonly deposits: ReadonlyMap<string, MerchantDeposit>;
  deposit(minor: bigint): void;
  /** How many deposits got an address. */
  opened(): number;
  /** A callback arrived. */
  receiveCallback(payload: Readonly<Record<string, string>>): void;
}

export interface ShopParts {
  readonly door: Door;
  readonly violated: (what: string) => void;
  /** Gives the address to a payer. */
  readonly payer: (clabe: string, minor: bigint) => void;
}

export function createDepositShop(id: string, key: string, { door, violated, payer }: ShopParts): DepositShop {
  const deposits = new Map<string, MerchantDeposit>();
  let opened = 0;

  /** The payer of a request without an answer never sees an address. */
  async function open({ order, minor }: MerchantDeposit): Promise<void> {
    const amount = `${minor / 100n}.${String(minor % 100n).padStart(2, '0')}`;
    const fields = depositRequest({ order, amount });
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
      const deposit: MerchantDeposit = { order: `d${deposits.size}`, minor, reportedState: undefined };
      deposits.set(deposit.order, deposit);
      void open(deposit);
    },
    receiveCallback({ co_order_no: order = '', co_inv_st: state = '' }) {
      const deposit = deposits.get(order);
      if (!deposit) return violated(`${id} was called back about deposit ${order}, which it never opened`);
      if (deposit.reportedState !== undefined && deposit.reportedState !== state)
        violated(`deposit ${id}/${order} was ${deposit.reportedState} and is ${state}`);
      deposit.reportedState = state;
    },
  };
}
