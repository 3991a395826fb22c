import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EN_FIRST_PAGE } from '../../../portal/src/words/en/first-page.ts';
import { BATCH_STATES, ROW_STATES } from '../../src/domain/batches/batch.ts';
import { CALLBACK_STATES } from '../../src/domain/callbacks/callback.ts';
import { DEPOSIT_STATES, TRANSFER_STATES } from '../../src/domain/deposits/deposit.ts';
import { ATTEMPT_STATES } from '../../src/domain/payments/attempts/payment-attempt.ts';
import { PAYOUT_STAGES, PAYOUT_STATES } from '../../src/domain/payouts/payout.ts';
import * as contract from './states.ts';

const { ROW_STATES_BY_PROGRESS, ...lists } = contract;

it('the contract has the states of the domain, in the same order', () => {
  assert.deepEqual(lists, {
    PAYOUT_STATES,
    PAYOUT_STAGES,
    DEPOSIT_STATES,
    ATTEMPT_STATES,
    TRANSFER_STATES,
    CALLBACK_STATES,
    BATCH_STATES,
    ROW_STATES,
  });
});

it('the progress bar of a batch shows the rows of each state', () => {
  assert.deepEqual(ROW_STATES_BY_PROGRESS.toSorted(), ROW_STATES.toSorted());
});

it('the portal has a label for each state that it shows', () => {
  const { PAYOUT_STAGES: unshown, ...shown } = lists;
  const missing = Object.values(shown)
    .flat()
    .filter((state) => EN_FIRST_PAGE.states[state] === undefined);
  assert.deepEqual(missing, []);
});
