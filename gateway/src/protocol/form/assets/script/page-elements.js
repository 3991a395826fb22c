/** Access to the page in which the script runs. */

export const { body } = document;
export const language = document.documentElement.lang;
export const isFramed = window.top !== window;

/** Returns the first match, or null. */
export const find = (selector, within = document) => within.querySelector(selector);

const ANSWER_POLL_MS = 500;

/** Waits while a form is being answered. A reload would discard the answer, which is the current page. */
export function reloadPage() {
  if (find('form[data-sent]')) setTimeout(reloadPage, ANSWER_POLL_MS);
  else location.reload();
}
