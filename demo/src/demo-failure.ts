/** A failure of the demo that the reader can repair or should know: its message is one sentence for them. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}
