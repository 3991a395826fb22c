/** A time in the viewer's time zone, with UTC in a tooltip. */
import { now } from '../../browser.ts';
import { useSignInSpeech } from '../../words/words.ts';

const DAY_AND_TIME: Intl.DateTimeFormatOptions = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
};
/** Browsers lack the Kazakh names of months. */
const KAZAKH: Intl.DateTimeFormatOptions = { day: '2-digit', month: '2-digit' };

function formatsOf(options: Intl.DateTimeFormatOptions) {
  return {
    en: new Intl.DateTimeFormat('en-GB', options),
    uk: new Intl.DateTimeFormat('uk', options),
    kk: new Intl.DateTimeFormat('ru', options.month ? { ...options, ...KAZAKH } : options),
  };
}

const FORMATS = formatsOf(DAY_AND_TIME);
const TIMES = formatsOf({ hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false });
const DAYS = formatsOf({ day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', hour12: false });

/** Calendar days, which are the same for every viewer. */
const DATES = formatsOf({ day: 'numeric', month: 'short', timeZone: 'UTC' });

/** Returns a function that formats the day at the beginning of a text for readers, and leaves the rest unchanged. */
export function useShortDays(): (text: string) => string {
  const { language } = useSignInSpeech();
  return (text) => text.replace(/^\d{4}-\d{2}-\d{2}/, (day) => DATES[language].format(new Date(day)));
}

/** A time to come. One that has passed waits for its turn, such as behind a paused server. */
export function DueMoment({ at, isShort = false }: { at: string; isShort?: boolean }) {
  const { words } = useSignInSpeech();
  return Date.parse(at) > now().getTime() ? <Moment at={at} isShort={isShort} /> : words.dueNow;
}

/** With `isShort`, omits the day if it is today, otherwise the seconds. */
export function Moment({ at, isShort = false }: { at: string | null; isShort?: boolean }) {
  const { language, words } = useSignInSpeech();
  if (at === null) return <span className="muted">{words.none}</span>;
  const time = new Date(at);
  const short = time.toDateString() === now().toDateString() ? TIMES : DAYS;
  return (
    <time dateTime={at} title={`${at.slice(0, 19).replace('T', ' ')} UTC`}>
      {(isShort ? short : FORMATS)[language].format(time)}
    </time>
  );
}
