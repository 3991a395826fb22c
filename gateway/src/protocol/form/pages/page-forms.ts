/** The forms of the pages and their inputs. Every form posts to its own page, with the payer's action in `act`. */
import type { Catalogue } from '../languages/catalogue.ts';
import { catalogueOf } from '../languages/languages.ts';
import { type Attributes, attributes, type Html, type HtmlContent, html } from './html.ts';
import { icon } from './marks.ts';
import type { PageContext } from './page-context.ts';
import type { AskedDetails, CardField, DetailField, FieldError, FieldErrors, PayerAct } from './page-view.ts';

/** The id of the form in which the payer types. */
export const TYPED = 'typed';

export type FormField = CardField | DetailField;

/** `autocomplete` follows the HTML standard. Keyboards and limits fit each field. */
const INPUTS: Readonly<Record<FormField, Attributes>> = {
  card_number: { inputmode: 'numeric', autocomplete: 'cc-number', maxlength: 23 },
  card_expiry: { inputmode: 'numeric', autocomplete: 'cc-exp', maxlength: 7 },
  card_cvv: { inputmode: 'numeric', autocomplete: 'cc-csc', maxlength: 4 },
  card_holder: { autocomplete: 'cc-name', maxlength: 60, autocapitalize: 'characters' },
  first_name: { autocomplete: 'given-name', maxlength: 30 },
  last_name: { autocomplete: 'family-name', maxlength: 60 },
  email: { type: 'email', autocomplete: 'email', maxlength: 254 },
  phone: { type: 'tel', autocomplete: 'tel', maxlength: 24 },
  address: { autocomplete: 'address-line1', maxlength: 255 },
  city: { autocomplete: 'address-level2', maxlength: 100 },
  post_code: { autocomplete: 'postal-code', maxlength: 20 },
  region: { autocomplete: 'address-level1', maxlength: 100 },
  cpf: { inputmode: 'numeric', autocomplete: 'off', maxlength: 14 },
};

export function postForm(act: PayerAct, content: HtmlContent, context: PageContext, more: Attributes = {}): Html {
  return html`<form ${attributes({ method: 'post', action: context.pageUrl, 'data-once': true, ...more })}>
${hidden('act', act)}${hidden('csrf', context.csrfToken)}${hidden('version', context.version)}${hidden('lang', context.language)}${hidden('browser_time_zone', '')}
${content}</form>`;
}

export function hidden(name: string, value: string): Html {
  return html`<input ${attributes({ type: 'hidden', name, value })}>`;
}

export function primaryButton(text: string, more: Attributes = {}): Html {
  return html`<button ${attributes({ class: 'button button--primary', type: 'submit', ...more })}>${text}</button>`;
}

export function secondaryButton(text: string, more: Attributes = {}): Html {
  return html`<button ${attributes({ class: 'button button--secondary', type: 'submit', ...more })}>${text}</button>`;
}

/** Returns a button that leads to a different payment type, if one is possible. */
export function anotherWay(hasOtherTypes: boolean, context: PageContext): Html | null {
  const { anotherWay: text } = catalogueOf(context.language).payment;
  return hasOtherTypes ? postForm('another_way', secondaryButton(text), context) : null;
}

interface ShownField {
  readonly name: FormField;
  readonly value: string;
  readonly error: FieldError | undefined;
  /** Shown next to the input, within its border. */
  readonly badge?: Html;
  readonly class?: string;
}

export function field({ name, value, error, badge, class: more }: ShownField, context: PageContext): Html {
  const texts = catalogueOf(context.language);
  const { label, hint } = texts.fields[name];
  const described = [hint === '' ? '' : `${name}-hint`, `${name}-error`].filter((id) => id).join(' ');
  const input = attributes({
    id: name,
    name,
    type: 'text',
    value: value === '' ? null : value,
    required: true,
    spellcheck: 'false',
    'aria-describedby': described,
    'aria-invalid': error ? 'true' : null,
    'data-required': texts.fields[name].required,
    'data-invalid': texts.fields[name].invalid,
    'data-not-accepted': name === 'card_number' ? texts.errors.not_accepted : null,
    'data-expired': name === 'card_expiry' ? texts.errors.expired : null,
    ...INPUTS[name],
  });
  return html`<div ${attributes({ class: more ? `field ${more}` : 'field' })}><label ${attributes({ for: name })}>${label}</label>
<div class="control"><input ${input}>${badge ?? null}</div>
<div class="under"><p ${attributes({ class: 'error', id: `${name}-error`, hidden: !error })}>${icon('warning')}<span>${error ? errorText(name, error, texts) : ''}</span></p>
${hint === '' ? null : html`<p ${attributes({ class: 'hint', id: `${name}-hint` })}>${hint}</p>`}</div></div>`;
}

function errorText(name: FormField, error: FieldError, texts: Catalogue): string {
  return error === 'required' || error === 'invalid' ? texts.fields[name][error] : texts.errors[error];
}

/** Narrow fields share a line if the screen is wide enough. */
const NARROW: ReadonlySet<FormField> = new Set(['first_name', 'last_name', 'city', 'post_code']);

export function detailFields({ fields, values, errors }: AskedDetails, context: PageContext): Html {
  const shown = fields.map((name) =>
    field(
      { name, value: values[name] ?? '', error: errors[name], ...(NARROW.has(name) ? { class: 'field--half' } : {}) },
      context,
    ),
  );
  return html`<div class="fields">${shown}</div>`;
}

/** Lists every wrong field at the top, with a link to it. Returns null without errors. */
export function errorSummary(errors: FieldErrors<FormField>, context: PageContext): Html | null {
  const wrong = Object.entries(errors) as [FormField, FieldError][];
  if (wrong.length === 0) return null;
  const texts = catalogueOf(context.language);
  const links = wrong.map(
    ([name, error]) => html`<li><a ${attributes({ href: `#${name}` })}>${errorText(name, error, texts)}</a></li>`,
  );
  return html`<div class="notice notice--error" role="alert" tabindex="-1" data-focus>${icon('warning')}
<div><p class="notice-title">${texts.errors.summary(wrong.length)}</p><ul>${links}</ul></div></div>`;
}
