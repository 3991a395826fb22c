/** A time that all processes of this machine share, and that nobody sets: latencies across processes are taken by it. */

const offsetMs = Number(process.hrtime.bigint()) / 1e6 - performance.now();

export function monotonicMs(): number {
  return performance.now() + offsetMs;
}
