/** Access to the page in which the script runs. */

export const { body } = document;
export const language = document.documentElement.lang;
export const isFramed = window.top !== window;

/** Returns the first match, or null. */
export const find = (selector, within = document) => within.querySelector(selector);

/** Calls `enhance` with every matching element. */
export function each(selector, enhance) {
  for (const element of document.querySelectorAll(selector)) enhance(element);
}
