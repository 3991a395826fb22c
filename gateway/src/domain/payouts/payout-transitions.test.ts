import assert from 'node:assert/strict';
import { it } from 'node:test';
import { PAYOUT_STAGES } from './payout.ts';
import { STAGE_EVENTS, STAGE_TRANSITIONS, stageAfter, stagesBefore } from './payout-transitions.ts';

it('a new payout waits in the queue, or for its approval', () => {
  const stages = [stageAfter('new', 'accepted'), stageAfter('new', 'approval_required')];
  assert.deepEqual(stages, ['queued', 'awaiting_approval']);
  for (const event of ['accepted', 'approval_required'] as const)
    for (const stage of PAYOUT_STAGES) assert.equal(STAGE_TRANSITIONS[stage][event], undefined, `${stage}, ${event}`);
});

it('a pending payout is sent only from the queue', () => {
  for (const event of STAGE_EVENTS) {
    assert.deepEqual(stagesBefore(event, 'sending'), event === 'begun' ? ['queued'] : [], event);
    assert(['at_bank', undefined].includes(STAGE_TRANSITIONS.at_bank[event]), event);
  }
});

it('a pending payout returns to the queue only by an approval or by proof that no bank received it', () => {
  for (const stage of PAYOUT_STAGES)
    for (const event of STAGE_EVENTS)
      if (STAGE_TRANSITIONS[stage][event] === 'queued')
        assert(event === (stage === 'awaiting_approval' ? 'approved' : 'not_accepted'), `${stage}, ${event}`);
  assert.throws(() => stageAfter('awaiting_approval', 'begun'));
});
