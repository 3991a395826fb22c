import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { pathAfterSignIn } from './sign-in-path.ts';

describe('the address after the sign-in', () => {
  it('a sign-in returns to a path of the portal', () => {
    assert.equal(pathAfterSignIn('/payouts/M1/A-1?state=pending'), '/payouts/M1/A-1?state=pending');
  });

  it('a sign-in never redirects to another site', () => {
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

  it('a sign-in never returns to the sign-in page', () => {
    assert.equal(pathAfterSignIn('/sign-in?back=/payouts'), '/');
  });
});
