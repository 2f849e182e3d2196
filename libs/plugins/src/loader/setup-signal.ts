/** The signal of one setup, made when somebody looks at it: most setups never do. */
export class SetupSignal {
  #controller: AbortController | null = null;

  /** What the setup is given. */
  readonly options: { readonly signal: AbortSignal };

  constructor() {
    const controller = (): AbortController => (this.#controller ??= new AbortController());
    this.options = {
      get signal() {
        return controller().signal;
      },
    };
  }

  /** The setup failed or was given up: what it began shall end, and so shall what it begins yet. */
  abort(reason: unknown): void {
    this.#controller ??= new AbortController();
    this.#controller.abort(reason);
  }
}
