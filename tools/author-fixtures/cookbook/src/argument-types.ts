// What `args` is typed as, checked by the compiler: each `true` below is an error where the two types differ.
import { defineTool, type InferArgs, type SchemaSpec, type ToolExecution } from '@wrongstack/core';

type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends <T>() => T extends B ? 1 : 2 ? true : false;
type Args<Spec extends SchemaSpec> = InferArgs<Spec>;

export const facts: readonly true[] = [
  true satisfies Same<
    Args<{ path: { type: 'string'; required: true }; limit: { type: 'number' } }>,
    { path: string; limit?: number }
  >,
  true satisfies Same<Args<{}>, {}>,
  true satisfies Same<Args<{ on: { type: 'boolean'; required: false } }>, { on?: boolean }>,
  true satisfies Same<
    Args<{ mode: { type: 'string'; enum: readonly ['fast', 'safe']; required: true } }>,
    { mode: 'fast' | 'safe' }
  >,
  true satisfies Same<Args<{ level: { type: 'integer'; enum: readonly [1, 2] } }>, { level?: 1 | 2 }>,
  true satisfies Same<
    Args<{ tags: { type: 'array'; items: { type: 'string'; enum: readonly ['a', 'b'] }; required: true } }>,
    { tags: ('a' | 'b')[] }
  >,
  true satisfies Same<Args<{ any: { type: 'array' } }>, { any?: unknown[] }>,
  true satisfies Same<Args<{ any: { type: 'object' } }>, { any?: Record<string, unknown> }>,
  true satisfies Same<
    Args<{
      range: {
        type: 'object';
        required: true;
        properties: { from: { type: 'integer'; required: true }; to: { type: 'integer' } };
      };
    }>,
    { range: { from: number; to?: number } }
  >,
  true satisfies Same<
    Args<{
      edits: {
        type: 'array';
        required: true;
        items: { type: 'object'; properties: { path: { type: 'string'; required: true } } };
      };
    }>,
    { edits: { path: string }[] }
  >,
];

export const typed = defineTool({
  name: 'typed',
  description: 'Uses its arguments as they are typed.',
  parameters: {
    mode: { type: 'string', required: true, enum: ['fast', 'safe'] },
    edits: {
      type: 'array',
      items: {
        type: 'object',
        properties: { path: { type: 'string', required: true }, line: { type: 'integer' } },
      },
    },
  },
  async execute(args, exec) {
    const mode: 'fast' | 'safe' = args.mode;
    const lines: (number | undefined)[] = (args.edits ?? []).map((edit) => edit.line);
    const paths: string[] = (args.edits ?? []).map((edit) => edit.path);
    // @ts-expect-error an optional parameter may be missing
    args.edits.length;
    // @ts-expect-error not a parameter
    args.other;
    return `${mode} ${lines.length} ${paths.length} ${exec.name satisfies string}`;
  },
});

defineTool({
  name: 'wrong',
  description: 'Does not compile.',
  // @ts-expect-error no such type
  parameters: { when: { type: 'date' } },
  execute: async () => 'never',
});

// What `exec` carries.
export const execution = (exec: ToolExecution) => ({
  callId: exec.callId satisfies string | undefined,
  name: exec.name satisfies string,
  arguments: exec.arguments satisfies unknown,
  inject: exec.agent?.inject,
  aborted: exec.signal?.aborted satisfies boolean | undefined,
});
