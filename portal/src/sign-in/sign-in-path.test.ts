import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathAfterSignIn } from './sign-in-path.ts';

describe('the address after the sign-in', () => {
  it('a path of these pages is followed', () => {
    assert.equal(pathAfterSignIn('/payouts/M1/A-1?state=pending'), '/payouts/M1/A-1?state=pending');
  });

  it('an address of another site is not followed', () => {
    const others = [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/\n\\evil.example',
    ];
    for (const back of [...others, 'javascript:alert(1)', '']) assert.equal(pathAfterSignIn(back), '/', back);
    assert.equal(pathAfterSignIn(undefined), '/');
  });

  it('the sign-in page does not lead to itself', () => {
    assert.equal(pathAfterSignIn('/sign-in?back=/payouts'), '/');
  });
});
