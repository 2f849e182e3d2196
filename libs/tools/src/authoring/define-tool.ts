import {
  type AgentHandle,
  type CallId,
  type ClaimContext,
  type Context,
  type JSONSchema,
  type PresentableResult,
  type RiskTier,
  type Tool,
  type ToolCallView,
  type ToolClaims,
  type ToolOptions,
  type ToolPermission,
  type ToolResultView,
  WrongStackError,
} from '@wrongstack/contracts';
import { checkArguments } from './check-arguments.js';
import { fitsOutline } from './schema-outline.js';
import { type InferArgs, type SchemaSpec, toJsonSchema } from './schema-spec.js';

/** What a running call knows about itself. */
export interface ToolExecution {
  readonly callId?: CallId;
  readonly name: string;
  readonly arguments: unknown;
  readonly agent?: AgentHandle;
  readonly signal?: AbortSignal;
  readonly context: Context;
  readonly credentials?: Readonly<Record<string, string>>;
  /** All that the host passes on: how children are to be started, which paths were decided about. */
  readonly options: ToolOptions;
}

type ToolTraits = Partial<
  Pick<
    Tool,
    | 'usageHint'
    | 'capabilities'
    | 'category'
    | 'maxOutputBytes'
    | 'timeoutMs'
    | 'estimatedDurationMs'
    | 'riskPerCall'
    | 'idempotent'
    | 'background'
    | 'backgroundTimeoutMs'
    | 'credentials'
  >
>;

interface DefinitionBase<Args> extends ToolTraits {
  readonly name: string;
  readonly description: string;
  /** Left out: the person is asked before each call. */
  readonly permission?: ToolPermission;
  /** Left out: taken to change things. */
  readonly mutating?: boolean;
  readonly riskTier?: RiskTier;
  /** Plain output, content blocks, or `{ content, meta }`. A throw is an error result; a domain failure is a normal one. */
  execute(args: Args, exec: ToolExecution): Promise<unknown>;
  describeCall?(args: Args, ctx: ClaimContext): ToolClaims;
  /** Pure functions of their arguments: they run again when a session is replayed. */
  presentCall?(args: Args): ToolCallView | undefined;
  presentResult?(args: Args, result: PresentableResult): ToolResultView | undefined;
}

/** A definition with the parameter short form; argument types are inferred from it. */
export interface SpecDefinition<Spec extends SchemaSpec> extends DefinitionBase<InferArgs<Spec>> {
  readonly parameters: Spec;
}

/** A definition with raw JSON Schema; arguments are validated against it by the executor. */
export interface SchemaDefinition<Args> extends DefinitionBase<Args> {
  readonly inputSchema: JSONSchema;
}

/**
 * Make a tool from a short definition. Arguments are checked before `execute` runs, and the presenters are shielded: a
 * malformed or older logged argument gives a generic card and never a throw.
 */
export function defineTool<const Spec extends SchemaSpec>(
  definition: SpecDefinition<Spec>,
): Tool<InferArgs<Spec>>;
export function defineTool<Args = Record<string, unknown>>(definition: SchemaDefinition<Args>): Tool<Args>;
export function defineTool(definition: SpecDefinition<SchemaSpec> | SchemaDefinition<never>): Tool {
  const spec = 'parameters' in definition ? definition.parameters : undefined;
  // Whichever form it is, the arguments have been checked against it before they reach these methods.
  const checked = definition as DefinitionBase<unknown>;
  const faultsOf = (args: unknown): readonly string[] =>
    spec === undefined ? [] : checkArguments(spec, args);
  const isDisplayable = (args: unknown): boolean =>
    'parameters' in definition ? faultsOf(args).length === 0 : fitsOutline(definition.inputSchema, args);
  const soft = <View>(args: unknown, present: () => View): View | undefined => {
    if (!isDisplayable(args)) return undefined;
    try {
      return present();
    } catch {
      // Display must never break a replay.
      return undefined;
    }
  };
  return {
    ...traitsOf(definition),
    inputSchema: 'parameters' in definition ? toJsonSchema(definition.parameters) : definition.inputSchema,
    async execute(args: unknown, context: Context, options: ToolOptions): Promise<unknown> {
      const faults = faultsOf(args);
      if (faults.length > 0) {
        throw new WrongStackError('tool.bad_arguments', `${definition.name}: ${faults.join('; ')}`);
      }
      return checked.execute(args, {
        ...(options.callId !== undefined && { callId: options.callId }),
        name: definition.name,
        arguments: args,
        ...(options.agent && { agent: options.agent }),
        signal: options.signal,
        context,
        ...(options.credentials && { credentials: options.credentials }),
        options,
      });
    },
    ...(checked.describeCall && { describeCall: checked.describeCall.bind(definition) }),
    ...(checked.presentCall && {
      presentCall: (args: unknown) => soft(args, () => checked.presentCall?.(args)),
    }),
    ...(checked.presentResult && {
      presentResult: (args: unknown, result: PresentableResult) =>
        soft(args, () => checked.presentResult?.(args, result)),
    }),
  };
}

const NOT_TRAITS: readonly string[] = [
  'parameters',
  'inputSchema',
  'execute',
  'describeCall',
  'presentCall',
  'presentResult',
];

function traitsOf(definition: DefinitionBase<never>): Omit<Tool, 'inputSchema' | 'execute'> {
  const traits = Object.entries(definition).filter(([key]) => !NOT_TRAITS.includes(key));
  // A missing permission stays missing: the policy engine has a rule for that, and a default here would hide it.
  return { mutating: true, ...Object.fromEntries(traits) } as Omit<Tool, 'inputSchema' | 'execute'>;
}
