import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createForwardedWatch } from './forwarded-watch.ts';

function watching(...trusted: string[]) {
  const proxies: string[] = [];
  const watch = createForwardedWatch(trusted, (address) => proxies.push(address));
  const send = (address: string, times: number) => {
    for (let request = 0; request < times; request++) watch.seen(address);
  };
  return { send, proxies };
}

it('the proxy watch reports an untrusted address after every twenty consecutive forwarded requests', () => {
  const { send, proxies } = watching();
  send('10.0.0.4', 19);
  assert.deepEqual(proxies, []);
  send('10.0.0.4', 1);
  assert.deepEqual(proxies, ['10.0.0.4']);
  send('10.0.0.4', 39);
  assert.deepEqual(proxies, ['10.0.0.4', '10.0.0.4']);
});

it('the proxy watch never reports a trusted proxy', () => {
  const { send, proxies } = watching('10.0.0.0/24');
  send('10.0.0.4', 100);
  assert.deepEqual(proxies, []);
});

it('the proxy watch reports an untrusted proxy while a trusted proxy also forwards requests', () => {
  const { send, proxies } = watching('10.0.0.4');
  for (let turn = 0; turn < 20; turn++) {
    send('10.0.0.4', 3);
    send('10.0.0.5', 1);
  }
  assert.deepEqual(proxies, ['10.0.0.5']);
});

it('the proxy watch does not report many clients that each send X-Forwarded-For', () => {
  const { send, proxies } = watching();
  for (let stranger = 0; stranger < 100; stranger++) send(`203.0.113.${stranger}`, 5);
  assert.deepEqual(proxies, []);
});
