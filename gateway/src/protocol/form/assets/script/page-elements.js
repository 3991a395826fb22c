/** The page that the script stands in. */

export const { body } = document;
export const language = document.documentElement.lang;
export const isFramed = window.top !== window;

/** The first match, or null. */
export const find = (selector, within = document) => within.querySelector(selector);

const ANSWER_POLL_MS = 500;

/** What the payer has just sent is answered with the page as it then is; to ask meanwhile would throw that answer away. */
export function reloadPage() {
  if (find('form[data-sent]')) setTimeout(reloadPage, ANSWER_POLL_MS);
  else location.reload();
}
