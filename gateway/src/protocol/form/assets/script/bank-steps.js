/**
 * Steps with the payer's bank in a frame. The script posts the step into the frame. The frame ends on our page, which
 * reports back.
 */

import { find, isFramed } from './page-elements.js';

const STEP_OVER = 'payment-step-over';

/** Runs inside the frame. It posts only to pages of our origin, and only that the step is over. */
export function notifyPageAround() {
  if (isFramed) window.parent.postMessage(STEP_OVER, location.origin);
}

export function postStepInFrame(form) {
  const frame = find('iframe[name="step"]');
  form.target = frame.name;
  if (form.dataset.stepForm === 'challenge') {
    frame.hidden = false;
    form.hidden = true;
  } else {
    setTimeout(() => goOn('no'), Number(form.dataset.timeoutMs));
  }
  form.submit();
}

/** Submits the form of the next step, or reloads the page if it has none. */
function goOn(completed) {
  const form = find('[data-go-on]');
  if (!form) return location.replace(location.href.split('#')[0]);
  if (form.dataset.sent) return;
  form.dataset.sent = 'yes';
  form.elements.completed.value = completed;
  form.submit();
}

export function hearSteps() {
  window.addEventListener('message', (event) => {
    if (event.origin === location.origin && event.data === STEP_OVER) goOn('yes');
  });
}
