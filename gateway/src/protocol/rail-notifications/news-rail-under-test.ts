/** A rail for tests, whose notification is a list of news as JSON. */
import type { PayoutNews, RailNotifications } from '../../domain/notifications/rail-notification.ts';
import type { Currency } from '../../foundation/currency.ts';
import { fail, ok } from '../../foundation/result.ts';

/**
 * A rail that parses the body as news and trusts requests with the header `x-believe: yes`. `x-asked` is its bank's response
 * to a query.
 */
export const newsRail: RailNotifications = {
  name: 'a_rail',
  malformedStatus: 400,
  read({ body, headers }) {
    if (headers['x-believe'] !== 'yes') return fail({ kind: 'unauthentic' });
    if (body.length === 0) return fail({ kind: 'malformed', reason: 'empty' });
    const items = JSON.parse(body.toString()) as NewsItems;
    const news = items.map(({ kind, reference, minor = 1_000, currency = 'EUR' }) => {
      const money = minor === null ? null : { currency, minor: BigInt(minor) };
      const asked = headers['x-asked'];
      const ask = asked && { ask: async () => ({ kind: asked, reason: 'it has none' }) };
      return { kind, reference, money, reason: 'notified', blockedReason: 'bank_declined', ...ask } as PayoutNews;
    });
    return ok({ news, acknowledgement: { status: 200, contentType: 'text/plain', body: 'OK' } });
  },
};

/** `minor` defaults to 1,000. Null means that the bank does not state an amount. */
export type NewsItems = readonly {
  kind: PayoutNews['kind'];
  reference: string;
  minor?: number | null;
  currency?: Currency;
}[];
