/** Searches the banks within the page. */

import { find, language } from './page-elements.js';

/** Ignores case and accents, because people search without them. */
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
