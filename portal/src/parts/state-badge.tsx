/** The state of an object as a word, with the colour of its kind. */
import { Badge } from '@mantine/core';
import { useWords } from '../words/words.ts';

const COLORS: Readonly<Record<string, string>> = {
  ...{ success: 'green', delivered: 'green', credited: 'green', active: 'green', done: 'green' },
  ...{ pending: 'yellow', created: 'gray', due: 'yellow', held: 'orange', returning: 'yellow', test: 'orange' },
  ...{ blocked: 'red', fail: 'red', undelivered: 'red', suspended: 'red', refused: 'red', failed: 'red' },
  ...{ given_up: 'red', taken_back: 'red', revoked: 'red', expired: 'gray', open: 'red', resolved: 'green' },
  ...{ accepted: 'green', rejected: 'red', unproven: 'orange' },
  ...{ up: 'green', down: 'red', probing: 'yellow', paused: 'orange', unattended: 'red', collecting: 'gray' },
};

export function StateBadge({ state }: { state: string }) {
  const words = useWords();
  return (
    <Badge variant="light" color={COLORS[state] ?? 'gray'} radius="sm" className="state">
      {words.states[state] ?? state}
    </Badge>
  );
}
