/** A shop as its payers see it. It records each payer who returns from the form, with the query of the URL. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { MerchantProfile } from '../../src/domain/merchants/merchant.ts';

interface ShopVisit {
  readonly place: 'shop' | 'paid' | 'failed';
  readonly query: Readonly<Record<string, string>>;
}

/** Embeds the form of its URL as the docs' snippet does, and records each message. */
const FRAME = `<!doctype html><html lang="en"><title>Shop</title><h1>The shop: frame</h1>
<iframe id="pay" title="Payment" style="width:100%;border:0"></iframe>
<script>window.heard = []; addEventListener('message', ({ origin, data }) => { heard.push({ origin, ...data }); if (data.type === 'payment_form.height') pay.style.height = data.height + 'px' });
pay.src = new URLSearchParams(location.search).get('form')</script>`;

export interface Shop {
  readonly origin: string;
  /** Returns the URLs of a merchant in this shop. Each contains `own` in its query. */
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
    if (place === 'frame') return void response.end(FRAME);
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
