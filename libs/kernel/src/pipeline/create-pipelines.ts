import type { ContentBlock, Message, ModelRequest, ModelResponse, ToolUseBlock } from '@wrongstack/contracts';
import { WrongStackError } from '@wrongstack/contracts';
import {
  isAnswer,
  isContextWindow,
  isModelRequest,
  isModelResponse,
  isToolUse,
  isUserInput,
} from './pipeline-values.js';
import { HANDLER_MS, Pipeline } from './pipeline.js';

/** The six core pipelines, in the order in which a turn passes them. */
export interface CorePipelines {
  /** What the person said, before it enters the context. */
  readonly userInput: Pipeline<readonly ContentBlock[]>;
  /** The messages of the next request, before compaction is considered. */
  readonly contextWindow: Pipeline<readonly Message[]>;
  readonly request: Pipeline<ModelRequest>;
  readonly response: Pipeline<ModelResponse>;
  /** The model's final text, before it is shown as the answer. */
  readonly assistantOutput: Pipeline<string>;
  /** One requested call; what comes out is decided like any other. */
  readonly toolCall: Pipeline<ToolUseBlock>;
}

/** A pipeline whose value type does not matter: for listing, and for the host's error boundary. */
export type AnyPipeline = Pick<Pipeline<unknown>, 'name' | 'list' | 'setErrorHandler'>;

export interface Pipelines extends CorePipelines {
  /** Make a pipeline of one's own, by a name that is not taken (`pipeline.exists`). */
  create<T>(name: string): Pipeline<T>;
  get(name: string): AnyPipeline | undefined;
  all(): readonly AnyPipeline[];
}

export function createPipelines(): Pipelines {
  const core: CorePipelines = {
    userInput: new Pipeline('userInput', HANDLER_MS, isUserInput),
    contextWindow: new Pipeline('contextWindow', HANDLER_MS, isContextWindow),
    request: new Pipeline('request', HANDLER_MS, isModelRequest),
    response: new Pipeline('response', HANDLER_MS, isModelResponse),
    assistantOutput: new Pipeline('assistantOutput', HANDLER_MS, isAnswer),
    toolCall: new Pipeline('toolCall', HANDLER_MS, isToolUse),
  };
  const byName = new Map<string, AnyPipeline>(Object.entries(core));
  return {
    ...core,
    create<T>(name: string): Pipeline<T> {
      if (byName.has(name))
        throw new WrongStackError('pipeline.exists', `a pipeline named ${name} exists already`);
      const pipeline = new Pipeline<T>(name);
      byName.set(name, pipeline);
      return pipeline;
    },
    get: (name) => byName.get(name),
    all: () => [...byName.values()],
  };
}
