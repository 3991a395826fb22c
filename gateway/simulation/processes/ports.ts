/** Replaces the real provider connections by simulated banks. All other properties of a rail are those of production. */
import type { Confirmation } from '../../src/domain/deposits/confirm-transfer.ts';
import type { RailNotifications, TransferNews } from '../../src/domain/notifications/rail-notification.ts';
import type { PaymentNews, PaymentRail } from '../../src/domain/payments/payment-rail.ts';
import type { PayoutRail } from '../../src/domain/payouts/payout-rail.ts';
import { CURRENCIES, type Currency } from '../../src/foundation/currency.ts';
import { fail, ok } from '../../src/foundation/result.ts';
import type { Rails } from '../../src/rails/registry.ts';
import type { PaymentNotice } from '../actors/payment-provider.ts';
import type { BankNews, PayoutBank } from '../actors/payout-bank.ts';
import type { SpeiBank, TransferNotice } from '../actors/spei-bank.ts';
import type { Life } from '../world/life.ts';

export interface Banks {
  payoutBank(name: string): PayoutBank;
  formRail(rail: PaymentRail, life: Life): PaymentRail;
  /**
   * Returns the factor by which the process multiplies each rail's timeout. Processes may differ after a configuration change.
   */
  timeoutFactor(life: Life): number;
  /**
   * If true, each rail also carries the other rails' methods, at a lower priority. If a rail rejects a payout, the gateway
   * then takes the next rail.
   */
  readonly sharesMethods: boolean;
  readonly spei: SpeiBank;
}

export function portsOver(
  rails: Rails,
  life: Life,
  { payoutBank, formRail, timeoutFactor, sharesMethods, spei }: Banks,
): Rails {
  const factor = timeoutFactor(life);
  const paced = <Rail extends { readonly timeoutMs: number }>(rail: Rail): Rail => ({
    ...rail,
    timeoutMs: rail.timeoutMs * factor,
  });
  const banked = rails.payoutRails.filter(({ name }) => name !== 'sandbox');
  const all = new Set(banked.flatMap(({ methods }) => [...methods]));
  const sharing = <Rail extends Pick<PayoutRail, 'methods' | 'fallbackFor'>>(rail: Rail): Rail =>
    sharesMethods && rail.methods.size > 0
      ? {
          ...rail,
          methods: all,
          fallbackFor: new Set([...all].filter((method) => !rail.methods.has(method) || rail.fallbackFor?.has(method))),
        }
      : rail;
  const payoutRails = rails.payoutRails.map((rail) =>
    rail.name === 'sandbox' ? rail : payoutBank(rail.name).railOf(sharing(paced(rail)), life),
  );
  return {
    ...rails,
    payoutRails,
    payoutListers: rails.payoutListers.map((lister) => payoutBank(lister.rail).listerOf(lister, life)),
    refundListers: [],
    paymentRails: rails.paymentRails.map((rail) => formRail(paced(rail), life)),
    floatReaders: [],
    probes: [],
    transferListers: rails.transferListers.map((lister) => spei.listerOf(lister, life)),
    preparations: [],
    notifications: rails.notifications.map(({ name }) => notificationsOf(name, (key) => spei.confirm(key, life))),
  };
}

const ACKNOWLEDGED = { status: 200, contentType: 'text/plain', body: 'ok' };

/** A notice proves nothing by itself, so the gateway must query STP. */
function transferNews(
  { transferKey, payTo, minor, bookedAt }: TransferNotice,
  confirm: (transferKey: string) => Promise<Confirmation>,
): TransferNews {
  const originator = { name: 'Ana', account: '0123', institution: '40012', concept: 'x', trackingKey: 'x' };
  const money = { currency: 'MXN', minor: BigInt(minor) } as const;
  const transfer = { rail: 'stp', transferKey, payTo, money, originator, bookedAt };
  return { kind: 'received', transfer, ask: () => confirm(transferKey) };
}

function paymentNews({ payment, kind, providerReference, key, minor, currency }: PaymentNotice): PaymentNews {
  const money = { currency: currency as Currency, minor: BigInt(minor) };
  const of = { reference: payment, providerReference };
  switch (kind) {
    case 'ask':
      return { reference: payment, kind };
    case 'paid':
      return { ...of, kind, money, payerAccount: '' };
    case 'refused':
      return { ...of, kind, refusal: 'declined', canRetry: true, detail: 'declined' };
    default:
      return { ...of, kind, key, money, detail: 'simulated' };
  }
}

function notificationsOf(name: string, confirm: (transferKey: string) => Promise<Confirmation>): RailNotifications {
  return {
    name,
    malformedStatus: 400,
    read({ body }) {
      const said = JSON.parse(body.toString()) as BankNews | TransferNotice | PaymentNotice;
      if ('payment' in said)
        return ok({ news: [{ kind: 'payment', news: paymentNews(said) }], acknowledgement: ACKNOWLEDGED });
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
