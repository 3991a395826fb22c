/** Gives the tab the heading of its page as its title, so that tabs, bookmarks and the history tell the pages apart. */
export function followHeading(root: HTMLElement): void {
  const product = document.title;
  const follow = () => {
    const heading = root.querySelector('h1')?.textContent;
    const title = heading ? `${heading} · ${product}` : product;
    if (document.title !== title) document.title = title;
  };
  new MutationObserver(follow).observe(root, { childList: true, subtree: true, characterData: true });
}
