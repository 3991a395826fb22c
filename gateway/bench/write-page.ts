/**
 * `npm run bench:page`: rewrites the page and the plots of docs/benchmarks from the stored results, after a change of their
 * code.
 */
import path from 'node:path';
import { readResults } from './report/results.ts';
import { writeReport } from './report/write-report.ts';

const folder = path.join(import.meta.dirname, '../../docs/benchmarks');
writeReport(folder, readResults(folder));
