/**
 * Marks of card brands and payment schemes, and the form's icons. All are our own drawings, so that the page loads nothing and
 * imitates no protected artwork. The name is next to each mark, or is its text for screen readers.
 */
import type { CardBrand } from '../../../domain/methods/card-brand.ts';
import { type Attributes, attributes, type Html, html } from './html.ts';

type Shape = Attributes & { readonly d: string };

/** The brands' names, which are the same in every language. */
export const BRAND_NAMES: Readonly<Record<CardBrand, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  maestro: 'Maestro',
  amex: 'American Express',
  unionpay: 'UnionPay',
  jcb: 'JCB',
  discover: 'Discover',
  diners: 'Diners Club',
  elo: 'Elo',
  hipercard: 'Hipercard',
};

const circle = (x: number, y: number, radius: number): string =>
  `M${x - radius} ${y}a${radius} ${radius} 0 1 0 ${2 * radius} 0a${radius} ${radius} 0 1 0 ${-2 * radius} 0z`;

/** The payment types that are named after a scheme with a mark. */
const SCHEME_TYPES = ['open_banking', 'e_transfer', 'instant_bank'] as const;

/** The shapes of each mark, on a plate of 36 × 24. Later shapes cover earlier ones. */
const MARKS: Readonly<Record<CardBrand | (typeof SCHEME_TYPES)[number], readonly Shape[]>> = {
  visa: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: 'M0 0h36v5H0z', fill: '#1a3a8f' },
    { d: 'M0 19h36v5H0z', fill: '#e8a317' },
    {
      d: 'M8 9l2.6 6h1.2L14.4 9M17 9v6M25 9.6c-2-1-4-.6-4 .9 0 2 3.6 1.2 3.6 3 0 1.6-2.4 1.8-4.2.8M27 15l2.4-6 2.4 6M28 13h2.8',
      stroke: '#1a3a8f',
      'stroke-width': 1.6,
      fill: 'none',
    },
  ],
  mastercard: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: circle(14, 12, 7), fill: '#d9222a' },
    { d: circle(22, 12, 7), fill: '#ee9f2d' },
    { d: 'M18 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z', fill: '#e8702c' },
  ],
  maestro: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: circle(14, 12, 7), fill: '#d9222a' },
    { d: circle(22, 12, 7), fill: '#1d8fd1' },
    { d: 'M18 6.26a7 7 0 0 1 0 11.48a7 7 0 0 1 0-11.48z', fill: '#6b5aa8' },
  ],
  amex: [
    { d: 'M0 0h36v24H0z', fill: '#1f6fb8' },
    {
      d: 'M5 15l2.5-6L10 15M6 13h3M12 15V9l2.5 3.5L17 9v6M23 9h-4v6h4M19 12h3.5M25.5 9l5 6M30.5 9l-5 6',
      stroke: '#fff',
      'stroke-width': 1.4,
      fill: 'none',
    },
  ],
  unionpay: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: 'M7 4h10l-3 16H4z', fill: '#d0222b' },
    { d: 'M16 4h9l-3 16h-9z', fill: '#12507d' },
    { d: 'M24 4h9l-3 16h-9z', fill: '#0a7a7c' },
  ],
  jcb: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: 'M6 7a3 3 0 0 1 3-3h4v13a3 3 0 0 1-3 3H6z', fill: '#1566b0' },
    { d: 'M14.5 7a3 3 0 0 1 3-3h4v13a3 3 0 0 1-3 3h-4z', fill: '#c8243c' },
    { d: 'M23 7a3 3 0 0 1 3-3h4v13a3 3 0 0 1-3 3h-4z', fill: '#2d8f3e' },
  ],
  discover: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: 'M36 12v12H14c10-2 18-6 22-12z', fill: '#ea7c24' },
    { d: circle(18, 10, 4), fill: '#ea7c24' },
    { d: 'M5 7v6h2a3 3 0 0 0 0-6zM12 7v6M24 7l2 6 2-6', stroke: '#222', 'stroke-width': 1.4, fill: 'none' },
  ],
  diners: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: circle(18, 12, 8.5), fill: '#0e5a96' },
    { d: circle(18, 12, 6.8), fill: '#fff' },
    { d: 'M16.5 6.6a5.8 5.8 0 0 0 0 10.8zM19.5 6.6a5.8 5.8 0 0 1 0 10.8z', fill: '#0e5a96' },
  ],
  elo: [
    { d: 'M0 0h36v24H0z', fill: '#111' },
    { d: 'M10.5 9.2a8 8 0 0 1 10-4.8', stroke: '#f4c81b', 'stroke-width': 3, fill: 'none' },
    { d: 'M25.7 10a8 8 0 0 1-3 8', stroke: '#2aa3dc', 'stroke-width': 3, fill: 'none' },
    { d: 'M19.5 19.8a8 8 0 0 1-9-5', stroke: '#e5412d', 'stroke-width': 3, fill: 'none' },
    { d: circle(18, 12, 3), fill: '#fff' },
  ],
  hipercard: [
    { d: 'M0 0h36v24H0z', fill: '#a5192d' },
    { d: 'M11 6v12M25 6v12M11 12h14', stroke: '#fff', 'stroke-width': 3, fill: 'none' },
  ],
  instant_bank: [
    { d: 'M0 0h36v24H0z', fill: '#fff' },
    { d: 'M18 3.5L26.5 12 18 20.5 9.5 12z', fill: '#2ba99b' },
    { d: 'M18 8l4 4-4 4-4-4z', fill: '#fff' },
  ],
  e_transfer: [
    { d: 'M0 0h36v24H0z', fill: '#f5b81c' },
    { d: 'M9 7h18v10H9zM9 8l9 6 9-6', stroke: '#222', 'stroke-width': 1.6, fill: 'none' },
  ],
  open_banking: [
    { d: 'M0 0h36v24H0z', fill: '#1d3f8a' },
    {
      d: 'M10 10l8-4.5 8 4.5zM12 12v5M16 12v5M20 12v5M24 12v5M10 19h16',
      stroke: '#ffd84a',
      'stroke-width': 1.4,
      fill: 'none',
    },
  ],
};

type MarkName = keyof typeof MARKS;

/** The mark of a payment type's scheme, next to which the page shows the name. Null if there is no mark. */
export function schemeMark(type: string): Html | null {
  const scheme = SCHEME_TYPES.find((each) => each === type);
  return scheme ? mark(scheme, null) : null;
}

/** `name` is the text for screen readers, or null if the name is next to the mark. */
export function mark(of: MarkName, name: string | null): Html {
  const shown = name === null ? { 'aria-hidden': 'true' } : { role: 'img', 'aria-label': name };
  const picture = attributes({
    class: 'mark',
    viewBox: '0 0 36 24',
    width: 36,
    height: 24,
    focusable: 'false',
    ...shown,
  });
  return html`<svg ${picture}>${MARKS[of].map((shape) => html`<path ${attributes(shape)}/>`)}</svg>`;
}

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

/** The form's icons, drawn in the colour of their text. An icon must not carry information that the text next to it lacks. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" viewBox="0 0 24 24" width="24" height="24" aria-hidden="true" focusable="false">
${STROKES[name].map((d) => html`<path ${attributes({ d })}/>`)}</svg>`;
}
