/**
 * One HTTP request and its entire response, collected from a dispatcher's callbacks. It serves the many small exchanges with
 * banks and merchants, for which a stream would cost too much. It opens no connection, follows no redirect and never retries.
 */

/**
 * The part of undici's dispatcher that this module uses. The creator of the dispatcher decides which connections it uses and
 * which servers it may reach.
 */
interface HttpDispatcher {
  dispatch(request: HttpRequest, collector: HttpCollector): boolean;
}

interface HttpRequest {
  /** Set if the dispatcher serves several origins. */
  readonly origin?: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer | null;
}

/** The callbacks that a dispatcher runs. */
interface HttpCollector {
  onRequestStart(controller: HttpController): void;
  onResponseStart(controller: HttpController, statusCode: number, headers: HttpAnswer['headers']): void;
  onResponseData(controller: HttpController, chunk: Buffer): void;
  onResponseEnd(): void;
  onResponseError(controller: HttpController, error: Error): void;
}

interface HttpController {
  abort(reason: Error): void;
}

interface HttpExchange {
  readonly request: HttpRequest;
  /** Aborts the exchange: drops its connection, and prevents a request that has not begun. */
  readonly signal: AbortSignal;
  /** The exchange drops the connection when a body exceeds this. */
  readonly largestBytes: number;
  /** Runs right before the first byte is written. If it throws, the exchange rejects with that error. */
  readonly beforeWriting?: () => void;
  /** Returns true for a status that suffices by itself, even if the response breaks off within its body. */
  readonly isEnough?: (statusCode: number) => boolean;
}

export interface HttpAnswer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: Buffer;
  /** True if `body` is incomplete. */
  readonly isCut: boolean;
}

/** Rejects with the cause of the failure, such as the signal's reason. */
export function exchangeHttp(dispatcher: HttpDispatcher, exchange: HttpExchange): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { signal } = exchange;
    if (signal.aborted) return reject(signal.reason);
    const collector = new Collector(exchange, resolve, reject);
    signal.addEventListener('abort', collector);
    dispatcher.dispatch(exchange.request, collector);
  });
}

const ENOUGH = new Error('the rest of the response is not read');

/** The collector is also the signal's listener, so that an exchange allocates no further function. */
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
    // An informational status, such as 103, precedes the response.
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

  /** Returns true if the exchange had already ended. */
  #end(): boolean {
    const wasOver = this.#isOver;
    this.#isOver = true;
    this.#exchange.signal.removeEventListener('abort', this);
    return wasOver;
  }
}
