/**
 * Re-encodes an SVG from an allow-list of shapes. A picture that contains anything else (a script, a style, a link, an entity,
 * an image, text in a font) is rejected entirely: a clear rejection is better than a logo that looks different. Pure.
 */

const SHAPES: ReadonlySet<string> = new Set([
  'svg',
  'g',
  'path',
  'rect',
  'circle',
  'ellipse',
  'line',
  'polyline',
  'polygon',
  'defs',
  'linearGradient',
  'radialGradient',
  'stop',
  'clipPath',
]);

/** Invisible elements, which drawing programs write. */
const DROPPED: ReadonlySet<string> = new Set(['title', 'desc', 'metadata']);

const NUMBERS = /^[\d\s.,eE+%-]*$/;
const COLOUR = /^(?:#[\da-fA-F]{3,8}|[a-zA-Z]{3,20}|rgba?\([\d\s.,%/]+\)|url\(#[\w-]{1,64}\))$/;
const WORD = /^[a-zA-Z-]{1,24}$/;

const ATTRIBUTES: Readonly<Record<string, RegExp>> = {
  ...named(NUMBERS, ['viewBox', 'width', 'height', 'x', 'y', 'x1', 'y1', 'x2', 'y2', 'cx', 'cy', 'r', 'rx', 'ry']),
  ...named(NUMBERS, ['fx', 'fy', 'points', 'offset', 'opacity', 'fill-opacity', 'stroke-opacity', 'stop-opacity']),
  ...named(NUMBERS, ['stroke-width', 'stroke-dasharray', 'stroke-dashoffset', 'stroke-miterlimit']),
  ...named(COLOUR, ['fill', 'stroke', 'stop-color', 'clip-path']),
  ...named(WORD, ['fill-rule', 'clip-rule', 'stroke-linecap', 'stroke-linejoin', 'gradientUnits', 'clipPathUnits']),
  ...named(WORD, ['spreadMethod']),
  d: /^[\d\s.,eE+MmZzLlHhVvCcSsQqTtAa-]*$/,
  transform: /^(?:[a-zA-Z]{4,9}\([\d\s.,eE+-]*\)[\s,]*)*$/,
  gradientTransform: /^(?:[a-zA-Z]{4,9}\([\d\s.,eE+-]*\)[\s,]*)*$/,
  preserveAspectRatio: /^[a-zA-Z\s]{1,24}$/,
  id: /^[\w-]{1,64}$/,
};

/** Attributes without an effect, which drawing programs write. */
const IGNORED =
  /^(?:xmlns(?::\w+)?|version|xml:space|role|class|data-[\w-]+|aria-[\w-]+|(?:inkscape|sodipodi|sketch):[\w-]+)$/;

function named(pattern: RegExp, names: readonly string[]): Readonly<Record<string, RegExp>> {
  return Object.fromEntries(names.map((name) => [name, pattern]));
}

const TOKEN =
  /<!--[\s\S]*?-->|<\?xml\s[^<>]*\?>|<(\/?)([\w:.-]+)((?:\s+[\w:.-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|[^<]+/gy;
const ATTRIBUTE = /([\w:.-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const MOST_ELEMENTS = 500;

/** Returns undefined unless the string is one SVG with a viewBox or a size, drawn only with the allowed shapes. */
export function rewriteSvg(text: string): string | undefined {
  const tokens =
    text
      .trim()
      .replace(/^\uFEFF/, '')
      .match(TOKEN) ?? [];
  if (tokens.join('') !== text.trim().replace(/^\uFEFF/, '') || tokens.length > MOST_ELEMENTS * 4) return undefined;
  const open: string[] = [];
  let written = '';
  let roots = 0;
  for (const token of tokens) {
    if (token.startsWith('<!--') || token.startsWith('<?xml')) continue;
    const isDropping = open.some((name) => DROPPED.has(name));
    if (!token.startsWith('<')) {
      if (!isDropping && token.trim() !== '') return undefined;
      continue;
    }
    const [, slash, name = '', attributes = '', alone] = new RegExp(TOKEN.source).exec(token) ?? [];
    if (slash === '/') {
      if (open.pop() !== name) return undefined;
      if (!isDropping) written += `</${name}>`;
      continue;
    }
    const isRoot = open.length === 0;
    if (isRoot !== (name === 'svg') || (isRoot && ++roots > 1)) return undefined;
    if (alone !== '/') open.push(name);
    if (isDropping || DROPPED.has(name)) continue;
    const kept = SHAPES.has(name) ? keptAttributes(attributes) : undefined;
    if (kept === undefined || (isRoot && !/ (?:viewBox|width)=/.test(kept))) return undefined;
    written += `<${name}${isRoot ? ' xmlns="http://www.w3.org/2000/svg"' : ''}${kept}${alone === '/' ? '/' : ''}>`;
  }
  return roots === 1 && open.length === 0 ? written : undefined;
}

/** Returns the allowed attributes, or undefined if there is a different attribute or an invalid value. */
function keptAttributes(text: string): string | undefined {
  let kept = '';
  for (const [, name = '', double, single] of text.matchAll(ATTRIBUTE)) {
    if (IGNORED.test(name)) continue;
    const value = double ?? single ?? '';
    if (!Object.hasOwn(ATTRIBUTES, name) || !ATTRIBUTES[name]?.test(value)) return undefined;
    kept += ` ${name}="${value}"`;
  }
  return kept;
}
