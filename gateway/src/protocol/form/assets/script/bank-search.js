/**
 * Searches the banks within the page, as a combobox by the ARIA pattern: the search names the active bank, the arrow keys
 * move it, and Enter chooses it. The list stays open.
 */

import { each, find, language } from './page-elements.js';

/** `foldName` and its tables come from the server (page-assets.ts). */
const fold = (text) => foldName(text, LETTERS, SPELLINGS);

function searchBanks(form) {
  const list = find('[data-banks]');
  const input = form.elements.bank_search;
  const count = find('[data-bank-count]', form);
  if (!list) return;
  const options = asListbox(list, input);
  const texts = JSON.parse(count.dataset.bankCount);
  const rules = new Intl.PluralRules(language);
  const show = () => {
    const words = fold(input.value).split(/\s+/);
    for (const { item, text } of options) item.hidden = !words.every((word) => text.includes(word));
    for (const group of list.children) group.hidden = !find('li:not([hidden])', group);
    const shown = options.filter(({ item }) => !item.hidden).length;
    const text = texts[rules.select(shown)] ?? texts.other;
    count.textContent =
      shown > 0 ? text.replace('#', shown) : count.dataset.none.replace('#', () => input.value.trim());
    activate(input, options, undefined);
  };
  form.addEventListener('input', show);
  input.addEventListener('keydown', (event) => moveActive(event, input, options, show));
  form.addEventListener('submit', (event) => {
    if (event.submitter?.name === 'switch_to') return;
    event.preventDefault();
    show();
  });
}

function asListbox(list, input) {
  list.id = 'banks';
  list.tabIndex = -1;
  list.setAttribute('role', 'listbox');
  list.setAttribute('aria-label', document.title);
  const given = { role: 'combobox', 'aria-expanded': 'true', 'aria-controls': 'banks', 'aria-autocomplete': 'list' };
  for (const [name, value] of Object.entries(given)) input.setAttribute(name, value);
  for (const group of list.children) {
    group.setAttribute('role', 'none');
    find('h2', group).setAttribute('role', 'presentation');
    find('ul', group).setAttribute('role', 'group');
  }
  return [...list.querySelectorAll('li')].map((item, index) => {
    const option = find('button', item);
    item.setAttribute('role', 'none');
    option.setAttribute('role', 'option');
    option.setAttribute('aria-selected', 'false');
    option.id = `bank-${index}`;
    option.tabIndex = -1;
    return { item, option, text: fold(item.textContent) };
  });
}

function moveActive(event, input, options, show) {
  const shown = options.filter(({ item }) => !item.hidden);
  const at = shown.findIndex(({ option }) => option.id === input.getAttribute('aria-activedescendant'));
  const moves = { ArrowDown: at + 1, ArrowUp: at < 0 ? shown.length - 1 : at - 1 };
  if (event.key in moves) activate(input, options, shown[moves[event.key] % shown.length] ?? shown.at(-1));
  else if (event.key === 'Enter' && at >= 0) shown[at].option.click();
  else if (event.key === 'Escape' && input.value !== '') {
    input.value = '';
    show();
  } else return;
  event.preventDefault();
}

function activate(input, options, active) {
  for (const { option } of options) option.setAttribute('aria-selected', String(option === active?.option));
  if (active === undefined) return input.removeAttribute('aria-activedescendant');
  input.setAttribute('aria-activedescendant', active.option.id);
  active.option.scrollIntoView({ block: 'nearest' });
}

each('[data-bank-search]', searchBanks);
