/** Selects light or dark before the component library loads: the user’s choice in this browser, otherwise the system’s. */

/** The key under which the component library stores the choice. */
const KEY = 'mantine-color-scheme-value';
const ATTRIBUTE = 'data-mantine-color-scheme';

export function followColorScheme(): void {
  const dark = window.matchMedia('(prefers-color-scheme: dark)');
  const show = () => {
    const chosen = localStorage.getItem(KEY);
    const scheme = chosen === 'light' || chosen === 'dark' ? chosen : dark.matches ? 'dark' : 'light';
    document.documentElement.setAttribute(ATTRIBUTE, scheme);
  };
  dark.addEventListener('change', show);
  window.addEventListener('storage', show);
  show();
}

/**
 * Switches to the other colour scheme and stores it. The event, which other tabs get from the browser, also reaches the
 * component library.
 */
export function toggleColorScheme(): void {
  const newValue = document.documentElement.getAttribute(ATTRIBUTE) === 'dark' ? 'light' : 'dark';
  localStorage.setItem(KEY, newValue);
  window.dispatchEvent(new StorageEvent('storage', { key: KEY, newValue, storageArea: localStorage }));
}
