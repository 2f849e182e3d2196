/** Call `next` with the value to pass on; return what comes back, or something else. */
export type PipelineHandler<T> = (value: T, next: (value: T) => Promise<T>) => Promise<T> | T;

export interface PipelineMiddleware<T> {
  readonly name: string;
  /** Plugin name; shown by `/diag`. */
  readonly owner?: string;
  readonly handler: PipelineHandler<T>;
}

/** What a boundary does with a handler that threw: go on as if it were not there, or let it through. */
export type PipelineErrorHandler = (
  error: unknown,
  where: { readonly pipeline: string; readonly name: string; readonly owner: string },
) => 'continue' | 'throw';
