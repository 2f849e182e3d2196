import type { Host } from '../app/host.js';

const DEEP_ENOUGH = 30;
type Write = (...args: unknown[]) => boolean;

/**
 * Standard output is for results: `--json`, a stream of events, a protocol with an editor. What a plugin prints there, by
 * `console.log` or by hand, goes to standard error and is put down to it. Known by who calls: the nearest file of the stack.
 */
export function guardOutput(host: Host): () => void {
  const { stdout, stderr } = process;
  // The overloads of write share this shape, and its arguments are passed on as they came.
  const original = Reflect.get(stdout, 'write') as Write;
  const write: Write = (...args) => {
    const owner = host.extensions.plugins?.callerOf(stackAbove(write));
    if (owner === undefined) return Reflect.apply(original, stdout, args);
    host.extensions.plugins?.fault(
      owner,
      'plugin.output_taken',
      new Error(
        'prints to standard output, which is for results: it was sent to standard error; use api.log',
      ),
    );
    return Reflect.apply(Reflect.get(stderr, 'write') as Write, stderr, args);
  };
  stdout.write = write;
  return () => {
    if (stdout.write === write) stdout.write = original;
  };
}

/** Of whoever called the function. */
function stackAbove(called: Write): Error {
  const limit = Error.stackTraceLimit;
  Error.stackTraceLimit = DEEP_ENOUGH;
  const here = new Error('here');
  Error.captureStackTrace(here, called);
  Error.stackTraceLimit = limit;
  return here;
}
