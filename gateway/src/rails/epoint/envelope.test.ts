/**
 * Checks the envelope against the published values of Epoint's description, and against values computed from its rule
 * with another tool.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { Secret } from '../../foundation/secret.ts';
import { isGenuine, opened, readForm, sealed, writeForm } from './envelope.ts';

const KEY = new Secret('d3hjsl38sd8kdfhbcea0be04eafde9e8e2bad2fb092d');

describe('Epoint’s envelope', () => {
  it('a signed envelope equals the example in Epoint’s description', () => {
    const fields = {
      public_key: 'i000000001',
      amount: '30.75',
      currency: 'AZN',
      description: 'test payment',
      order_id: '1',
    };
    assert.deepEqual(sealed(fields, KEY), {
      data:
        'eyJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwMSIsImFtb3VudCI6IjMwLjc1IiwiY3VycmVuY3kiOiJBWk4iLCJkZXNjcmlwdGlvbiI6' +
        'InRlc3QgcGF5bWVudCIsIm9yZGVyX2lkIjoiMSJ9',
      signature: 'a76GNudqblZtV8qF199hctA+cG0=',
    });
  });

  it('an Epoint envelope from a client’s test verifies only for its own content', () => {
    const data = 'eyJwdWJsaWNfa2V5IjoiaTAwMDAwMDAwMSIsIm9yZGVyX2lkIjoxNX0=';
    const signature = 'bH9cG854p/wHLf5j6pp6LBI+wBs=';
    assert.ok(isGenuine({ data, signature }, KEY));
    assert.deepEqual(opened({ data, signature }), { public_key: 'i000000001', order_id: '15' });
    for (const wrong of [
      { data: `${data}=`, signature },
      { data: '', signature },
      { data, signature: '' },
      { data, signature: signature.slice(0, -1) },
      { data, signature: signature.toLowerCase() },
    ])
      assert.equal(isGenuine(wrong, KEY), false);
    assert.equal(isGenuine({ data, signature }, new Secret('another')), false);
  });

  it('an Epoint envelope with any content survives writing and reading as a form', () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'grapheme' })), (fields) => {
        const envelope = sealed(fields, KEY);
        const read = readForm(Buffer.from(writeForm(envelope)), 'application/x-www-form-urlencoded');
        assert.deepEqual(read, envelope);
        assert.ok(isGenuine(read, KEY));
        assert.equal(JSON.stringify(opened(read)), JSON.stringify(fields));
      }),
    );
  });

  it('an Epoint envelope in multipart form data is read with any headers and boundary', () => {
    const envelope = sealed({ order_id: '1' }, KEY);
    const part = (head: string, value: string) =>
      `--b+/=1\r\nContent-Disposition: form-data; ${head}\r\n\r\n${value}\r\n`;
    const typed = `name="signature"\r\nContent-Type: text/plain`;
    const body = `${part('name="data"', envelope.data)}${part(typed, envelope.signature)}--b+/=1--\r\n`;
    assert.deepEqual(readForm(Buffer.from(body), 'multipart/form-data; boundary="b+/=1"'), envelope);
  });

  it('an unreadable form is read as an empty Epoint envelope', () => {
    for (const contentType of ['', 'application/json', 'multipart/form-data; boundary=b'])
      for (const body of ['', '{}', 'data', '--b\r\nContent-Disposition: form-data; name="data"\r\n'])
        assert.deepEqual(readForm(Buffer.from(body), contentType), { data: '', signature: '' });
    for (const data of ['', 'x', Buffer.from('[]').toString('base64')])
      assert.equal(opened({ data, signature: '' }), undefined);
  });
});
