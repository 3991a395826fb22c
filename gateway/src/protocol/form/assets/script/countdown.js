/** Shows the end of the time to pay, and counts the last hour down. The server decides when the time is over. */

import { momentText } from './moment.js';
import { find, language } from './page-elements.js';
import { reloadPage } from './reload.js';

const WARNING_SECONDS = 120;

/** `24:05` or `3:24:05`, the same in every language. */
function clockText(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] > 0 ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}

const HOUR_SECONDS = 3600;
const DAY_MS = 24 * 3600 * 1000;

/** `today 18:20` or `tomorrow 18:20` in the payer's zone and language; a later day by its date. */
function untilText(end, words) {
  const midnight = new Date().setHours(0, 0, 0, 0);
  const days = Math.round((new Date(end).setHours(0, 0, 0, 0) - midnight) / DAY_MS);
  const day = words.days.split('|')[days];
  const clock = new Intl.DateTimeFormat(language, { hour: 'numeric', minute: '2-digit' }).format(end);
  return day === undefined ? momentText(new Date(end), words) : `${day} ${clock}`;
}

export function countDown(time) {
  const end = Date.now() + Number(time.dataset.secondsLeft) * 1000;
  let hasWarned = false;
  const show = () => {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    const text =
      left > HOUR_SECONDS
        ? time.dataset.until.replace('#', untilText(end, time.dataset))
        : time.dataset.text.replace('#', clockText(left));
    // A screen reader may repeat a text that is written again.
    if (time.textContent !== text) time.textContent = text;
    time.parentElement.toggleAttribute('data-short', left <= WARNING_SECONDS);
    if (left <= WARNING_SECONDS && left > 0 && !hasWarned) {
      hasWarned = true;
      find('[data-announcer]').textContent = time.dataset.warning;
    }
    if (left > 0) return;
    clearInterval(ticking);
    // The server's clock may be slightly behind.
    setTimeout(reloadPage, 2000);
  };
  const ticking = setInterval(show, 1000);
  show();
}
