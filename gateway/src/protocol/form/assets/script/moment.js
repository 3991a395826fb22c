/** Writes a moment in the payer's zone, with the server's words (languages.ts): browsers lack them for some languages. */

import { language } from './page-elements.js';

const PARTS = {
  ...{ day: 'numeric', month: 'numeric', year: 'numeric' },
  ...{ hour: 'numeric', minute: '2-digit', timeZoneName: 'short' },
};

export function momentText(at, { pattern, months }) {
  const parts = new Intl.DateTimeFormat(language, PARTS).formatToParts(at);
  const values = Object.fromEntries(parts.map(({ type, value }) => [type, value]));
  const given = { ...values, day: at.getDate(), year: at.getFullYear(), month: months.split(' ')[at.getMonth()] };
  return pattern.replace(/\{(\w+)\}/g, (_, type) => given[type] ?? '');
}
