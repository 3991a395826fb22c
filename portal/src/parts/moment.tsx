/** A time in the zone of the viewer, with UTC on hover. */
import { useSpeech } from '../words/words.ts';

const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  ...{ day: 'numeric', month: 'short', year: 'numeric' },
  ...{ hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false },
};
const FORMATS = {
  en: new Intl.DateTimeFormat('en-GB', DAY_AND_TIME),
  uk: new Intl.DateTimeFormat('uk', DAY_AND_TIME),
  // Browsers lack the Kazakh names of months.
  kk: new Intl.DateTimeFormat('ru', { ...DAY_AND_TIME, day: '2-digit', month: '2-digit' }),
};

export function Moment({ at }: { at: string | null }) {
  const { language, words } = useSpeech();
  if (at === null) return <span className="muted">{words.none}</span>;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {FORMATS[language].format(new Date(at))}
    </time>
  );
}
