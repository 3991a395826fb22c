import assert from 'node:assert/strict';
import { it } from 'node:test';
import { formatDuration } from './duration.ts';

it('a duration is shown by its two largest units', () => {
  const shown = [0, 59_999, 60_000, 3_600_000, 5_400_000, 93_600_000, 864_000_000].map((ms) => formatDuration(ms));
  assert.deepEqual(shown, ['< 1 min', '< 1 min', '1 min', '1 h', '1 h 30 min', '1 d 2 h', '10 d']);
});
