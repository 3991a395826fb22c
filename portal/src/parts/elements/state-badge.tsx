/** The state of an object as a word, in the colour of its kind. */
import { useWords } from '../../words/words.ts';

const COLORS: Readonly<Record<string, string>> = {
  success: 'green',
  delivered: 'green',
  credited: 'green',
  active: 'green',
  done: 'green',
  pending: 'yellow',
  due: 'yellow',
  held: 'orange',
  returning: 'yellow',
  test: 'orange',
  blocked: 'red',
  fail: 'red',
  undelivered: 'red',
  suspended: 'red',
  refused: 'red',
  failed: 'red',
  given_up: 'red',
  taken_back: 'red',
  revoked: 'red',
  open: 'red',
  resolved: 'green',
  checking: 'yellow',
  ready: 'petrol',
  submitted: 'yellow',
  finished: 'green',
  faulty: 'red',
  accepting: 'yellow',
  accepted: 'green',
  rejected: 'red',
  unproven: 'orange',
  up: 'green',
  down: 'red',
  probing: 'yellow',
  paused: 'orange',
  unattended: 'red',
  holds: 'green',
  broken: 'red',
  paid: 'green',
  executed: 'green',
  declined: 'red',
  charged_back: 'red',
};

export const stateColor = (state: string): string => COLORS[state] ?? 'gray';

/** `because` is the reason for a failure, below the state. A list has many badges, and Mantine’s would be slower. */
export function StateBadge({ state, text, because = null }: { state: string; text?: string; because?: string | null }) {
  const { states, whyNot } = useWords();
  const color = `var(--mantine-color-${stateColor(state)}-light`;
  return (
    <>
      <span className="state" style={{ background: `${color})`, color: `${color}-color)` }}>
        {text ?? states[state] ?? state}
      </span>
      {because === null ? null : <div className="muted">{whyNot[because] ?? because}</div>}
    </>
  );
}
