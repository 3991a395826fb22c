/** Groups the digits of a card number while the payer types, and shows its brand. */

import { fillBrowserFields } from './browser-fields.js';
import { DIGITS, FOURS, grouped, networkOf } from './card-number.js';
import { find } from './page-elements.js';

/** Writes `text` into the input and keeps the caret behind the same digit. */
function rewrite(input, text) {
  if (input.value === text) return;
  const isAtEnd = input.selectionEnd === input.value.length;
  const before = input.value.slice(0, input.selectionEnd ?? 0).replace(DIGITS, '').length;
  input.value = text;
  if (isAtEnd || document.activeElement !== input) return;
  let caret = 0;
  for (let seen = 0; seen < before && caret < text.length; caret++) if (/\d/.test(text[caret])) seen++;
  input.setSelectionRange(caret, caret);
}

export function enhanceCard(form) {
  const { card_number: number, card_expiry: expiry, card_cvv: cvv } = form.elements;
  number.addEventListener('input', () => {
    const digits = number.value.replace(DIGITS, '').slice(0, 19);
    const found = networkOf(digits);
    rewrite(number, grouped(digits, found?.groups ?? FOURS));
    showBrand(form, number, digits.length > 1 ? found : undefined);
  });
  expiry.addEventListener('input', (event) => {
    const isErasing = event.inputType?.startsWith('delete');
    const typed = expiry.value.replace(/^([2-9])(?!\d)/, '0$1').replace(DIGITS, '');
    // An autofilled year may have four digits.
    const digits = typed.length === 6 ? typed.slice(0, 2) + typed.slice(4) : typed.slice(0, 4);
    if (digits.length > 2 || (digits.length === 2 && !isErasing))
      rewrite(expiry, `${digits.slice(0, 2)}/${digits.slice(2)}`);
  });
  cvv.addEventListener('input', () => rewrite(cvv, cvv.value.replace(DIGITS, '').slice(0, 4)));
  fillBrowserFields(form.elements);
  withholdSecrets(form);
}

/** A change of the language needs no card. The page after it asks for the card again. */
function withholdSecrets(form) {
  let isSwitch = false;
  form.addEventListener('submit', ({ submitter }) => {
    isSwitch = submitter?.formNoValidate === true;
  });
  form.addEventListener('formdata', ({ formData }) => {
    if (!isSwitch) return;
    const names = ['card_number', 'card_expiry', 'card_cvv'];
    formData.set('had_secrets', names.some((name) => formData.get(name) !== '') ? 'yes' : '');
    for (const name of names) formData.set(name, '');
  });
}

function showBrand(form, number, found) {
  const shown = find('[data-brand-found]', form);
  if (shown.textContent !== (found?.name ?? '')) shown.textContent = found?.name ?? '';
  number.toggleAttribute('data-brand', found !== undefined);
  for (const mark of form.querySelectorAll('.brand'))
    mark.toggleAttribute('data-found', mark.dataset.brand === found?.brand);
}
