import type { ModelEvent, ModelRequest, ProviderErrorCode, ProviderFamily } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';

/** One event of a `text/event-stream` body, as the specification of server-sent events dispatches it. */
export interface ServerSentEvent {
  /** `message` where the stream names none. */
  readonly event: string;
  readonly data: string;
}

/**
 * Turns the events of one response into ours. Throws {@link WireFailure} for what the provider reports in the stream
 * and for what is not in its format. Emits exactly one `done`, as the last event.
 */
export interface StreamDecoder {
  push(event: ServerSentEvent): readonly ModelEvent[];
  /** The body ended in good order without a `done` so far: the last chance for formats whose end mark is optional. */
  end(): readonly ModelEvent[];
}

/** How one family of model servers is spoken to: all that differs between them, and nothing of HTTP. */
export interface WireFormat {
  readonly type: string;
  readonly family: ProviderFamily;
  readonly defaultBaseUrl: string;
  /** Appended to the base URL. */
  readonly path: string;
  /** The credential's usual name, for messages. */
  readonly credential: string;
  /** False where servers without a key are usual. */
  readonly needsKey: boolean;
  headers(apiKey: string | undefined): Readonly<Record<string, string>>;
  /** The JSON body. */
  encode(request: ModelRequest): unknown;
  decoder(request: ModelRequest): StreamDecoder;
}

/** A response that failed inside its stream. The provider adds the host and takes secrets out. */
export class WireFailure extends WrongStackError {
  override readonly name = 'WireFailure';
  readonly failure: ProviderErrorCode;
  readonly retryable: boolean;

  constructor(failure: ProviderErrorCode, message: string, retryable: boolean) {
    super(failure, message);
    this.failure = failure;
    this.retryable = retryable;
  }
}

export function malformed(what: string): WireFailure {
  return new WireFailure('provider.malformed', what, false);
}
