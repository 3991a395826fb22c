/** Searches the banks in the page itself. */

import { find, language } from './page-elements.js';

/** Without case and without accents, as people type. */
const plain = (text) => text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase();

export function searchBanks(form) {
  const banks = [...document.querySelectorAll('[data-banks] > li')].map((item) => ({
    item,
    text: plain(item.textContent),
  }));
  const count = find('[data-bank-count]', form);
  const texts = JSON.parse(count.dataset.bankCount);
  const rules = new Intl.PluralRules(language);
  const show = () => {
    const words = plain(form.elements.bank_search.value).split(/\s+/);
    for (const { item, text } of banks) item.hidden = !words.every((word) => text.includes(word));
    const shown = banks.filter(({ item }) => !item.hidden).length;
    count.textContent = (texts[rules.select(shown)] ?? texts.other).replace('#', shown);
  };
  form.addEventListener('input', show);
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    show();
  });
}
