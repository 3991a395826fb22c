/** Counts down the remaining time every second. The server decides when the time is over. */

import { find, reloadPage } from './page-elements.js';

const WARNING_SECONDS = 120;

/** `24:05` or `3:24:05`, the same in every language. */
function clockText(seconds) {
  const parts = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, seconds % 60];
  const shown = parts[0] > 0 ? parts : parts.slice(1);
  return shown.map((part, index) => (index ? String(part).padStart(2, '0') : part)).join(':');
}

export function countDown(time) {
  const end = Date.now() + Number(time.dataset.secondsLeft) * 1000;
  let hasWarned = false;
  const show = () => {
    const left = Math.max(0, Math.round((end - Date.now()) / 1000));
    time.textContent = time.dataset.text.replace('#', clockText(left));
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
