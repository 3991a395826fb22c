/** The card payments of the demo merchant's customers, a chargeback and a refund. */
import { formatAmount } from '../../../gateway/src/foundation/money.ts';
import type { Sender } from '../payout-examples.ts';
import { PROVIDERS } from '../providers/providers.ts';
import type { ShopSender } from '../shop/form-link.ts';
import type { Scene } from './history-gateway.ts';
import { amountLike } from './orders.ts';
import { payOnForm } from './pay-on-form.ts';

export interface CardTrade {
  charge(): Promise<void>;
  /** The payer's bank reverses the first card payment. */
  chargeBack(): Promise<void>;
  /** The demo merchant refunds half of a later card payment. */
  refundOne(): Promise<void>;
}

const CARDS = PROVIDERS.find(({ chargeback }) => chargeback !== undefined);
const JSON_BODY = { 'content-type': 'application/json' };

export function createCardTrade(scene: Scene, demo: Sender & ShopSender, nextOrder: () => string): CardTrade {
  const { random, request, cards, gateway } = scene;
  const { core, operations } = gateway;
  const { merchantId } = demo;
  /** The orders, the oldest first. */
  const orders: string[] = [];
  const charge = (): Promise<void> => {
    const offer = CARDS?.offer;
    if (!offer) throw new Error('the history: the shop offers no cards');
    const order = nextOrder();
    orders.push(order);
    return payOnForm(request, demo, { ...offer, amount: amountLike(offer.amount, random) }, order);
  };
  return {
    charge,
    async chargeBack() {
      const [first] = cards.paid;
      const notice = first && CARDS?.chargeback?.(core.config.rails, first);
      if (!notice) throw new Error('the history: no card was charged');
      const body = JSON.stringify(notice.body);
      const { status } = await request(notice.path, { method: 'POST', headers: JSON_BODY, body });
      if (status !== 200) throw new Error(`the history: the chargeback was not accepted: ${status}`);
    },
    async refundOne() {
      while (cards.paid.length < 2) await charge();
      for (const order of orders.slice(1)) {
        const deposit = (await operations.deposits.find(merchantId, order))?.deposit;
        if (deposit?.state !== 'success') continue;
        const { transactionId, money } = deposit;
        const amount = formatAmount({ ...money, minor: money.minor / 2n });
        const reason = 'one of two items was out of stock (demo)';
        const ordered = await operations.deposits.refund({ merchantId, transactionId, amount, reason });
        if (!ordered.ok) throw new Error(`the history: ${JSON.stringify(ordered.error)}`);
        return;
      }
      throw new Error('the history: no card payment can be refunded');
    },
  };
}
