/** A shop as its payers see it. It records each payer who returns from the form, with the query of their address. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MerchantProfile } from '../../src/domain/merchants/merchant.ts';

export interface ShopVisit {
  readonly place: 'shop' | 'paid' | 'failed';
  readonly query: Readonly<Record<string, string>>;
}

export interface Shop {
  readonly origin: string;
  /** A merchant's pages in this shop. Each of their addresses has `own` in its query. */
  profile(merchantId: string): Pick<MerchantProfile, 'siteUrl' | 'successUrl' | 'failUrl'>;
  visits(merchantId: string): readonly ShopVisit[];
  close(): Promise<void>;
}

export async function openShop(): Promise<Shop> {
  const visits = new Map<string, ShopVisit[]>();
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? '/', 'http://localhost');
    const [, merchantId = '', place = ''] = url.pathname.split('/');
    if (place === 'shop' || place === 'paid' || place === 'failed') {
      const visit = { place, query: Object.fromEntries(url.searchParams) } as const;
      visits.set(merchantId, [...(visits.get(merchantId) ?? []), visit]);
    }
    response.setHeader('content-type', 'text/html; charset=utf-8');
    response.end(`<!doctype html><html lang="en"><title>Shop</title><h1>The shop: ${place}</h1>`);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    origin,
    profile: (merchantId) => ({
      siteUrl: `${origin}/${merchantId}/shop`,
      successUrl: `${origin}/${merchantId}/paid?own=1`,
      failUrl: `${origin}/${merchantId}/failed?own=1`,
    }),
    visits: (merchantId) => visits.get(merchantId) ?? [],
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
