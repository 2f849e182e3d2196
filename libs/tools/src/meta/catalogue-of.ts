import {
  WrongStackError,
  type InnerCalls,
  type ToolCatalogue,
  type ToolOptions,
} from '@wrongstack/contracts';

/** The tools on offer. Missing only where a tool is run outside of the agent that it belongs to. */
export function catalogueOf({ catalogue }: ToolOptions): ToolCatalogue {
  if (catalogue !== undefined) return catalogue;
  throw new WrongStackError(
    'tool.no_catalogue',
    'the tools on offer are not known here; run this tool through the agent',
  );
}

export function innerCallsOf({ calls }: ToolOptions): InnerCalls {
  if (calls !== undefined) return calls;
  throw new WrongStackError(
    'tool.no_calls',
    'other tools cannot be run from here; run this tool through the agent',
  );
}
