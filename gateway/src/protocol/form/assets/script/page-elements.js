/** The page that the script stands in. */

export const { body } = document;
export const language = document.documentElement.lang;
export const isFramed = window.top !== window;

/** The first match, or null. */
export const find = (selector, within = document) => within.querySelector(selector);
