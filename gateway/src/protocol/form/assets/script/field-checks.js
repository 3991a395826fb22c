/** Shows errors next to the fields before the form is sent. The server checks everything again. */

import { enhanceCard } from './card-form.js';
import { DIGITS, isPast, isWholeNumber, networkOf, readExpiry } from './card-number.js';
import { each, find } from './page-elements.js';

const CHECKS = {
  card_number: (text) => isWholeNumber(text),
  card_expiry: (text) => readExpiry(text) !== undefined,
  card_cvv: (text, fields) =>
    text.length === (networkOf(fields.card_number.value.replace(DIGITS, ''))?.cvv ?? text.length) && text.length > 2,
  email: (text) => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text),
  phone: (text) => /^\+?[\d\s().-]{7,}$/.test(text),
  cpf: (text) => text.replace(DIGITS, '').length === 11,
};

/** The page shows a mark for each brand that the merchant takes. The server decides about the other networks. */
function isOtherBrand(input) {
  const found = networkOf(input.value.replace(DIGITS, ''));
  return found?.brand && !input.form.querySelector(`.brand[data-brand="${found.brand}"]`);
}

/** Returns the error text, or '' for a valid field. */
function problemOf(input) {
  const text = input.value.trim();
  if (text === '') return input.dataset.required;
  if (input.name === 'card_number' && isOtherBrand(input)) return input.dataset.notAccepted;
  if (CHECKS[input.name]?.(text, input.form.elements) === false) return input.dataset.invalid;
  return input.name === 'card_expiry' && isPast(readExpiry(text), new Date()) ? input.dataset.expired : '';
}

function showProblem(input, problem) {
  const place = document.getElementById(`${input.id}-error`);
  find('span', place).textContent = problem;
  place.hidden = problem === '';
  if (problem === '') input.removeAttribute('aria-invalid');
  else input.setAttribute('aria-invalid', 'true');
}

let isPressed = false;
for (const type of ['pointerdown', 'pointerup', 'pointercancel']) {
  window.addEventListener(type, () => {
    isPressed = type === 'pointerdown';
  });
}

/** An error that appears moves the content below it. Wait while the payer is pressing, so that no button moves away. */
function whenReleased(act) {
  if (isPressed) setTimeout(() => whenReleased(act), 50);
  else act();
}

function checkFields(form) {
  const inputs = [...form.querySelectorAll('input[required]')];
  form.noValidate = true;
  for (const input of inputs) {
    input.addEventListener('change', () =>
      whenReleased(() => input.value.trim() !== '' && showProblem(input, problemOf(input))),
    );
    // Show no new error while the payer corrects a field, but remove an old one immediately.
    input.addEventListener('input', () => problemOf(input) === '' && showProblem(input, ''));
  }
  form.addEventListener('submit', (event) => {
    if (event.submitter?.formNoValidate) return;
    for (const input of inputs) showProblem(input, problemOf(input));
    const wrong = inputs.find((input) => problemOf(input) !== '');
    if (!wrong) return;
    event.preventDefault();
    wrong.focus();
  });
}

each('[data-card]', enhanceCard);
each('[data-checked]', checkFields);
