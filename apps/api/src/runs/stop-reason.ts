/** Why a run is stopped from outside. The first reason counts. */
export type StopReason =
  | { readonly kind: 'cancelled'; readonly by: string }
  | { readonly kind: 'time' }
  | { readonly kind: 'gone'; readonly because: string }
  | { readonly kind: 'process-ends' }
  /** Somebody else has settled it: nothing may be written any more. */
  | { readonly kind: 'taken' };

export class RunStop {
  readonly #controller = new AbortController();
  #reason: StopReason | null = null;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  get reason(): StopReason | null {
    return this.#reason;
  }

  stop(reason: StopReason): void {
    this.#reason ??= reason;
    this.#controller.abort(new DOMException(reason.kind, 'AbortError'));
  }
}
