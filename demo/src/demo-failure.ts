/** What keeps the demo from going on and the reader can mend or should know: its message is one sentence for them. */
export class DemoFailure extends Error {
  override readonly name = 'DemoFailure';
}
