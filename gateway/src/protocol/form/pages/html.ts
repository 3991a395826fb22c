/**
 * HTML that is escaped by construction. Text becomes markup only through `html` and `attributes`; there is no way from a
 * string to `Html` past the escaping, and none may be added.
 */
import { invariant } from '../../../foundation/invariant.ts';

export class Html {
  readonly #markup: string;

  /** Reached through `html` and `attributes` only: the token is theirs. */
  constructor(token: typeof TOKEN, markup: string) {
    invariant(token === TOKEN, 'Html is made by the html tag');
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

const TOKEN = Symbol('html');

/** Null stands for nothing. */
export type HtmlContent = string | number | Html | null | readonly HtmlContent[];

export const nothing = new Html(TOKEN, '');

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

const UNSHOWN = /[\p{Cc}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

/** Without control characters and those that turn the direction of what follows: they could disguise the text around. */
function escapeText(text: string): string {
  return text.replace(UNSHOWN, '').replace(/[&<>"']/g, (character) => ESCAPES[character] ?? '');
}

/**
 * A template whose values stand where text stands, or as `attributes(…)` within a tag. A value anywhere else (inside an
 * attribute, in the name of a tag, in a script) throws: the template is wrong, whatever the value.
 */
export function html(template: TemplateStringsArray, ...values: HtmlContent[]): Html {
  const places = placesOf(template);
  const parts = values.map((value, index) => {
    invariant(places[index] === 'text' || value instanceof Html, 'only attributes() may stand within a tag');
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

/** Where each value of a template stands; worked out once for each template of the code. */
function placesOf(template: TemplateStringsArray): readonly Place[] {
  const before = known.get(template);
  if (before) return before;
  let literal = '';
  const places = template.slice(0, -1).map((part) => {
    literal += part;
    const tag = /<[^<>]*$/.exec(literal)?.[0];
    // Quotes are even and a space comes last: neither inside an attribute nor in the middle of a name.
    const isBetween = tag === undefined || /^<[a-z][\w-]*(?:\s+[\w-]+(?:="[^"]*")?)*\s$/.test(tag);
    invariant(isBetween, `a value stands inside an attribute or a name: ${tag}`);
    invariant(!/<(?:script|style)\b[^<]*>[^<]*$/.test(literal), 'a value stands inside a script or a style');
    return tag === undefined ? 'text' : 'tag';
  });
  known.set(template, places);
  return places;
}

/** `true` writes the name alone; false, null and undefined leave the attribute out. */
export type Attributes = Readonly<Record<string, string | number | boolean | null | undefined>>;

const NAME = /^[a-z][a-zA-Z0-9-]*$/;
const ADDRESSES: ReadonlySet<string> = new Set(['href', 'src', 'action', 'formaction']);

export function attributes(given: Attributes): Html {
  const written = Object.entries(given).map(([name, value]) => {
    invariant(NAME.test(name) && !name.startsWith('on') && name !== 'style', `no attribute for a page: ${name}`);
    if (value === null || value === undefined || value === false) return '';
    if (value === true) return ` ${name}`;
    if (ADDRESSES.has(name)) requireAddress(String(value));
    return ` ${name}="${escapeText(String(value))}"`;
  });
  return new Html(TOKEN, written.join('').slice(1));
}

/** Within this page, within this site, or http(s): never `javascript:` and its kin. */
export function isAddress(text: string): boolean {
  if (/^(?:[?#]|\/(?![/\\]))/.test(text)) return true;
  return /^https?:\/\//i.test(text) && URL.canParse(text);
}

function requireAddress(text: string): void {
  invariant(text === '' || isAddress(text), 'an address of a page is neither http(s) nor of this site');
}
