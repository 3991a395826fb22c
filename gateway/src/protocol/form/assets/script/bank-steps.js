/** Steps with the payer's bank in a frame: posted into it, and told of by the page of ours that the frame ends on. */

import { find, isFramed } from './page-elements.js';

const STEP_OVER = 'payment-step-over';

/** Inside the frame: only a page of our own site is told, and it learns nothing but that the step is over. */
export function tellPageAround() {
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

/** To the next step by its form where the page has one, else by asking what the payment's page is now. */
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
