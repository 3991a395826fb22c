/**
 * What a payer has chosen on the way to paying, as the query of their page's address: nothing of it is personal, nothing
 * of it is kept, and each tab and the back button have their own. Whoever writes one by hand gets a page of the same
 * payment, or the one that there is.
 */
import { FORM_PAYMENT_TYPES, type FormPaymentType } from '../../../domain/methods/payment-type.ts';
import type { Language } from '../../../domain/payments/form-session.ts';
import { isId } from '../../../foundation/identifiers.ts';
import { readLanguage } from '../languages/languages.ts';

export interface PageChoice {
  /** `choose`: another way than the one that there would be. */
  readonly type?: FormPaymentType | 'choose';
  readonly bankId?: string;
  /** The attempt whose end the payer has seen and wants to follow by another. */
  readonly after?: number;
  /** Given up before there was anything to end. */
  readonly isCancelled?: boolean;
  /** Only where it is another one than the merchant asked for. */
  readonly language?: Language;
  /** What is searched for among the banks. Of one page alone: no form carries it on. */
  readonly search?: string;
}

const LONGEST_SEARCH = 60;

const NAMES = { type: 'type', bankId: 'bank', after: 'after', isCancelled: 'cancelled', language: 'lang' } as const;

/** What can't be read is left out. */
export function readChoice(query: URLSearchParams): PageChoice {
  const text = (name: string) => query.get(name) ?? '';
  const type = [...FORM_PAYMENT_TYPES, 'choose' as const].find((each) => each === text(NAMES.type));
  const after = /^[1-9]\d?$/.test(text(NAMES.after)) ? Number(text(NAMES.after)) : undefined;
  const language = readLanguage(text(NAMES.language));
  const search = [...text('bank_search').trim()].slice(0, LONGEST_SEARCH).join('');
  return {
    ...(type === undefined ? {} : { type }),
    ...(isId(text(NAMES.bankId)) ? { bankId: text(NAMES.bankId) } : {}),
    ...(after === undefined ? {} : { after }),
    ...(text(NAMES.isCancelled) === '' ? {} : { isCancelled: true }),
    ...(language === undefined ? {} : { language }),
    ...(search === '' ? {} : { search }),
  };
}

/** With its `?`; empty where nothing is chosen. */
export function choiceQuery({ search: _, ...choice }: PageChoice): string {
  const query = new URLSearchParams();
  for (const [name, parameter] of Object.entries(NAMES)) {
    const value = choice[name as keyof typeof NAMES];
    if (value !== undefined) query.set(parameter, value === true ? '1' : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
