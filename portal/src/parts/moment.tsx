/** A time in the zone of the viewer, with UTC on hover. */
import { useWords } from '../words/words.ts';

const DAY_AND_TIME = new Intl.DateTimeFormat('en-GB', {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit' },
});

export function Moment({ at }: { at: string | null }) {
  const words = useWords();
  if (at === null) return <span className="muted">{words.none}</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {DAY_AND_TIME.format(new Date(at))}
    </time>
  );
}
