/** Puts the simulated banks in the places of the real connections. All other properties of a rail stay as in production. */
import type { Confirmation } from '../src/domain/deposits/confirm-transfer.ts';
import type { RailNotifications, TransferNews } from '../src/domain/rails/rail-notification.ts';
import { CURRENCIES, type Currency } from '../src/foundation/currency.ts';
import { fail, ok } from '../src/foundation/result.ts';
import type { Rails } from '../src/rails/registry.ts';
import type { BankNews, PayoutBank } from './actors/payout-bank.ts';
import type { SpeiBank, TransferNotice } from './actors/spei-bank.ts';
import type { Life } from './life.ts';

export interface Banks {
  payoutBank(name: string): PayoutBank;
  readonly spei: SpeiBank;
}

export function portsOver(rails: Rails, life: Life, { payoutBank, spei }: Banks): Rails {
  const payoutRails = rails.payoutRails.map((rail) =>
    rail.name === 'sandbox' ? rail : payoutBank(rail.name).railOf(rail, life),
  );
  return {
    ...rails,
    payoutRails,
    payoutListers: rails.payoutListers.map((lister) => payoutBank(lister.rail).listerOf(lister, life)),
    floatReaders: [],
    transferListers: rails.transferListers.map((lister) => spei.listerOf(lister, life)),
    preparations: [],
    notifications: rails.notifications.map(({ name }) => notificationsOf(name, (key) => spei.confirm(key, life))),
  };
}

const ACKNOWLEDGED = { status: 200, contentType: 'text/plain', body: 'ok' };

/** The notice proves nothing by itself, so the gateway must ask. */
function transferNews(
  { transferKey, payTo, minor, bookedAt }: TransferNotice,
  confirm: (transferKey: string) => Promise<Confirmation>,
): TransferNews {
  const originator = { name: 'Ana', account: '0123', institution: '40012', concept: 'x', trackingKey: 'x' };
  const money = { currency: 'MXN', minor: BigInt(minor) } as const;
  const transfer = { rail: 'stp', transferKey, payTo, money, originator, bookedAt };
  return { kind: 'received', transfer, ask: () => confirm(transferKey) };
}

function notificationsOf(name: string, confirm: (transferKey: string) => Promise<Confirmation>): RailNotifications {
  return {
    name,
    malformedStatus: 400,
    read({ body }) {
      const said = JSON.parse(body.toString()) as BankNews | TransferNotice;
      if ('transferKey' in said) return ok({ news: [transferNews(said, confirm)], acknowledgement: ACKNOWLEDGED });
      const news = said;
      if (!CURRENCIES.includes(news.currency as Currency)) return fail({ kind: 'malformed', reason: 'currency' });
      const money = { currency: news.currency as Currency, minor: BigInt(news.minor) };
      const of = { reference: news.reference, money };
      const acknowledgement = ACKNOWLEDGED;
      if (news.kind === 'declined')
        return ok({
          news: [{ ...of, kind: news.kind, blockedReason: 'bank_declined', reason: 'declined' }],
          acknowledgement,
        });
      if (news.kind === 'reversed')
        return ok({ news: [{ ...of, kind: news.kind, reason: 'reversed' }], acknowledgement });
      return ok({ news: [{ ...of, kind: news.kind }], acknowledgement });
    },
  };
}
