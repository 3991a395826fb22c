/** Merges the metrics of several processes. Prometheus's text format requires all samples of a metric together. */

/** `pages` are in the text format. A label must distinguish the samples of the processes. */
export function mergeMetrics(pages: readonly string[]): string {
  const families = new Map<string, string[]>();
  for (const block of pages.flatMap((page) => page.split(/^(?=# HELP )/m))) {
    const [name] = /^# HELP \S+/.exec(block) ?? [];
    if (name === undefined) continue;
    const lines = block.trimEnd().split('\n');
    const known = families.get(name);
    if (known) known.push(...lines.filter((line) => !line.startsWith('#')));
    else families.set(name, lines);
  }
  return `${[...families.values()].map((lines) => lines.join('\n')).join('\n\n')}\n`;
}
