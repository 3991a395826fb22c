import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { deviceName } from './device-name.ts';

const WEBKIT = 'AppleWebKit/537.36 (KHTML, like Gecko)';
const IPHONE = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko)';

describe('the device of a session', () => {
  for (const [userAgent, name] of [
    [`Mozilla/5.0 (X11; Linux x86_64) ${WEBKIT} Chrome/153.0.0.0 Safari/537.36`, 'Chrome · Linux'],
    [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${WEBKIT} Chrome/153.0.0.0 Safari/537.36 Edg/153.0`, 'Edge · Windows'],
    [`Mozilla/5.0 (Linux; Android 15; Pixel 9) ${WEBKIT} Chrome/153.0.0.0 Mobile Safari/537.36`, 'Chrome · Android'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:140.0) Gecko/20100101 Firefox/140.0', 'Firefox · macOS'],
    [`${IPHONE} Version/18.5 Mobile/15E148 Safari/604.1`, 'Safari · iOS'],
    ['curl/8.14.1', 'curl/8.14.1'],
  ] as const)
    it(`a session of “${userAgent}” is shown as ${name}`, () => assert.equal(deviceName(userAgent), name));
});
