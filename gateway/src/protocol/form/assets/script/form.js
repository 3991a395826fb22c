/**
 * What the pages of the form do beyond HTML, each thing on the elements that ask for it by a data attribute. Every page
 * works without it. It stores nothing, reads no cookie, writes no markup, and asks no other site.
 */

import { searchBanks } from './bank-search.js';
import { hearSteps, postStepInFrame, tellPageAround } from './bank-steps.js';
import { enhanceCard } from './card-form.js';
import { countDown } from './countdown.js';
import { checkFields } from './field-checks.js';
import { followStatus } from './live-status.js';
import { body, find, isFramed } from './page-elements.js';

/** Calls `enhance` with every element that matches. */
function each(selector, enhance) {
  for (const element of document.querySelectorAll(selector)) enhance(element);
}

/** After so long without an answer the payer may press again; what was sent twice is the server's to recognise. */
const ANSWER_MS = 30_000;

/** A press counts once, until the answer is there. */
function guardOnce(form) {
  form.addEventListener('submit', (event) => {
    if (event.defaultPrevented) return;
    if (form.dataset.sent) return event.preventDefault();
    form.dataset.sent = 'yes';
    const release = showBusy(event.submitter);
    setTimeout(() => {
      delete form.dataset.sent;
      release();
    }, ANSWER_MS);
  });
}

/** Returns how to undo it. */
function showBusy(button) {
  if (!button) return () => {};
  const text = button.textContent;
  const isPrimary = button.matches('.button--primary');
  button.setAttribute('aria-disabled', 'true');
  if (isPrimary) button.textContent = body.dataset.wait;
  return () => {
    button.removeAttribute('aria-disabled');
    if (isPrimary) button.textContent = text;
  };
}

function enhanceCopy(button) {
  const source = document.getElementById(button.dataset.copy);
  const text = button.textContent;
  button.hidden = false;
  button.addEventListener('click', async () => {
    source.select();
    try {
      await navigator.clipboard.writeText(source.value);
    } catch {
      // Refused in a frame, and unknown to old browsers.
      document.execCommand('copy');
    }
    button.textContent = button.dataset.copied;
    find('[data-copy-status]').textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = text;
    }, 2500);
  });
}

/** Follows the link after `data-go` seconds; the payer may say no where the page lets them. */
function followLink(link) {
  if (isFramed && link.target === '_top') return;
  const going = setTimeout(() => location.assign(link.href), Number(link.dataset.go) * 1000);
  const stay = find('[data-stay]');
  if (!stay) return;
  stay.hidden = false;
  find('button', stay).addEventListener('click', () => {
    clearTimeout(going);
    stay.hidden = true;
    link.focus();
  });
}

// A page out of the browser's memory shows a payment as it was.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

each('[data-card]', enhanceCard);
each('[data-checked]', checkFields);
each('[data-once]', guardOnce);
each('[data-seconds-left]', countDown);
each('[data-copy]', enhanceCopy);
each('[data-bank-search]', searchBanks);
each('[data-go]', followLink);
hearSteps();
each('[data-step-over]', tellPageAround);
each('[data-step-form]', postStepInFrame);
each('[data-with-script]', (element) => {
  element.hidden = !body.dataset.eventsUrl;
});
each('[data-focus]', (element) => element.focus());
followStatus();
