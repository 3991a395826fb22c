/**
 * A shop for Next.js that is paid by SPEI. Put `placeOrder` into `app/orders/route.ts` as POST, `readOrder` into
 * `app/orders/[id]/route.ts` as GET and `receiveCallback` into `app/callback/route.ts` as POST. In your project, import from
 * 'payment-gateway-sdk'.
 */
import { randomUUID } from 'node:crypto';
import { Gateway, InvalidSignature, verifyCallback } from '../typescript/src/payment-gateway.ts';

const PRICES: Readonly<Record<string, string>> = { tea: '120.00', coffee: '180.00' };

export interface Order {
  readonly id: string;
  readonly product: string;
  readonly price: string;
  state: 'open' | 'paid' | 'expired' | 'abandoned' | 'for a person';
  delivered: number;
}

export interface ShopOptions {
  readonly baseUrl: string;
  readonly merchant: string;
  readonly apiKey: string;
}

export function createShop(options: ShopOptions) {
  const gateway = new Gateway(options);
  /** In a real shop this is your database, with one transaction per change of an order. */
  const orders = new Map<string, Order>();

  async function placeOrder(request: Request): Promise<Response> {
    const { product } = (await request.json()) as { product: string };
    const price = Object.hasOwn(PRICES, product) ? PRICES[product] : undefined;
    if (price === undefined) return new Response('no such product', { status: 404 });
    // Store the order before the gateway knows it: a callback may arrive before the response.
    const order: Order = { id: `shop-${randomUUID()}`, product, price, state: 'open', delivered: 0 };
    orders.set(order.id, order);
    try {
      const payer = { user_id: 'customer-1', first_name: 'Anna', last_name: 'Example' };
      const { clabe, beneficiary } = await gateway.createDeposit({ order: order.id, amount: price, ...payer });
      return Response.json({ order: order.id, clabe, beneficiary, amount: price }, { status: 201 });
    } catch {
      // The customer has not seen the CLABE, so the order cannot be paid. The customer orders again, with a new id.
      order.state = 'abandoned';
      return new Response('please try again', { status: 503 });
    }
  }

  async function receiveCallback(request: Request): Promise<Response> {
    const body = await request.text();
    try {
      const callback = verifyCallback({ body, headers: request.headers }, { apiKey: options.apiKey });
      if (callback.kind === 'deposit') settle(orders.get(callback.fields.co_order_no), callback.fields);
    } catch (error) {
      if (error instanceof InvalidSignature) return new Response('invalid signature', { status: 400 });
      throw error;
    }
    // Return OK even for other payments and unknown events, because they would be repeated.
    return new Response('OK');
  }

  function readOrder(id: string): Response {
    const order = orders.get(id);
    return order ? Response.json(order) : new Response('no such order', { status: 404 });
  }

  return { placeOrder, receiveCallback, readOrder };
}

/** A duplicate finds an order that is no longer open. */
function settle(
  order: Order | undefined,
  fields: { readonly co_inv_st: string; readonly co_amount: string; readonly co_cur: string },
): void {
  if (order?.state !== 'open') return;
  if (fields.co_inv_st !== 'success') {
    order.state = 'expired';
  } else if (fields.co_amount !== order.price || fields.co_cur !== 'MXN') {
    order.state = 'for a person';
  } else {
    order.state = 'paid';
    order.delivered += 1;
  }
}
