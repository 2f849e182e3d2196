import type { ModelEvent, ModelRequest } from '@wrongstack/contracts';
import { Provider, ProviderError } from '@wrongstack/contracts';
import type { Endpoint } from './http/endpoint.js';
import { endpointOf } from './http/endpoint.js';
import { excerpt } from './http/excerpt.js';
import { IdleWatch } from './http/idle-watch.js';
import { silent, truncated, unreachable } from './http/network-errors.js';
import { type HttpAnswer, postJson, type Send } from './http/post-json.js';
import { readServerSentEvents } from './http/read-server-sent-events.js';
import { isSendableKey, requestHeaders } from './http/request-headers.js';
import type { ErrorPlace } from './http/response-errors.js';
import { errorOfResponse, hintOfStreamError } from './http/response-errors.js';
import { wireJson } from './json-fields.js';
import type { WireFormat } from './wire-format.js';
import { malformed, WireFailure } from './wire-format.js';

const IDLE_MS = 180_000;
/** Servers end the body right behind the answer; one that does not is not waited for. */
const END_OF_BODY_MS = 100;
const LONGEST_ERROR_BODY = 16 * 1024;
/** Many times what any model may say in one answer; a server that never ends must not fill the memory. */
const LONGEST_ANSWER = 64 * 1024 * 1024;

export interface WireFormatProviderOptions {
  readonly apiKey?: string;
  readonly baseUrl?: string;
  /** Extra headers of every request; authentication is the wire format's alone. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Instead of Node's own client; `fetch` fits. */
  readonly fetch?: Send;
  /** Longest silence, before the first byte and between any two. */
  readonly idleTimeoutMs?: number;
  /** How the credential is called in messages; the format's usual name when missing. */
  readonly credential?: string;
  /** Allow `http:` to other machines. */
  readonly allowInsecureHttp?: boolean;
  readonly now?: () => number;
}

/** A model server spoken to over HTTP in one {@link WireFormat}, streaming. */
export class WireFormatProvider extends Provider {
  readonly type: string;
  readonly endpoint: string;
  private readonly target: Endpoint;
  private readonly apiKey: string | undefined;
  private readonly place: ErrorPlace;

  constructor(
    private readonly format: WireFormat,
    private readonly options: WireFormatProviderOptions = {},
  ) {
    super();
    this.type = format.type;
    this.target = endpointOf(
      options.baseUrl ?? format.defaultBaseUrl,
      format.path,
      options.allowInsecureHttp === true,
    );
    this.endpoint = this.target.host;
    this.apiKey = options.apiKey?.trim() || undefined;
    this.place = {
      host: this.target.host,
      credential: options.credential ?? format.credential,
      secrets: [this.apiKey, ...Object.values(options.headers ?? {})].filter((value) => value !== undefined),
      now: options.now ?? Date.now,
    };
  }

  override async *stream(
    request: ModelRequest,
    { signal }: { readonly signal: AbortSignal },
  ): AsyncGenerator<ModelEvent, void, undefined> {
    signal.throwIfAborted();
    this.checkKey();
    const watch = new IdleWatch(signal, this.options.idleTimeoutMs ?? IDLE_MS);
    try {
      const response = await this.send(request, watch.signal);
      watch.alive();
      if (!response.ok) throw await this.refused(response);
      yield* this.decode(request, response, watch);
    } catch (thrown) {
      signal.throwIfAborted();
      const answered = thrown instanceof ProviderError && thrown.status !== undefined;
      if (watch.timedOut && !answered) throw silent(this.options.idleTimeoutMs ?? IDLE_MS, this.place);
      throw thrown instanceof WireFailure ? this.reported(thrown) : thrown;
    } finally {
      watch.dispose();
    }
  }

  private checkKey(): void {
    const { host, credential } = this.place;
    if (this.apiKey === undefined && this.format.needsKey && !this.target.loopback) {
      throw new ProviderError('provider.auth', `no key for ${host}`, {
        retryable: false,
        hint: `set ${credential} or use wstack auth set`,
      });
    }
    if (this.apiKey !== undefined && !isSendableKey(this.apiKey)) {
      throw new ProviderError(
        'provider.auth',
        `the key for ${host} holds blanks or other illegal characters`,
        {
          retryable: false,
          hint: `check ${credential}`,
        },
      );
    }
  }

  private async send(request: ModelRequest, signal: AbortSignal): Promise<HttpAnswer> {
    const send = this.options.fetch ?? postJson;
    try {
      return await send(this.target.url, {
        method: 'POST',
        headers: requestHeaders(this.format, this.apiKey, this.options.headers, request.headers),
        body: wireJson(this.format.encode(request)),
        redirect: 'manual',
        signal,
      });
    } catch (thrown) {
      throw thrown instanceof WireFailure ? thrown : unreachable(thrown, this.place);
    }
  }

  private async refused(response: HttpAnswer): Promise<ProviderError> {
    const chunks: Uint8Array[] = [];
    let size = 0;
    try {
      for await (const chunk of bodyOf(response)) {
        chunks.push(chunk);
        size += chunk.byteLength;
        if (size >= LONGEST_ERROR_BODY) break;
      }
    } catch {
      // The status alone says enough.
    }
    const body = Buffer.concat(chunks).toString('utf8');
    return errorOfResponse(response.status, response.headers, body, this.place);
  }

  private async *decode(
    request: ModelRequest,
    response: HttpAnswer,
    watch: IdleWatch,
  ): AsyncGenerator<ModelEvent, void, undefined> {
    const contentType = response.headers.get('content-type') ?? '';
    if (/^(?:text\/html|application\/json)\b/i.test(contentType)) {
      throw new WireFailure('provider.malformed', `answers ${contentType}, not an event stream`, false);
    }
    const decoder = this.format.decoder(request);
    const events = readServerSentEvents(this.bytesOf(response, watch));
    for (let next = await events.next(); !next.done; next = await events.next()) {
      for (const decoded of decoder.push(next.value)) {
        // What a server sends after the end of its answer is not part of it.
        if (decoded.type === 'done') await endOfBody(events);
        yield decoded;
        if (decoded.type === 'done') return;
      }
    }
    for (const decoded of decoder.end()) {
      yield decoded;
      if (decoded.type === 'done') return;
    }
    throw truncated(this.place);
  }

  private async *bytesOf(
    response: HttpAnswer,
    watch: IdleWatch,
  ): AsyncGenerator<Uint8Array, void, undefined> {
    let length = 0;
    try {
      for await (const chunk of bodyOf(response)) {
        length += chunk.byteLength;
        if (length > LONGEST_ANSWER) throw malformed('an answer is larger than 64 MiB');
        // A slow reader is not a silent server.
        watch.pause();
        yield chunk;
        watch.alive();
      }
    } catch (thrown) {
      throw thrown instanceof WireFailure ? thrown : truncated(this.place, thrown);
    }
  }

  private reported(failure: WireFailure): ProviderError {
    const { host, credential, secrets } = this.place;
    const detail = excerpt(failure.message, secrets);
    const hint = hintOfStreamError(failure.failure, credential);
    return new ProviderError(failure.failure, `${host}: ${detail}`, { retryable: failure.retryable, hint });
  }
}

/**
 * Gives a body that is about to end the time to do so: its connection can then serve the next turn, while one that is
 * broken off costs another handshake. Whatever still comes is dropped.
 */
async function endOfBody(events: AsyncGenerator<unknown, void, undefined>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<void>((resolve) => (timer = setTimeout(resolve, END_OF_BODY_MS)));
  const end = async (): Promise<void> => {
    while (!(await events.next()).done);
  };
  // A failure behind the answer is none of it.
  await Promise.race([end().catch(() => undefined), late]);
  clearTimeout(timer);
}

function bodyOf(response: HttpAnswer): AsyncIterable<Uint8Array> {
  return response.body ?? nothing();
}

async function* nothing(): AsyncGenerator<Uint8Array, void, undefined> {
  // A response without a body.
}
