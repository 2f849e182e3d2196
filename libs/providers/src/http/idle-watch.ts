/**
 * One request's clock and kill switch: aborts when the caller does, or after `idleMs` without a sign of life.
 * `dispose` is owed; a timer left behind would keep the process alive.
 */
export class IdleWatch {
  private readonly controller = new AbortController();
  private timer: ReturnType<typeof setTimeout> | undefined;
  private expired = false;

  constructor(
    private readonly outer: AbortSignal,
    private readonly idleMs: number,
  ) {
    if (outer.aborted) this.followOuter();
    else outer.addEventListener('abort', this.followOuter, { once: true });
    this.alive();
  }

  get signal(): AbortSignal {
    return this.controller.signal;
  }

  get timedOut(): boolean {
    return this.expired && !this.outer.aborted;
  }

  alive(): void {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.expired = true;
      this.controller.abort();
    }, this.idleMs);
  }

  pause(): void {
    clearTimeout(this.timer);
  }

  dispose(): void {
    clearTimeout(this.timer);
    this.outer.removeEventListener('abort', this.followOuter);
    // Ends a body that nobody reads any more.
    this.controller.abort();
  }

  private readonly followOuter = (): void => this.controller.abort(this.outer.reason);
}
