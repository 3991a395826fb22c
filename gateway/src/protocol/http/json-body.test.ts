import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { JsonNumber, type JsonValue, MalformedBody, parseJsonObject } from './json-body.ts';

const REFUSED: Readonly<Record<string, string>> = {
  'an empty body': '',
  'spaces only': '  ',
  'an array': '[]',
  'a string': '"a"',
  'a number': '1',
  null: 'null',
  'a byte order mark': '\ufeff{}',
  'trailing bytes': '{} x',
  'two documents': '{}{}',
  'a trailing comma': '{"a":1,}',
  'a leading comma': '{,"a":1}',
  'a missing comma': '{"a":1 "b":2}',
  'a missing colon': '{"a" 1}',
  'a missing value': '{"a":}',
  'single quotes': "{'a':1}",
  'a bare key': '{a:1}',
  'a comment': '{"a":1}//',
  'a repeated key': '{"a":1,"a":1}',
  'a key repeated in another spelling': '{"a":1,"\\u0061":2}',
  'a repeated key further in': '{"a":[{"b":1,"b":2}]}',
  __proto__: '{"__proto__":{}}',
  '__proto__ further in': '{"a":{"__proto__":1}}',
  '__proto__ in another spelling': '{"\\u005f_proto__":1}',
  'a lone surrogate': '{"a":"\\ud800"}',
  'a lone surrogate in a key': '{"\\udc00":1}',
  NUL: '{"a":"\\u0000"}',
  'an unescaped NUL': '{"a":"\0"}',
  'a line break in a string': '{"a":"\n"}',
  'an unknown escape': '{"a":"\\x41"}',
  'an unfinished escape': '{"a":"\\u12"}',
  'an unfinished string': '{"a":"b',
  'a string that ends in its escape': '{"a":"b\\',
  'an unfinished object': '{"a":1',
  'a number with a leading zero': '{"a":01}',
  'a number with a plus': '{"a":+1}',
  'a number that starts with a point': '{"a":.5}',
  'a number that ends with a point': '{"a":1.}',
  NaN: '{"a":NaN}',
  Infinity: '{"a":Infinity}',
  'a half literal': '{"a":tru}',
  'a literal in capitals': '{"a":True}',
  'depth 9': `${'{"a":'.repeat(9)}1${'}'.repeat(9)}`,
  'depth 10,000': `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`,
  '10,000 open brackets': `{"a":${'['.repeat(10_000)}`,
  'a no-break space': '{\u00a0}',
};

describe('the strict JSON parser', () => {
  for (const [what, text] of Object.entries(REFUSED)) {
    it(`the strict JSON parser rejects ${what}`, () => assert.throws(() => parseJsonObject(text), MalformedBody));
  }

  it('the strict JSON parser accepts depth 8, surrogate pairs and every kind of value', () => {
    assert.ok(parseJsonObject(`${'{"a":'.repeat(8)}1${'}'.repeat(8)}`));
    const fields = parseJsonObject(
      ' {"a":"\\ud83d\\ude00\\n\\"", "b":[true,false,null],\n"c":{"d":{}} , "constructor":"x"} ',
    );
    assert.equal(fields.get('a'), '😀\n"');
    assert.deepEqual(fields.get('b'), [true, false, null]);
    assert.equal(fields.get('constructor'), 'x');
  });

  it('the strict JSON parser keeps the spelling of a number', () => {
    for (const text of ['1', '1.0', '1e0', '-0', '1E+2', '12345678901234567890']) {
      const value = parseJsonObject(`{"a":${text}}`).get('a');
      assert.ok(value instanceof JsonNumber);
      assert.equal(value.text, text);
    }
  });

  it('the strict JSON parser reads back every document that JSON.stringify writes', () => {
    const documents = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ maxDepth: 5 }), { maxKeys: 5 });
    fc.assert(
      fc.property(documents, fc.nat(2), (document, indent) => {
        const text = JSON.stringify(document, null, indent);
        let read: unknown;
        try {
          read = plain(parseJsonObject(text));
        } catch {
          assert.match(text, /\\u0000|__proto__|\\ud[89a-f]/i);
          return;
        }
        assert.deepEqual(read, written(document));
      }),
      { numRuns: 500 },
    );
  });

  it('the strict JSON parser rejects every damaged document that JSON.parse rejects', () => {
    const damaged = fc.tuple(fc.nat(60), fc.constantFrom('', '"', '{', '}', ',', ':', '\\', '0', '-', 'e', '[', ' '));
    const document = '{"merchant":"M1","n":-1.5e3,"list":[1,{"x":null}],"t":"a\\u00e9"}';
    fc.assert(
      fc.property(fc.array(damaged, { minLength: 1, maxLength: 3 }), (changes) => {
        let text = document;
        for (const [at, put] of changes) text = text.slice(0, at) + put + text.slice(at + 1);
        if (isReadable(() => parseJsonObject(text))) assert.doesNotThrow(() => JSON.parse(text), text);
      }),
      { numRuns: 3_000 },
    );
  });
});

function isReadable(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch (error) {
    assert.ok(error instanceof MalformedBody);
    return false;
  }
}

/**
 * The document as JSON.stringify writes it. JSON.parse cannot be the reference: in V8 13.6 (Node 24.21) it reads `{"a":1,"\n":1}` as
 * `{"a":1,"\\":1}` after it has read the latter.
 */
function written(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(written);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, item]) => [name, written(item)]));
  return Object.is(value, -0) ? 0 : value;
}

function plain(value: JsonValue): unknown {
  if (value instanceof JsonNumber) return Number(value.text);
  if (value instanceof Map) return Object.fromEntries([...value].map(([name, item]) => [name, plain(item)]));
  return Array.isArray(value) ? value.map(plain) : value;
}
