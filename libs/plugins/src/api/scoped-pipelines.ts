import { type Disposer, type PipelineMiddleware, WrongStackError } from '@wrongstack/contracts';
import type { AnyPipeline, Pipeline, Pipelines } from '@wrongstack/kernel';
import type { CapabilityGuard } from './capability-guard.js';
import { withCheckedArguments } from './check-arguments.js';
import { viewOf } from './view-of.js';

/** Custom pipelines of each host, with the plugin that made them: one made again after a reload is the same one. */
const made = new WeakMap<Pipelines, Map<string, { readonly owner: string; readonly pipeline: unknown }>>();

/**
 * The pipelines as one plugin sees them: what it adds carries its name as owner and goes when it is unloaded. The
 * host's error boundary is not a plugin's to change.
 */
export function scopedPipelines(
  pipelines: Pipelines,
  plugin: string,
  guard: CapabilityGuard,
  track: (disposer: Disposer) => Disposer,
): Pipelines {
  const scoped = <T>(pipeline: Pipeline<T>): Pipeline<T> =>
    withCheckedArguments(plugin, 'api.pipelines.*', viewFor(pipeline), `api.pipelines.${pipeline.name}`);
  const viewFor = <T>(pipeline: Pipeline<T>): Pipeline<T> =>
    viewOf(pipeline, {
      name: pipeline.name,
      use(middleware: PipelineMiddleware<T>): Disposer {
        guard.use(`pipelines.${pipeline.name}`);
        const { name, handler } = middleware;
        // On the author's own object, which may be of a class.
        return track(pipeline.use({ name, owner: plugin, handler: handler.bind(middleware) }));
      },
      list: () => pipeline.list(),
      run: (value, terminal) => pipeline.run(value, terminal),
      setErrorHandler: () => {
        throw new WrongStackError(
          'plugin.sealed',
          `plugin ${plugin}: the error boundary belongs to the host`,
        );
      },
    });
  // Every one of them is a Pipeline, whatever it carries.
  const found = (one: AnyPipeline): Pipeline<unknown> => scoped(one as Pipeline<unknown>);
  return withCheckedArguments<Pipelines>(plugin, 'api.pipelines', {
    userInput: scoped(pipelines.userInput),
    contextWindow: scoped(pipelines.contextWindow),
    request: scoped(pipelines.request),
    response: scoped(pipelines.response),
    assistantOutput: scoped(pipelines.assistantOutput),
    toolCall: scoped(pipelines.toolCall),
    create: <T>(name: string): Pipeline<T> => {
      const ours = made.get(pipelines) ?? new Map<string, { owner: string; pipeline: unknown }>();
      made.set(pipelines, ours);
      const known = ours.get(name);
      // Made by this plugin before it was reloaded: what others added to it still counts.
      if (known?.owner === plugin) return scoped(known.pipeline as Pipeline<T>);
      const pipeline = pipelines.create<T>(name);
      ours.set(name, { owner: plugin, pipeline });
      return scoped(pipeline);
    },
    get: (name) => {
      const one = pipelines.get(name);
      return one === undefined ? undefined : found(one);
    },
    all: () => pipelines.all().map(found),
  });
}
