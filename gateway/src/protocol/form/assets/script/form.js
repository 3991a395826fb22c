/**
 * The script of the form's pages. It enhances elements that ask for it by a data attribute, and every page works
 * without it. It must not store data, read cookies, write markup or contact another site.
 */

import { hearSteps, notifyPageAround, postStepInFrame } from './bank-steps.js';
import { isReachable, showOffline } from './connection.js';
import { countDown } from './countdown.js';
import { notifyEmbedder } from './embedding.js';
import { followStatus } from './live-status.js';
import { momentText } from './moment.js';
import { body, each, find, isFramed } from './page-elements.js';

/** Without an answer for this long, the payer may press again. The server recognises duplicates. */
const ANSWER_MS = 30_000;

/**
 * Counts only the first press until the answer arrives. The form is sent only over a connection: without one, the browser
 * would replace the page by its own error.
 */
function guardOnce(form) {
  let isChecked = false;
  form.addEventListener('submit', async (event) => {
    if (event.defaultPrevented || isChecked) return;
    event.preventDefault();
    if (form.dataset.sent) return;
    form.dataset.sent = 'yes';
    const release = showBusy(event.submitter);
    const free = () => {
      delete form.dataset.sent;
      release();
    };
    const isConnected = await isReachable();
    showOffline(!isConnected);
    if (!isConnected) return free();
    setTimeout(free, ANSWER_MS);
    isChecked = true;
    if (event.submitter) event.submitter.click();
    else form.submit();
    isChecked = false;
  });
}

/** Returns a function that undoes the change. */
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
      // Frames may forbid this API, and old browsers lack it.
      document.execCommand('copy');
    }
    button.textContent = button.dataset.copied;
    find('[data-copy-status]').textContent = button.dataset.copied;
    setTimeout(() => {
      button.textContent = text;
    }, 2500);
  });
}

/**
 * Follows the link after `data-go` seconds. The payer may stop it if the page offers that. In a frame only a press can
 * leave it.
 */
function followLink(link) {
  // A payer who returns from the bank's page may want another bank.
  const [arrival] = performance.getEntriesByType('navigation');
  if (isFramed || (link.dataset.bank && arrival?.type !== 'navigate')) return;
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

/** Names the zone too: a receipt is read elsewhere. */
function showMoment(time) {
  time.textContent = momentText(new Date(time.dateTime), time.dataset);
}

function enhancePrint(button) {
  button.hidden = false;
  button.addEventListener('click', () => window.print());
}

// A page from the back-forward cache may show an outdated payment.
window.addEventListener('pageshow', (event) => event.persisted && location.reload());

each('[data-once]', guardOnce);
each('[data-seconds-left]', countDown);
each('[data-copy]', enhanceCopy);
each('[data-moment]', showMoment);
each('[name="browser_time_zone"]', (input) => {
  input.value = Intl.DateTimeFormat().resolvedOptions().timeZone;
});
each('[data-print]', enhancePrint);
each('[data-go]', followLink);
hearSteps();
each('[data-step-over]', notifyPageAround);
each('[data-step-form]', postStepInFrame);
each('[data-with-script]', (element) => {
  element.hidden = !body.dataset.eventsUrl;
});
each('[data-focus]', (element) => element.focus());
followStatus();
notifyEmbedder();
