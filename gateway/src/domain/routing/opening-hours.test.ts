import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../foundation/clock.ts';
import { invariant } from '../../foundation/invariant.ts';
import { closedUntil, opensAt, readOpeningHours } from './opening-hours.ts';

function hoursOf(text: string) {
  const hours = readOpeningHours(text);
  invariant(hours, `${text} can be read`);
  return hours;
}

const at = (text: string) => Date.parse(text);
const opening = (text: string, now: string) => new Date(opensAt(hoursOf(text), at(now))).toISOString();

describe('opening hours', () => {
  // 2026-11-20 is a Friday. Toronto is five hours behind UTC then.
  const toronto = 'Mon-Fri 08:30-17:00 America/Toronto';

  it('a rail is open from the first minute of its opening hours to before the last', () => {
    assert.equal(opening(toronto, '2026-11-20T13:30:00Z'), '2026-11-20T13:30:00.000Z');
    assert.equal(opening(toronto, '2026-11-20T21:59:59Z'), '2026-11-20T21:59:59.000Z');
    assert.equal(opening(toronto, '2026-11-20T13:29:59Z'), '2026-11-20T13:30:00.000Z');
  });

  it('a closed rail opens on the next day of its opening hours', () => {
    assert.equal(opening(toronto, '2026-11-20T22:00:00Z'), '2026-11-23T13:30:00.000Z');
    assert.equal(opening(toronto, '2026-11-22T23:15:20Z'), '2026-11-23T13:30:00.000Z');
  });

  it('opening hours may have several parts, and days across the weekend', () => {
    const parts = 'Sat-Mon 10:00-12:00, Wed 09:00-24:00 UTC';
    assert.equal(opening(parts, '2026-11-20T00:00:00Z'), '2026-11-21T10:00:00.000Z');
    assert.equal(opening(parts, '2026-11-23T12:00:00Z'), '2026-11-25T09:00:00.000Z');
    assert.equal(opening(parts, '2026-11-25T23:59:00Z'), '2026-11-25T23:59:00.000Z');
  });

  it('a rail opens within a week of any moment and is open at that time', () => {
    const zone = hoursOf('Tue 07:00-07:30, Thu-Fri 22:00-23:00 Asia/Kolkata');
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000_000 }), (now) => {
        const opens = opensAt(zone, now);
        assert.ok(opens >= now && opens - now <= 7 * DAY_MS + MINUTE_MS);
        assert.equal(opensAt(zone, opens), opens);
      }),
    );
  });

  it('opening hours after a change of daylight saving time are at most one hour off', () => {
    // In Toronto, one hour of the night of 2026-11-01 repeats.
    const opens = opensAt(hoursOf(toronto), at('2026-10-30T21:30:00Z'));
    assert.ok(Math.abs(opens - at('2026-11-02T13:30:00Z')) <= HOUR_MS);
  });

  it('closedUntil returns the next opening of a closed rail, and undefined for an open rail', () => {
    const all = [{ rail: 'a', hours: hoursOf(toronto) }];
    assert.equal(closedUntil(all, 'a', at('2026-11-21T00:00:00Z')), at('2026-11-23T13:30:00Z'));
    assert.equal(closedUntil(all, 'a', at('2026-11-20T15:00:00Z')), undefined);
    assert.equal(closedUntil(all, 'b', at('2026-11-21T00:00:00Z')), undefined);
  });

  for (const text of [
    '',
    'always',
    'Mon-Fri 08:30-17:00',
    'Mon-Fri 17:00-08:30 UTC',
    'Mon-Fri 08:30-08:30 UTC',
    'Mo 08:00-09:00 UTC',
    'Mon-Fri 8:30-17:00 UTC',
    'Mon 08:00-24:01 UTC',
    'Mon 08:60-09:00 UTC',
    'Mon 08:00-09:00 Mars/Base',
    'Mon 08:00-09:00, UTC',
  ]) {
    it(`opening hours cannot be “${text}”`, () => assert.equal(readOpeningHours(text), undefined));
  }
});
