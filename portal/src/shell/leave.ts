/** Reloading the page discards everything that the browser has read for the last team. */
export async function leave(act: () => Promise<unknown>, to: string): Promise<void> {
  await act();
  window.location.assign(to);
}
