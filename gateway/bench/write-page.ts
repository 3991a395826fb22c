/** `npm run bench:page`: rewrites the page and plots of docs/benchmarks from the results, after a change of their code. */
import path from 'node:path';
import { readResults } from './report/results.ts';
import { writeReport } from './report/write-report.ts';

const folder = path.join(import.meta.dirname, '../../docs/benchmarks');
writeReport(folder, readResults(folder));
