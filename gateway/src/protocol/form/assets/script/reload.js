/** Loads the page again without losing the payer's own act. */

import { find } from './page-elements.js';

const ANSWER_POLL_MS = 500;

/** Waits while a form is being answered. A reload would discard the answer, which is the current page. */
export function reloadPage() {
  if (find('form[data-sent]')) setTimeout(reloadPage, ANSWER_POLL_MS);
  else location.reload();
}
