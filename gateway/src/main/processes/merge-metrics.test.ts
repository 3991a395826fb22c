import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { machineReadiness } from './machine-readiness.ts';
import { mergeMetrics } from './merge-metrics.ts';

describe('mergeMetrics', () => {
  it('mergeMetrics groups the samples of all processes by metric, with one HELP and TYPE each', () => {
    const one = '# HELP a First.\n# TYPE a counter\na{p="1"} 1\n\n# HELP b Second.\n# TYPE b gauge\nb{p="1"} 2\n';
    const two =
      '# HELP b Second.\n# TYPE b gauge\nb{p="2"} 3\n\n# HELP c # HELP is a word.\n# TYPE c gauge\nc{p="2"} 4\n';
    assert.equal(
      mergeMetrics([one, two]),
      '# HELP a First.\n# TYPE a counter\na{p="1"} 1\n\n' +
        '# HELP b Second.\n# TYPE b gauge\nb{p="1"} 2\nb{p="2"} 3\n\n' +
        '# HELP c # HELP is a word.\n# TYPE c gauge\nc{p="2"} 4\n',
    );
  });
});

describe('the readiness of a machine with several processes', () => {
  const whole = (answers: Record<string, string>, draining = false) =>
    machineReadiness(new Map(Object.entries(answers)), { draining }).status;

  it('a machine is ready while at least one process is, and otherwise reports a reason', () => {
    assert.equal(whole({ 1: 'database unreachable', 2: 'ready' }), 'ready');
    assert.equal(whole({ 1: 'database unreachable', 2: 'database unreachable' }), 'database unreachable');
    assert.equal(whole({}), 'starting');
  });

  it('a machine is not ready while it drains, or when a process gives an unknown response', () => {
    assert.equal(whole({ 1: 'ready' }, true), 'draining');
    assert.equal(whole({ 1: 'toString' }), 'starting');
  });
});
