/** A failure of the demo that the reader can fix or should know about. Its message is one sentence for the reader. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}
