import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { isDate, nextOperationDate, operationDate, operationDates } from './operation-date.ts';

describe('SPEI operation dates', () => {
  const cases: readonly (readonly [utc: string, date: string, why: string])[] = [
    ['2023-08-25T20:47:19Z', '20230825', 'Friday afternoon in Mexico City is Friday'],
    ['2023-08-25T00:02:32Z', '20230825', 'Thursday 18:02 is Friday already'],
    ['2023-08-24T23:59:59Z', '20230824', 'Thursday just before 18:00 is Thursday'],
    ['2023-08-26T00:00:00Z', '20230828', 'Friday 18:00 is Monday'],
    ['2020-04-18T08:04:09Z', '20200420', 'Saturday is Monday'],
    ['2026-11-22T23:59:59Z', '20261123', 'Sunday is Monday'],
    ['2026-12-31T23:00:00Z', '20261231', 'the last afternoon of a year'],
    ['2027-01-01T00:00:00Z', '20270101', 'the evening of the 31st is the 1st (holidays are not known)'],
  ];
  for (const [utc, date, why] of cases) {
    it(`the SPEI operation date of ${utc} is ${date}: ${why}`, () =>
      assert.equal(operationDate(Date.parse(utc)), date));
  }

  it('an SPEI operation date is never on a weekend', () => {
    const instants = fc.integer({ min: Date.UTC(2020, 0, 1), max: Date.UTC(2040, 0, 1) });
    fc.assert(
      fc.property(instants, fc.nat(5 * 86_400_000), (instant, later) => {
        const date = operationDate(instant);
        assert.ok(isDate(date));
        assert.ok(date <= operationDate(instant + later));
        assert.ok(date < nextOperationDate(date));
        const noon = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}T18:00:00Z`;
        assert.equal(operationDate(Date.parse(noon)), date);
      }),
    );
  });

  it('SPEI operation dates between two instants are listed across any weekend', () => {
    const dates = (from: string, to: string) => operationDates(Date.parse(from), Date.parse(to));
    assert.deepEqual(dates('2026-11-19T16:00:00Z', '2026-11-24T16:00:00Z'), [
      '20261119',
      '20261120',
      '20261123',
      '20261124',
    ]);
    assert.deepEqual(dates('2026-11-20T23:30:00Z', '2026-11-21T00:30:00Z'), ['20261120', '20261123']);
    assert.deepEqual(dates('2026-11-21T00:30:00Z', '2026-11-22T16:00:00Z'), ['20261123']);
  });

  it('the SPEI operation date after a Friday is Monday', () => assert.equal(nextOperationDate('20261120'), '20261123'));

  for (const text of ['', '2026112', '20261131', '20260230', '20260001', '2026-11-20', '202611200', 'abcdefgh']) {
    it(`the string “${text}” is not an SPEI date`, () => assert.equal(isDate(text), false));
  }
});
