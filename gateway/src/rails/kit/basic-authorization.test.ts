import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Secret } from '../../foundation/secret.ts';
import { basicAuthorization } from './basic-authorization.ts';

it('the Basic authorization header equals the example of RFC 7617 and headers recorded from clients', () => {
  assert.equal(basicAuthorization('Aladdin', new Secret('open sesame')), 'Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==');
  assert.equal(basicAuthorization('key123', new Secret('sesame')), 'Basic a2V5MTIzOnNlc2FtZQ==');
});
