import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createManualClock } from '../../foundation/clock.ts';
import { Secret } from '../../foundation/secret.ts';
import { createAlerts } from './alerts.ts';
import { createLog, type LogOptions } from './log.ts';
import { redactText } from './redact.ts';

const NOON = Date.UTC(2026, 10, 21, 12);
const CARD = '4111111111111111';

function openLog(level: LogOptions['level'] = 'debug') {
  const lines: string[] = [];
  const log = createLog({
    level,
    clock: createManualClock(NOON),
    destination: { write: (line) => void lines.push(line) },
  });
  return { log, lines, last: () => JSON.parse(lines.at(-1) ?? '{}') as Record<string, unknown> };
}

describe('the log', () => {
  it('the severity of an alert sets the level of its log line', () => {
    const { log, last } = openLog();
    for (const [kind, level] of [
      ['rail_back', 'info'],
      ['float_low', 'warn'],
      ['invariant_broken', 'error'],
    ] as const) {
      createAlerts({ url: null, runbooksUrl: null, clock: createManualClock(NOON), log, onRaised: () => {} }).raise(
        kind,
        'a_rail',
      );
      assert.deepEqual([last()['event'], last()['alert'], last()['level']], ['alert_raised', kind, level]);
    }
  });

  it('the log writes an event with its level, time and fields', () => {
    const { log, last } = openLog();
    log('callback_lane_paused', { merchant: 'M1', failures: 5, until: NOON + 30_000 });
    assert.deepEqual(last(), {
      level: 'warn',
      time: '2026-11-21T12:00:00.000Z',
      event: 'callback_lane_paused',
      merchant: 'M1',
      failures: 5,
      until: '2026-11-21T12:00:30.000Z',
    });
  });

  it('the log does not write anything below its level', () => {
    const { log, lines } = openLog('warn');
    log('stopped', {});
    assert.deepEqual(lines, []);
  });

  it('the log rejects an event and a field that its table lacks', () => {
    const { log, last } = openLog();
    // @ts-expect-error: there is no such event
    assert.throws(() => log('card_number', {}));
    // @ts-expect-error: the event has no such field
    log('migrated', { migration: '0001', account: CARD });
    assert.deepEqual(Object.keys(last()), ['level', 'time', 'event', 'migration']);
    // @ts-expect-error: the event has no field
    log('stopped', { account: CARD });
    assert.deepEqual(Object.keys(last()), ['level', 'time', 'event']);
  });

  it('the log writes an error without rows, parameters or card digits', () => {
    const { log, last, lines } = openLog();
    const error = Object.assign(new Error(`duplicate key ${CARD} in 4111 1111 1111 1111`, { cause: new Error(CARD) }), {
      code: '23505',
      detail: `Key (account)=(${CARD}) already exists`,
      parameters: [CARD],
      where: CARD,
    });
    log('problem', { problem: `payout M1/A17 with ${CARD}: its step failed`, error });
    const written = last()['error'] as Record<string, unknown>;
    assert.deepEqual(Object.keys(written).sort(), ['at', 'cause', 'code', 'message', 'name']);
    assert.equal(written['code'], '23505');
    assert.equal(written['message'], 'duplicate key [digits] in [digits]');
    assert.doesNotMatch(lines.join(''), /4111/);
  });

  it('the log prints [secret] for a secret', () => {
    const { log, lines } = openLog();
    log('problem', { problem: String(new Secret('key')), error: new Secret('key') });
    assert.match(lines.join(''), /\[secret\]/);
    assert.doesNotMatch(lines.join(''), /"key"/);
  });

  it('the log keeps short numbers and masks long numbers with any spacing', () => {
    assert.equal(redactText('HTTP 503 after 12345 ms for 99999999999'), 'HTTP 503 after 12345 ms for 99999999999');
    assert.equal(redactText('card 4111-1111-1111-1111.'), 'card [digits].');
    const digit = fc.integer({ min: 0, max: 9 }).map(String);
    const run = fc.array(fc.tuple(digit, fc.constantFrom('', ' ', '-')), { minLength: 12, maxLength: 19 });
    fc.assert(
      fc.property(run, (digits) => {
        const written = digits.map(([one, gap], index) => one + (index === digits.length - 1 ? '' : gap)).join('');
        assert.equal(redactText(`a ${written} b`), 'a [digits] b');
      }),
    );
  });
});
