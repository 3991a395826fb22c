/**
 * The form's icons, drawn in the colour of their text. An icon must not carry information that the text beside it
 * lacks.
 */
import { attributes, type Html, html } from './html.ts';

/** Each icon uses a line width of 1.75 on a 24 × 24 grid. */
const STROKES = {
  card: [
    'M3 7.5A2.5 2.5 0 0 1 5.5 5h13A2.5 2.5 0 0 1 21 7.5v9a2.5 2.5 0 0 1-2.5 2.5h-13A2.5 2.5 0 0 1 3 16.5z',
    'M3 10h18',
    'M7 15h3',
  ],
  open_banking: [
    'M4 10h16',
    'M12 4 4 8v2h16V8z',
    'M6 10v7',
    'M10 10v7',
    'M14 10v7',
    'M18 10v7',
    'M4 20h16',
    'M5 17h14',
  ],
  e_transfer: ['M4 7a2 2 0 0 1 2-2h12a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H6a2 2 0 0 1-2-2z', 'm4.5 7 7.5 6 7.5-6'],
  instant_bank: [
    'M4 4h6v6H4z',
    'M14 4h6v6h-6z',
    'M4 14h6v6H4z',
    'M14 14h2v2h-2z',
    'M18 14h2',
    'M20 18v2h-2',
    'M14 20h1',
  ],
  bank_transfer_iframe: ['M4 9h14', 'm14 5 4 4-4 4', 'M20 15H6', 'm10 11-4 4 4 4'],
  check: ['m5 12.5 4.5 4.5L19 7.5'],
  cross: ['M7 7l10 10', 'M17 7 7 17'],
  clock: ['M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z', 'M12 7.5V12l3 2'],
  lock: ['M6 11h12v8.5H6z', 'M8.5 11V8a3.5 3.5 0 0 1 7 0v3'],
  forward: ['m9.5 6 6 6-6 6'],
  back: ['m14.5 6-6 6 6 6'],
  warning: ['M12 4.5 3 19.5h18z', 'M12 10v4.5', 'M12 17v.2'],
  language: [
    'M12 21a9 9 0 1 0 0-18 9 9 0 0 0 0 18z',
    'M3.5 12h17',
    'M12 3c-5.5 6-5.5 12 0 18',
    'M12 3c5.5 6 5.5 12 0 18',
  ],
  search: ['M10.5 17a6.5 6.5 0 1 0 0-13 6.5 6.5 0 0 0 0 13z', 'm15.5 15.5 4.5 4.5'],
} as const satisfies Readonly<Record<string, readonly string[]>>;

export type IconName = keyof typeof STROKES;

export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
${STROKES[name].map((d) => html`<path ${attributes({ d })}/>`)}</svg>`;
}
