/** The innermost elements that reach beyond the page, so that a failure names its cause. */
function widest(clientWidth) {
  const isWide = (element) => element.getBoundingClientRect().right > clientWidth + 0.5;
  return [...document.body.querySelectorAll('*')]
    .filter((element) => isWide(element) && ![...element.children].some(isWide))
    .map((element) => element.outerHTML.slice(0, 160))
    .join(' | ');
}

/** In letters. A longer word may be wider than its column. */
const SHORT = 16;

/** Functions that a test calls inside a page, injected before the page's own script. */
globalThis.probes = {
  async violations(runOnly) {
    if (!globalThis.axe) globalThis.loadAxe();
    const options = { runOnly, resultTypes: ['violations'], preload: false };
    const { violations } = await globalThis.axe.run({ exclude: ['iframe'] }, options);
    return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary}`));
  },

  /** Elements that are wider than the page or cut off: a payer would have to scroll sideways, or miss them. */
  overflow(where) {
    const { clientWidth, scrollWidth } = document.documentElement;
    const cut = [...document.querySelectorAll('button, button span, a, h1, p, dd, label')].filter(
      (element) =>
        element.checkVisibility() && element.clientWidth > 1 && element.scrollWidth > element.clientWidth + 1,
    );
    const wide =
      scrollWidth > clientWidth ? [`${where}: the page is ${scrollWidth} px wide: ${widest(clientWidth)}`] : [];
    return [...wide, ...cut.map((element) => `${where}: cut off: ${element.textContent}`)];
  },

  /** Short words of code that break across lines, such as an option after its hyphens. */
  broken(where) {
    const broken = [];
    for (const code of [...document.querySelectorAll('.code:not(pre)')].filter((element) =>
      element.checkVisibility(),
    )) {
      const walk = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node; node = walk.nextNode())
        for (const { 0: word, index } of node.data.matchAll(/\S+/g)) {
          const range = document.createRange();
          range.setStart(node, index);
          range.setEnd(node, index + word.length);
          const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
          if (word.length <= SHORT && lines.size > 1) broken.push(`${where}: breaks across lines: ${word}`);
        }
    }
    return broken;
  },

  /** Elements with a transition or an animation, although the person prefers reduced motion. A page in transition cannot be measured either. */
  moving() {
    const moves = (element) => {
      const { transitionDuration, animationName } = getComputedStyle(element);
      return /[1-9]/.test(transitionDuration) || animationName !== 'none';
    };
    return [...document.body.querySelectorAll('*')]
      .filter((element) => element.checkVisibility() && moves(element))
      .map((element) => `moves: ${element.tagName.toLowerCase()}.${element.className}`);
  },

  /** Controls without a border: forced colours show nothing else of their area. A list of banks has lines between its rows. */
  unframed() {
    return [...document.querySelectorAll('button, .button, input:not([type=hidden]), textarea')]
      .filter((element) => element.checkVisibility())
      .filter((element) => !element.matches('.link-button, .visually-hidden, .choices--compact .choice'))
      .filter((element) => getComputedStyle(element).borderTopWidth === '0px')
      .map((element) => `no border in forced colours: ${element.outerHTML.slice(0, 120)}`);
  },

  /** The visible texts, without code and values that somebody typed into a field. */
  texts() {
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const texts = new Set();
    for (let node = walk.nextNode(); node; node = walk.nextNode()) {
      const { parentElement: at } = node;
      if (at.checkVisibility() && !at.closest('.code, code, pre, kbd, [lang]:not(html)')) texts.add(node.data.trim());
    }
    return [...texts];
  },

  /** The language and the content of the page without its menu, and without the ids that each load invents. */
  content() {
    const content = document.querySelector('main')?.outerHTML ?? document.body.outerHTML;
    return document.documentElement.lang + content.replace(/(mantine-|_r_)[a-z0-9]+_?/g, '');
  },

  /** WCAG asks for 24 px, a thumb on a small phone needs 44. Links within a sentence are excluded. */
  smallTargets() {
    return [...document.querySelectorAll('button:not([aria-hidden]), a, summary, input:not([type=hidden]), textarea')]
      .filter((element) => element.checkVisibility() && !element.closest('.notice'))
      .filter((element) => element.getBoundingClientRect().height < 43.5)
      .map((element) => `smaller than 44 px: ${element.outerHTML.slice(0, 120)}`);
  },

  doubleText() {
    document.documentElement.style.setProperty('font-size', '200%');
  },

  /** A name for each element that the keyboard can reach. */
  reachable() {
    return [...document.querySelectorAll('button, a[href], input:not([type=hidden]), textarea, summary')]
      .filter((element) => element.checkVisibility() && !element.disabled && element.tabIndex >= 0)
      .map((element) => globalThis.probes.nameOf(element));
  },

  /** The focused element, and whether its focus is visible. */
  focused() {
    const element = document.activeElement;
    if (element === null || element === document.body) return null;
    const { outlineStyle, outlineWidth } = getComputedStyle(element);
    return { name: globalThis.probes.nameOf(element), isVisible: outlineStyle !== 'none' && outlineWidth !== '0px' };
  },

  nameOf(element) {
    return `${element.tagName} ${element.id || element.value || element.getAttribute('href') || element.textContent}`;
  },
};
