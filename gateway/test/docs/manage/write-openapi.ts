/** Writes openapi/manage.json: `npx node gateway/test/docs/manage/write-openapi.ts`, after a change of gateway/contract. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeApi } from '../../../contract/describe-api.ts';
import { ROOT } from '../pages.ts';

writeFileSync(join(ROOT, 'openapi/manage.json'), `${JSON.stringify(describeApi(), null, 2)}\n`);
console.log('wrote openapi/manage.json');
