/** Compares the actions that a policy can bind with the dangerous actions. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ENDPOINTS } from '../../contract/endpoints.ts';
import { canBeBound, type Endpoint, isAct } from '../../contract/parts/endpoint.ts';
import { DANGEROUS } from './dangerous-acts.ts';

/** The decisions of a second person themselves, and a query to a provider. */
const UNBOUND = ['payouts.approve', 'proposals.approve', 'proposals.reject', 'people.approveReset', 'payouts.ask'];

describe('the rules about two people', () => {
  it('an approval rule can name every dangerous action of the roles table', () => {
    const missing = Object.keys(DANGEROUS).filter((name) => !canBeBound((ENDPOINTS as Named)[name] as Endpoint));
    assert.deepEqual(
      missing.filter((name) => !UNBOUND.includes(name)),
      [],
    );
  });

  it('a policy can apply to every action that needs a confirmation', () => {
    const missing = Object.entries(ENDPOINTS as Named)
      .filter(([, endpoint]) => isAct(endpoint) && endpoint.stepUp && endpoint.audience !== 'person')
      .filter(([name, endpoint]) => !canBeBound(endpoint) && !UNBOUND.includes(name))
      .map(([name]) => name);
    assert.deepEqual(missing, []);
  });
});

type Named = Readonly<Record<string, Endpoint>>;
