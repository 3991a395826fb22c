/**
 * One HTTP request and its whole answer, collected from what a dispatcher calls in turn: for the many small exchanges with
 * banks and merchants, where a stream and its machinery would cost more than what comes over it. It opens no connection,
 * follows no redirect and tries nothing again.
 */

/** As undici has it; whose connections are used, and who may be connected to, is said by whoever made it. */
export interface HttpDispatcher {
  dispatch(request: HttpRequest, collector: HttpCollector): boolean;
}

export interface HttpRequest {
  /** Where the dispatcher is for more than one. */
  readonly origin?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

/** What a dispatcher calls. */
export interface HttpCollector {
  onRequestStart(controller: HttpController): void;
  onResponseStart(controller: HttpController, statusCode: number, headers: HttpAnswer['headers']): void;
  onResponseData(controller: HttpController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: HttpController, error: Error): void;
}

export interface HttpController {
  abort(reason: Error): void;
}

export interface HttpExchange {
  readonly request: HttpRequest;
  /** Ends the exchange: its connection is dropped, and what has not begun is never written. */
  readonly signal: AbortSignal;
  /** More of a body is not read: the connection is dropped. */
  readonly largestBytes: number;
  /** The last look before the first byte is written; what it throws is what the exchange fails of. */
  readonly beforeWriting?: () => void;
  /** True where the status says everything: then an answer that breaks off within its body is one without a body. */
  readonly isEnough?: (statusCode: number) => boolean;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** The body was longer than what was read of it. */
  readonly isCut: boolean;
}

/** Rejects with what went wrong, the signal's reason included. */
export function exchangeHttp(dispatcher: HttpDispatcher, exchange: HttpExchange): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal } = exchange;
    if (signal.aborted) return reject(signal.reason);
    const collector = new Collector(exchange, resolve, reject);
    signal.addEventListener('abort', collector);
    dispatcher.dispatch(exchange.request, collector);
  });
}

const ENOUGH = new Error('the rest of the answer is not read');

/** What undici calls in turn; it listens to the signal too, so that an exchange needs no further function. */
class Collector implements HttpCollector {
  readonly #exchange: HttpExchange;
  readonly #resolve: (answer: HttpAnswer) => void;
  readonly #reject: (error: unknown) => void;
  readonly #chunks: Buffer[] = [];
  #bytes = 0;
  #answer: Pick<HttpAnswer, 'statusCode' | 'headers'> | undefined;
  #controller: HttpController | undefined;
  #isOver = false;

  constructor(exchange: HttpExchange, resolve: (answer: HttpAnswer) => void, reject: (error: unknown) => void) {
    this.#exchange = exchange;
    this.#resolve = resolve;
    this.#reject = reject;
  }

  handleEvent(): void {
    const { reason } = this.#exchange.signal;
    this.#fail(reason);
    this.#controller?.abort(reason);
  }

  onRequestStart(controller: HttpController): void {
    this.#controller = controller;
    if (this.#isOver) controller.abort(this.#exchange.signal.reason);
    else this.#exchange.beforeWriting?.();
  }

  onResponseStart(_controller: HttpController, statusCode: number, headers: HttpAnswer['headers']): void {
    // What comes before the answer itself, such as 103, is not it.
    if (statusCode >= 200) this.#answer = { statusCode, headers };
  }

  onResponseData(controller: HttpController, chunk: Buffer): void {
    this.#chunks.push(chunk);
    this.#bytes += chunk.length;
    if (this.#bytes <= this.#exchange.largestBytes) return;
    this.#succeed(true);
    controller.abort(ENOUGH);
  }

  onResponseEnd(): void {
    this.#succeed(false);
  }

  onResponseError(_controller: HttpController, error: Error): void {
    this.#fail(error);
  }

  #succeed(isCut: boolean): void {
    if (this.#answer === undefined || this.#end()) return;
    const [only] = this.#chunks;
    const whole = this.#chunks.length === 1 && only !== undefined ? only : Buffer.concat(this.#chunks);
    const body = isCut ? whole.subarray(0, this.#exchange.largestBytes) : whole;
    this.#resolve({ ...this.#answer, body, isCut });
  }

  #fail(error: unknown): void {
    if (this.#end()) return;
    const answer = this.#answer;
    if (answer !== undefined && this.#exchange.isEnough?.(answer.statusCode)) {
      this.#resolve({ ...answer, body: Buffer.alloc(0), isCut: true });
    } else this.#reject(error);
  }

  /** True when it was over before. */
  #end(): boolean {
    const wasOver = this.#isOver;
    this.#isOver = true;
    this.#exchange.signal.removeEventListener('abort', this);
    return wasOver;
  }
}
