import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createRouteMethods } from './route-methods.ts';

it('a path supports the methods of all routes that match it', () => {
  const methods = createRouteMethods();
  methods.add('/api/payment-list', 'POST');
  methods.add('/rail-notifications/:rail', ['POST', 'PUT']);
  methods.add('/pages/*', 'GET');
  methods.add('/pages/*', 'HEAD');
  assert.deepEqual(methods.of('/api/payment-list'), ['POST']);
  assert.deepEqual(methods.of('/apixpayment-list'), []);
  assert.deepEqual(methods.of('/rail-notifications/bank'), ['POST', 'PUT']);
  assert.deepEqual(methods.of('/rail-notifications/bank/x'), []);
  assert.deepEqual(methods.of('/pages/a/b'), ['GET', 'HEAD']);
});
