/**
 * The payer's choices before payment, as the query of the page's URL. The choices are not personal and not stored. Each tab
 * has its own, and the back button works. A hand-written query leads only to a different page of the same payment.
 */
import { FORM_PAYMENT_TYPES, type FormPaymentType } from '../../../domain/methods/payment-type.ts';
import type { Language } from '../../../domain/payments/form-session.ts';
import { isCardNumberAsId } from '../../../domain/vault/card-number.ts';
import { isId } from '../../../foundation/identifiers.ts';
import { readLanguage } from '../languages/languages.ts';

export interface PageChoice {
  /** `choose` means that the payer wants a payment type other than the default. */
  readonly type?: FormPaymentType | 'choose';
  readonly bankId?: string;
  /** The ended attempt that the payer has seen and wants to follow with a new attempt. */
  readonly after?: number;
  /** The payer cancelled before a deposit existed, or must confirm that they want to. */
  readonly isCancelled?: boolean;
  /** Set only if it differs from the merchant's language. */
  readonly language?: Language;
  /** The search string in the bank list. It applies to one page only, and no form carries it on. */
  readonly search?: string;
}

const LONGEST_SEARCH = 60;

const NAMES = { type: 'type', bankId: 'bank', after: 'after', isCancelled: 'cancelled', language: 'lang' } as const;

/** Ignores invalid values, and a bank that is a card number, because the page's address shows it again. */
export function readChoice(query: URLSearchParams): PageChoice {
  const text = (name: string) => query.get(name) ?? '';
  const type = [...FORM_PAYMENT_TYPES, 'choose' as const].find((each) => each === text(NAMES.type));
  const after = /^[1-9]\d?$/.test(text(NAMES.after)) ? Number(text(NAMES.after)) : undefined;
  // The language buttons of the bank search are in its form, which is a GET form.
  const language = readLanguage(text('switch_to')) ?? readLanguage(text(NAMES.language));
  const search = [...text('bank_search').trim()].slice(0, LONGEST_SEARCH).join('');
  return {
    ...(type === undefined ? {} : { type }),
    ...(isId(text(NAMES.bankId)) && !isCardNumberAsId(text(NAMES.bankId)) ? { bankId: text(NAMES.bankId) } : {}),
    ...(after === undefined ? {} : { after }),
    ...(text(NAMES.isCancelled) === '' ? {} : { isCancelled: true }),
    ...(language === undefined ? {} : { language }),
    ...(search === '' ? {} : { search }),
  };
}

/** Starts with `?`. Empty without any choice. */
export function choiceQuery({ search: _, ...choice }: PageChoice): string {
  const query = new URLSearchParams();
  for (const [name, parameter] of Object.entries(NAMES)) {
    const value = choice[name as keyof typeof NAMES];
    if (value !== undefined) query.set(parameter, value === true ? '1' : String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}
