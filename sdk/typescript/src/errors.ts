/** The gateway rejected this request, which had no effect. `message` is its reason, such as `Insufficient funds`. */
export class RequestRejected extends Error {
  override readonly name = 'RequestRejected';
}

/** It is unknown whether the payment happened. Never use a new id: send the same request again later, or query it. */
export class OutcomeUnknown extends Error {
  override readonly name = 'OutcomeUnknown';
}

/** A callback is forged, altered or too old. Return HTTP 400. */
export class InvalidSignature extends Error {
  override readonly name = 'InvalidSignature';
}
