/**
 * The colours of the payer's page, computed from a merchant's one colour. For any colour, every text keeps a contrast of
 * at least 4.5 : 1 to its background (WCAG 2.2, 1.4.3). Pure; the portal's preview also uses it.
 */

/** The custom properties of the form's style sheet that depend on the merchant's colour. */
const THEME_PROPERTIES = [
  'accent',
  'accent-strong',
  'on-accent',
  'tint',
  'summary',
  'summary-end',
  'on-summary',
  'on-summary-quiet',
  'summary-mark',
] as const;
type ThemeProperty = (typeof THEME_PROPERTIES)[number];

/** Colours such as `#0b5c56`, by property. */
export type ThemeColours = Readonly<Record<ThemeProperty, string>>;

export type Scheme = 'light' | 'dark';

/** Red, green and blue from 0 to 255. */
type Colour = readonly [number, number, number];

const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
/** The text on a light summary. */
const INK: Colour = [16, 22, 21];

const AA = 4.5;
const STEP = 0.02;

/** The backgrounds of ground.css on which the accent is a text. */
const BACKGROUNDS: Readonly<Record<Scheme, { readonly panel: Colour; readonly ground: Colour }>> = {
  light: { panel: WHITE, ground: [243, 242, 238] },
  dark: { panel: [24, 33, 32], ground: [14, 20, 19] },
};

/** `brand`: a colour such as `#0b5c56`. */
export function themeColours(brand: string, scheme: Scheme): ThemeColours {
  const colour = readColour(brand);
  const { panel, ground } = BACKGROUNDS[scheme];
  const away = scheme === 'light' ? BLACK : WHITE;
  const tintOf = (accent: Colour) => mix(panel, accent, scheme === 'light' ? 0.1 : 0.14);
  const accent = firstOf(colour, away, (each) =>
    [panel, ground, tintOf(each)].every((behind) => contrast(each, behind) >= AA),
  );
  const strong = mix(accent, away, 0.25);
  const onAccent =
    scheme === 'light' ? WHITE : firstOf(mix(accent, BLACK, 0.8), BLACK, (each) => contrast(each, accent) >= AA);
  return write({
    ...summaryColours(scheme === 'light' ? colour : mix(colour, BLACK, 0.35)),
    accent,
    'accent-strong': strong,
    'on-accent': onAccent,
    tint: tintOf(accent),
  });
}

/** The merchant's own colour where a text on it is readable; else the nearest colour on which one is. */
function summaryColours(colour: Colour) {
  const on = contrast(colour, WHITE) >= AA || contrast(colour, WHITE) >= contrast(colour, INK) ? WHITE : INK;
  const away = on === WHITE ? BLACK : WHITE;
  const quietOn = (each: Colour) => mix(on, each, 0.18);
  const markOn = (each: Colour) => mix(each, on, 0.12);
  const summary = firstOf(
    colour,
    away,
    (each) => contrast(quietOn(each), each) >= AA && contrast(on, markOn(each)) >= AA,
  );
  return {
    summary,
    'summary-end': mix(summary, away, 0.25),
    'on-summary': on,
    'on-summary-quiet': quietOn(summary),
    'summary-mark': markOn(summary),
  };
}

/** The first colour from `colour` towards `end` for which `isRight` holds. */
function firstOf(colour: Colour, end: Colour, isRight: (colour: Colour) => boolean): Colour {
  for (let part = 0; part < 1; part += STEP) {
    const each = mix(colour, end, part);
    if (isRight(each)) return each;
  }
  return end;
}

/** Whole numbers, so that the checked colour is the written one. */
function mix(one: Colour, other: Colour, part: number): Colour {
  const [red = 0, green = 0, blue = 0] = one.map((value, index) =>
    Math.round(value + ((other[index] ?? 0) - value) * part),
  );
  return [red, green, blue];
}

/** The contrast ratio of WCAG 2.2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  return contrast(readColour(one), readColour(other));
}

function contrast(one: Colour, other: Colour): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((left, right) => right - left);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(colour: Colour): number {
  const [red = 0, green = 0, blue = 0] = colour.map((value) => {
    const part = value / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function readColour(text: string): Colour {
  const [, red = '0', green = '0', blue = '0'] = /^#(..)(..)(..)$/.exec(text) ?? [];
  return [Number.parseInt(red, 16), Number.parseInt(green, 16), Number.parseInt(blue, 16)];
}

function write(colours: Readonly<Record<ThemeProperty, Colour>>): ThemeColours {
  const written = THEME_PROPERTIES.map((name) => {
    const hex = colours[name].map((value) => value.toString(16).padStart(2, '0'));
    return [name, `#${hex.join('')}`] as const;
  });
  return Object.fromEntries(written) as Record<ThemeProperty, string>;
}
