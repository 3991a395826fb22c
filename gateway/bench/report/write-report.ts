/** Writes results, plots and the page to a folder. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { drawPlot, PLOTS } from '../plots/plots.ts';
import { renderPage } from './page.ts';
import { type Results, writeResults } from './results.ts';

export function writeReport(folder: string, results: Results): void {
  writeResults(folder, results);
  for (const [name, text] of reportFiles(results)) writeFileSync(path.join(folder, name), text);
}

/** Returns the files that are derived from the results, by name. */
export function reportFiles(results: Results): Map<string, string> {
  const files = new Map([['README.md', renderPage(results)]]);
  for (const plot of PLOTS) {
    const drawn = drawPlot(plot, results);
    if (drawn !== undefined) files.set(`${plot.name}.svg`, drawn);
  }
  return files;
}
