/** `npm run bench:page`: writes page and pictures of docs/benchmarks anew from its results, after their code has changed. */
import path from 'node:path';
import { readResults } from './report/results.ts';
import { writeReport } from './report/write-report.ts';

const folder = path.join(import.meta.dirname, '../../docs/benchmarks');
writeReport(folder, readResults(folder));
