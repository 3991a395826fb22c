/** The time since a moment, which a tooltip shows. */
import { now } from '../../browser.ts';
import { useWords } from '../../words/words.ts';
import { formatDuration } from './duration.ts';

export function Since({ at }: { at: string | null }) {
  const words = useWords();
  if (at === null) return <span className="muted">{words.none}</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {formatDuration(now().getTime() - Date.parse(at), words.charts.units)}
    </time>
  );
}
