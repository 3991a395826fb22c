/**
 * HTML that is escaped by construction. Text becomes markup only through `html` and `attributes`. No other way from a
 * string to `Html` exists, and none may be added.
 */
import { invariant } from '../../../foundation/invariant.ts';

export class Html {
  readonly #markup: string;

  /** Only `html` and `attributes` can call this, because the token is private to this file. */
  constructor(token: typeof TOKEN, markup: string) {
    invariant(token === TOKEN, 'Html created without the html tag');
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

const TOKEN = Symbol('html');

/** Null renders nothing. */
export type HtmlContent = string | number | Html | null | readonly HtmlContent[];

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const UNSHOWN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Drops control characters and direction marks, because they could disguise the surrounding text. */
function escapeText(text: string): string {
  return text.replace(UNSHOWN, '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/**
 * A template whose values are strings, or `attributes(…)` within a tag. At any other position (inside an attribute, a tag name
 * or a script) it throws, because the template is then wrong for every value.
 */
export function html(template: TemplateStringsArray, ...values: HtmlContent[]): Html {
  const places = placesOf(template);
  const parts = values.map((value, index) => {
    invariant(places[index] === 'text' || value instanceof Html, 'value inside a tag does not come from attributes()');
    return render(value) + (template[index + 1] ?? '');
  });
  return new Html(TOKEN, (template[0] ?? '') + parts.join(''));
}

function render(value: HtmlContent): string {
  if (value === null) return '';
  if (value instanceof Html) return value.toString();
  if (typeof value === 'object') return value.map(render).join('');
  return escapeText(String(value));
}

type Place = 'text' | 'tag';

const known = new WeakMap<TemplateStringsArray, readonly Place[]>();

/** Returns the place of each value in a template, computed once per template. */
function placesOf(template: TemplateStringsArray): readonly Place[] {
  const before = known.get(template);
  if (before) return before;
  let literal = '';
  const places = template.slice(0, -1).map((part) => {
    literal += part;
    const tag = /<[^<>]*$/.exec(literal)?.[0];
    // Even quotes and a trailing space prove that the value is not inside an attribute or a name.
    const isBetween = tag === undefined || /^<[a-z][\w-]*(?:\s+[\w-]+(?:="[^"]*")?)*\s$/.test(tag);
    invariant(isBetween, `value is inside an attribute or a name: ${tag}`);
    invariant(!/<(?:script|style)\b[^<]*>[^<]*$/.test(literal), 'value is inside a script or a style element');
    return tag === undefined ? 'text' : 'tag';
  });
  known.set(template, places);
  return places;
}

/** `true` writes the name without a value. False, null and undefined omit the attribute. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

const NAME = /^[a-z][a-zA-Z0-9-]*$/;
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction']);

export function attributes(given: Attributes): Html {
  const written = Object.entries(given).map(([name, value]) => {
    invariant(
      NAME.test(name) && !name.startsWith('on') && name !== 'style',
      `attribute is not allowed in a page: ${name}`,
    );
    if (value === null || value === undefined || value === false) return '';
    if (value === true) return ` ${name}`;
    if (ADDRESSES.has(name)) requireAddress(String(value));
    return ` ${name}="${escapeText(String(value))}"`;
  });
  return new Html(TOKEN, written.join('').slice(1));
}

/** Accepts addresses within this page, within this site, http(s), or of email. Rejects `javascript:` and other schemes. */
export function isAddress(text: string): boolean {
  if (/^(?:[?#]|\/(?![/\\]))/.test(text)) return true;
  if (/^mailto:[\w.+-]+@[\w.-]+$/.test(text)) return true;
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function requireAddress(text: string): void {
  invariant(text === '' || isAddress(text), 'URL in a page is neither http(s) nor on this site');
}
