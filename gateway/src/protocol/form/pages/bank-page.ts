/** The bank picker: a search that works as a plain GET form, and one button per bank, by country. */
import { catalogueOf, countryText } from '../languages/languages.ts';
import { attributes, type Html, html } from './html.ts';
import { icon } from './marks.ts';
import type { PageContext } from './page-context.ts';
import { anotherWay, hidden, postForm, TYPED } from './page-forms.ts';
import type { PageContent } from './page-shell.ts';
import type { BankGroup, ShownBank, ViewOf } from './page-view.ts';

export function bankPage(view: ViewOf<'bank'>, context: PageContext): PageContent {
  const texts = catalogueOf(context.language).bank;
  return {
    title: texts.title,
    typedForm: TYPED,
    scripts: ['banks'],
    body: html`<h1>${texts.title}</h1>${searchForm(view, context)}
${view.groups.length === 0 ? noBank(view, context) : postForm('choose_bank', bankList(view.groups, context), context)}
${view.moreBanks > 0 ? html`<p class="hint">${texts.more(view.moreBanks)}</p>` : null}
${anotherWay(view.hasOtherTypes, context)}`,
  };
}

/**
 * The script searches within the page if the page holds every bank. A GET form replaces the query of its action, so
 * the form repeats the query of the page's address as hidden fields.
 */
function searchForm({ groups, moreBanks, search }: ViewOf<'bank'>, context: PageContext): Html {
  const shown = groups.reduce((sum, { banks }) => sum + banks.length, 0);
  const { language, pageUrl } = context;
  const texts = catalogueOf(language).bank;
  const form = attributes({
    id: TYPED,
    class: 'search',
    role: 'search',
    method: 'get',
    action: pageUrl,
    'data-bank-search': moreBanks === 0 && search === '',
  });
  const input = attributes({
    id: 'bank_search',
    name: 'bank_search',
    type: 'search',
    value: search,
    maxlength: 60,
    autocomplete: 'off',
    spellcheck: 'false',
    enterkeyhint: 'search',
  });
  const asked = [...new URL(pageUrl, 'http://localhost').searchParams].filter(([name]) => name !== 'lang');
  return html`<form ${form}>${asked.map(([name, value]) => hidden(name, value))}${hidden('lang', language)}<div class="field"><label for="bank_search">${texts.search}</label>
<div class="search-line"><div class="control"><input ${input}></div>
<button class="button button--secondary" type="submit">${icon('search')}<span class="visually-hidden">${texts.find}</span></button></div></div>
<p ${attributes({ class: 'hint', role: 'status', 'data-bank-count': JSON.stringify(texts.count.forms), 'data-none': texts.none('#') })}>${texts.count(shown + moreBanks)}</p></form>`;
}

/** A list by country. The script turns it into a listbox, and the search into its combobox. */
function bankList(groups: readonly BankGroup[], { language }: PageContext): Html {
  return html`<div data-banks>${groups.map(({ country, banks }) => {
    const id = `country-${country.toLowerCase()}`;
    return html`<div class="bank-group"><h2 ${attributes({ id, class: 'bank-country' })}>${countryText(country, language)}</h2>
<ul ${attributes({ class: 'choices choices--compact', 'aria-labelledby': id })}>${banks.map(bankChoice)}</ul></div>`;
  })}</div>`;
}

function bankChoice({ bankId, name, bic }: ShownBank): Html {
  const button = attributes({ class: 'choice', type: 'submit', name: 'bank_id', value: bankId });
  return html`<li><button ${button}>${bankMark(name)}<span class="choice-text"><span class="choice-name">${name}</span>${bic === '' ? null : html` <span class="choice-hint">${bic}</span>`}</span></button></li>`;
}

/** Free drawings of the banks' own marks do not exist, so a tile has the initials. The text of the button stays the name. */
function bankMark(name: string): Html {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  const initials = words.slice(0, 2).map((word) => [...word][0]?.toUpperCase());
  const colour = [...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % MARK_COLOURS;
  const shown = { class: `bank-mark bank-mark--${colour}`, 'data-initials': initials.join(''), 'aria-hidden': 'true' };
  return html`<span ${attributes(shown)}></span>`;
}

/** The number of colours in the style sheet. */
const MARK_COLOURS = 6;

function noBank({ search }: ViewOf<'bank'>, { language, pageUrl }: PageContext): Html {
  const texts = catalogueOf(language).bank;
  return html`<p class="lead">${texts.none(search)}</p>
<p><a ${attributes({ class: 'button button--secondary', href: pageUrl })}>${texts.all}</a></p>`;
}
