/** Sets the title of the tab to the heading of the page, so that tabs, bookmarks and the history are distinguishable. */
export function followHeading(root: HTMLElement): void {
  const product = document.title;
  const follow = () => {
    const heading = root.querySelector('h1')?.textContent;
    const title = heading ? `${heading} · ${product}` : product;
    if (document.title !== title) document.title = title;
  };
  new MutationObserver(follow).observe(root, { childList: true, subtree: true, characterData: true });
}
