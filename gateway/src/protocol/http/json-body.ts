/**
 * A strict JSON reader for signed requests. Unlike JSON.parse it keeps numbers as they were written and refuses what
 * two readers could understand differently: repeated keys, `__proto__`, lone surrogates, NUL, a byte order mark, deep
 * nesting. It knows no field and no format.
 */

/** A number in its own spelling: what was signed is the text, and `1.0` is not `1`. */
export class JsonNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

export type JsonValue = string | boolean | null | JsonNumber | readonly JsonValue[] | JsonObject;
export type JsonObject = ReadonlyMap<string, JsonValue>;

/** The body can't be read, or not in one way only. Answered with 400. */
export class MalformedBody extends Error {
  override readonly name = 'MalformedBody';
}

const MAX_DEPTH = 8;

/** Throws MalformedBody for anything but exactly one JSON object. */
export function parseJsonObject(text: string): JsonObject {
  const reader = new JsonReader(text);
  return reader.readDocument();
}

/** Throws MalformedBody unless `text` could be part of a strict body: whole characters, no NUL. */
export function requireCleanText(text: string): string {
  if (!text.isWellFormed() || text.includes('\0')) throw new MalformedBody('unclean text');
  return text;
}

const SPACE = /[ \t\n\r]*/y;
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y;
const LITERAL = /true|false|null/y;
const QUOTE = 0x22;
const BACKSLASH = 0x5c;

class JsonReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  readDocument(): JsonObject {
    this.#match(SPACE);
    if (this.#text[this.#at] !== '{') throw new MalformedBody('not an object');
    const document = this.#readObject(1);
    this.#match(SPACE);
    if (this.#at !== this.#text.length) throw new MalformedBody('trailing text');
    return document;
  }

  #readValue(depth: number): JsonValue {
    switch (this.#text[this.#at]) {
      case '{':
        return this.#readObject(depth);
      case '[':
        return this.#readArray(depth);
      case '"':
        return this.#readString();
      case 't':
      case 'f':
      case 'n':
        return this.#readLiteral();
      default:
        return this.#readNumber();
    }
  }

  #readObject(depth: number): JsonObject {
    const fields = new Map<string, JsonValue>();
    this.#readItems(depth, '}', () => {
      const name = this.#readString();
      if (fields.has(name) || name === '__proto__') throw new MalformedBody('a key is repeated or forbidden');
      this.#match(SPACE);
      this.#expect(':');
      this.#match(SPACE);
      fields.set(name, this.#readValue(depth + 1));
    });
    return fields;
  }

  #readArray(depth: number): readonly JsonValue[] {
    const items: JsonValue[] = [];
    this.#readItems(depth, ']', () => items.push(this.#readValue(depth + 1)));
    return items;
  }

  /** From the opening bracket to `close`, with `readItem` called at the start of each item. */
  #readItems(depth: number, close: string, readItem: () => void): void {
    if (depth > MAX_DEPTH) throw new MalformedBody('nested too deeply');
    this.#at += 1;
    this.#match(SPACE);
    if (this.#text[this.#at] === close) {
      this.#at += 1;
      return;
    }
    for (;;) {
      readItem();
      this.#match(SPACE);
      if (this.#text[this.#at] === close) break;
      this.#expect(',');
      this.#match(SPACE);
    }
    this.#at += 1;
  }

  #readString(): string {
    const start = this.#at;
    this.#expect('"');
    let escaped = false;
    for (;;) {
      const unit = this.#text.charCodeAt(this.#at);
      // Also true of NaN, which is what the end of the text gives.
      if (!(unit >= 0x20)) throw new MalformedBody('a string is not closed or holds a control character');
      this.#at += 1;
      if (unit === QUOTE) break;
      if (unit === BACKSLASH) {
        escaped = true;
        this.#at += 1;
      }
    }
    const plain = this.#text.slice(start + 1, this.#at - 1);
    return escaped ? requireCleanText(this.#unescape(start)) : plain;
  }

  /** The platform's own reader knows every escape; the literal holds one string and nothing else. */
  #unescape(start: number): string {
    try {
      return JSON.parse(this.#text.slice(start, this.#at)) as string;
    } catch {
      throw new MalformedBody('an escape is wrong');
    }
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

  #expect(character: string): void {
    if (this.#text[this.#at] !== character) throw new MalformedBody('unexpected text');
    this.#at += 1;
  }

  /** Moves past what the sticky `pattern` finds here, and returns it; empty when it finds nothing. */
  #match(pattern: RegExp): string {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text)?.[0] ?? '';
    this.#at += found.length;
    return found;
  }
}
