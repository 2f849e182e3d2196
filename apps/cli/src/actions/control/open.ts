import { systemClock, WrongStackError } from '@wrongstack/contracts';
import { PatternSecretScrubber } from '@wrongstack/adapters';
import { openCentre, type Centre } from '../../app/centre.js';
import { bootRequest } from '../../app/boot-request.js';
import { onInterrupt } from '../../app/on-interrupt.js';
import type { CommonOptions } from '../../commands/common-options.js';
import { createOutput, type Output } from '../../output.js';

export interface ControlScene {
  readonly output: Output;
  readonly request: ReturnType<typeof bootRequest>;
  /** Aborted by Ctrl-C. */
  readonly signal: AbortSignal;
}

/** For commands that speak with the server and run no tool: no kernel, no policy engine. */
export async function inScene(
  options: CommonOptions,
  work: (scene: ControlScene) => Promise<number>,
): Promise<number> {
  const request = bootRequest(options, false);
  const interrupt = new AbortController();
  const stop = onInterrupt(() => interrupt.abort(new WrongStackError('interrupted', 'interrupted')));
  try {
    return await work({
      request,
      output: createOutput(options, request.environment),
      signal: interrupt.signal,
    });
  } finally {
    stop();
  }
}

export async function centreOf({ request }: Pick<ControlScene, 'request'>): Promise<Centre | null> {
  const scrubber = new PatternSecretScrubber();
  return openCentre({
    paths: request.paths,
    clock: systemClock,
    scrub: (text) => scrubber.scrub(text),
    interactive: false,
  });
}

/** Throws `identity.none` where nobody is signed in. */
export function withCentre(
  options: CommonOptions,
  work: (scene: ControlScene & { readonly centre: Centre }) => Promise<number>,
): Promise<number> {
  return inScene(options, async (scene) => {
    const centre = await centreOf(scene);
    if (centre === null) {
      throw new WrongStackError('enrolment.none', 'this machine belongs to no control plane', {
        hint: 'wstack login --server https://…',
      });
    }
    return work({ ...scene, centre });
  });
}
