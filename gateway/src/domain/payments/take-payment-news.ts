/**
 * What a provider tells by itself of a payer's payment. A word that proves nothing makes us ask; one that came before what
 * it follows from is put off, so that the provider tells it again. Told twice, late or out of order, it is taken once.
 */
import { invariant } from '../../foundation/invariant.ts';
import { type AskParts, askOne } from './ask-payments.ts';
import { settle } from './pay.ts';
import type { PaymentNews, PaymentRail } from './payment-rail.ts';
import type { DueAttempt } from './payment-store.ts';

export interface TakePaymentNewsParts extends AskParts {
  readonly rails: readonly PaymentRail[];
}

export type TakenPaymentNews =
  | { readonly kind: 'recorded' | 'known' }
  | { readonly kind: 'unknown_reference' }
  | { readonly kind: 'unconfirmed'; readonly reason: string };

/** Resolves when it is durably recorded, or when it is clear that it can't be now. */
export type TakePaymentNews = (rail: string, news: PaymentNews) => Promise<TakenPaymentNews>;

export function createTakePaymentNews(parts: TakePaymentNewsParts): TakePaymentNews {
  return async (name, news) => {
    const rail = parts.rails.find((each) => each.name === name);
    invariant(rail, 'news of a payment from a rail that takes none');
    const key = await parts.store.findByReference(name, news.reference);
    const due = key && (await parts.store.findDue(key));
    if (!due || !(await isAbout(parts, rail, due, news))) return { kind: 'unknown_reference' };
    switch (news.kind) {
      case 'ask':
        return ask(parts, rail, due);
      case 'paid':
      case 'refused':
      case 'pending': {
        const outcome = await settle(parts, rail, due.attempt, news);
        return { kind: outcome.kind === 'settled' ? 'recorded' : 'known' };
      }
      default:
        return takeLater(parts, rail, due, news);
    }
  };
}

/** Where the provider signs for all of its merchants alike, the payment has to be the one that it named to us. */
async function isAbout(
  parts: TakePaymentNewsParts,
  rail: PaymentRail,
  due: DueAttempt,
  news: PaymentNews,
): Promise<boolean> {
  if (!rail.newsNeedProviderReference || news.kind === 'ask') return true;
  const { attempt } = due.attempt.providerReference === '' ? await askOne(parts, rail, due) : due;
  return attempt.providerReference === news.providerReference;
}

async function ask(parts: TakePaymentNewsParts, rail: PaymentRail, due: DueAttempt): Promise<TakenPaymentNews> {
  const { attempt, isAnswered } = await askOne(parts, rail, due);
  if (!isAnswered) return { kind: 'unconfirmed', reason: 'the provider did not say' };
  return { kind: attempt.state === due.attempt.state ? 'known' : 'recorded' };
}

type PaymentLater = Extract<PaymentNews, { readonly key: string }>;

async function takeLater(
  parts: TakePaymentNewsParts,
  rail: PaymentRail,
  due: DueAttempt,
  news: PaymentLater,
): Promise<TakenPaymentNews> {
  let outcome = await parts.recordLater(due.attempt, news, rail.name);
  if (outcome === 'not_paid') {
    await askOne(parts, rail, due);
    outcome = await parts.recordLater(due.attempt, news, rail.name);
  }
  if (outcome === 'not_paid') return { kind: 'unconfirmed', reason: 'nobody has said yet that it was paid' };
  if (outcome === 'not_ours') return { kind: 'unknown_reference' };
  return { kind: outcome === 'known' ? 'known' : 'recorded' };
}
