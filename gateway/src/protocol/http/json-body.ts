/**
 * A strict JSON parser for signed requests. Unlike JSON.parse, it keeps the spelling of numbers. It rejects text that two
 * parsers could interpret differently: repeated keys, `__proto__`, lone surrogates, NUL, a byte order mark and deep nesting.
 * It knows no fields or formats.
 */

/** A number in its original spelling. The signature covers the text, and `1.0` differs from `1`. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = string | boolean | null | JsonNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** The body is unreadable or ambiguous. Answered with 400. */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody';
}

const MAX_DEPTH = 8;

/** Throws MalformedBody unless the string is exactly one JSON object. */
export function parseJsonObject(text: string): JsonObject {
  const reader = new JsonReader(text);
  return reader.readDocument();
}

/** Throws MalformedBody unless `text` is well-formed Unicode without NUL. */
export function requireCleanText(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw new MalformedBody('unclean text');
  return text;
}

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;

/** UTF-16 code units. Comparing numbers allocates no string per character, and every request passes through here. */
const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTE = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_BRACKET = 0x5d;
const OPEN_BRACE = 0x7b;
const CLOSE_BRACE = 0x7d;
const LITERAL_STARTS: ReadonlySet<number> = new Set(['t', 'f', 'n'].map((letter) => letter.charCodeAt(0)));

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonObject {
    this.#skipSpace();
    if (this.#here() !== OPEN_BRACE) throw new MalformedBody('not an object');
    const document = this.#readObject(1);
    this.#skipSpace();
    if (this.#at !== this.#text.length) throw new MalformedBody('trailing text');
    return document;
  }

  #readValue(depth: number): JsonValue {
    const unit = this.#here();
    if (unit === QUOTE) return this.#readString();
    if (unit === OPEN_BRACE) return this.#readObject(depth);
    if (unit === OPEN_BRACKET) return this.#readArray(depth);
    return LITERAL_STARTS.has(unit) ? this.#readLiteral() : this.#readNumber();
  }

  #readObject(depth: number): JsonObject {
    const fields = new Map<string, JsonValue>();
    for (let more = this.#enter(depth, CLOSE_BRACE); more; more = this.#goOn(CLOSE_BRACE)) {
      const name = this.#readString();
      if (fields.has(name) || name === '__proto__') throw new MalformedBody('a key is repeated or forbidden');
      this.#skipSpace();
      this.#expect(COLON);
      this.#skipSpace();
      fields.set(name, this.#readValue(depth + 1));
    }
    return fields;
  }

  #readArray(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    for (let more = this.#enter(depth, CLOSE_BRACKET); more; more = this.#goOn(CLOSE_BRACKET))
      items.push(this.#readValue(depth + 1));
    return items;
  }

  /** Moves past the opening bracket to the first item. Returns false, with the position past `close`, if there is none. */
  #enter(depth: number, close: number): boolean {
    if (depth > MAX_DEPTH) throw new MalformedBody('nested too deeply');
    this.#at += 1;
    this.#skipSpace();
    if (this.#here() !== close) return true;
    this.#at += 1;
    return false;
  }

  /** Moves from the end of an item to the next. Returns false, with the position past `close`, if there is none. */
  #goOn(close: number): boolean {
    this.#skipSpace();
    if (this.#here() === close) {
      this.#at += 1;
      return false;
    }
    this.#expect(COMMA);
    this.#skipSpace();
    return true;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#at;
    this.#expect(QUOTE);
    let at = start + 1;
    let escaped = false;
    for (;;) {
      const unit = text.charCodeAt(at);
      // The negated test also covers NaN, the result at the end of the text.
      if (!(unit >= 0x20)) throw new MalformedBody('a string is not closed or contains a control character');
      at += 1;
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        escaped = true;
        at += 1;
      }
    }
    this.#at = at;
    return escaped ? requireCleanText(readEscapes(text.slice(start, at))) : text.slice(start + 1, at - 1);
  }

  #readNumber(): JsonNumber {
    const text = this.#match(NUMBER);
    if (text === '') throw new MalformedBody('not a value');
    return new JsonNumber(text);
  }

  #readLiteral(): boolean | null {
    const text = this.#match(LITERAL);
    if (text === '') throw new MalformedBody('not a value');
    return text === 'null' ? null : text === 'true';
  }

  /** Returns NaN, which equals nothing, at the end of the text. */
  #here(): number {
    return this.#text.charCodeAt(this.#at);
  }

  #skipSpace(): void {
    for (;;) {
      const unit = this.#here();
      if (unit !== SPACE && unit !== LINE_FEED && unit !== CARRIAGE_RETURN && unit !== TAB) return;
      this.#at += 1;
    }
  }

  #expect(unit: number): void {
    if (this.#here() !== unit) throw new MalformedBody('unexpected text');
    this.#at += 1;
  }

  /** Matches the sticky `pattern` here, moves past the match and returns it. Returns '' without a match. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}

/** The platform's parser knows every escape. `literal` is exactly one string. */
function readEscapes(literal: string): string {
  try {
    return JSON.parse(literal) as string;
  } catch {
    throw new MalformedBody('an escape sequence is invalid');
  }
}
