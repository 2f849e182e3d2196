import type {
  RegisteredTool,
  RiskTier,
  ToolPermission,
  ToolSettings,
  ToolUseBlock,
} from '@wrongstack/contracts';
import type { Stop, ToolSource } from './call-scope.js';
import { nearNames } from './near-names.js';

/** The tool that a request names, as the settings tighten it; or why there is nothing to run. */
export function findTool(
  tools: ToolSource,
  settings: Readonly<Record<string, ToolSettings>>,
  request: ToolUseBlock,
): RegisteredTool | Stop {
  if (request.inputError !== undefined) {
    // A cut-off command completed by guessing is another command: such input is refused, never repaired.
    return {
      stop: 'failed',
      message: `The arguments for ${shown(request.name)} were cut off or are not valid JSON (${request.inputError.message}). Nothing ran; send the complete call again.`,
    };
  }
  const tool = tools.get(request.name);
  if (tool !== undefined) return tightened(tool, settings);
  const near = nearNames(
    request.name,
    tools.list().map(({ name }) => name),
  );
  const help = near.length > 0 ? ` Did you mean ${near.join(', ')}?` : ' Use one of the tools listed.';
  return { stop: 'failed', message: `There is no tool named ${shown(request.name)}.${help}` };
}

/** A view of a tool under its settings. Nothing here can make a call easier than the tool's author declared. */
export function tightened(
  tool: RegisteredTool,
  settings: Readonly<Record<string, ToolSettings>>,
): RegisteredTool {
  if (!Object.hasOwn(settings, tool.name)) return tool;
  const own = settings[tool.name];
  if (own === undefined) return tool;
  return Object.freeze({
    ...tool,
    permission: stricterPermission(tool.permission, own.permission),
    riskTier: stricterTier(tool.riskTier, own.riskTier),
    timeoutMs: smaller(tool.timeoutMs, own.timeoutMs),
    backgroundTimeoutMs: smaller(tool.backgroundTimeoutMs, own.timeoutMs),
    maxOutputBytes: smaller(tool.maxOutputBytes, own.maxOutputBytes),
  });
}

const PERMISSIONS: readonly ToolPermission[] = ['auto', 'confirm', 'deny'];
const TIERS: readonly RiskTier[] = ['safe', 'standard', 'destructive'];

// A tool in plain JavaScript may have declared nothing; then only a stricter setting than the default changes that.
function stricterPermission(
  declared: ToolPermission | undefined,
  wanted: ToolPermission | undefined,
): ToolPermission {
  const own = declared ?? 'confirm';
  if (wanted === undefined || PERMISSIONS.indexOf(wanted) <= PERMISSIONS.indexOf(own)) {
    return declared as ToolPermission; // may be undefined, and must stay so: rules see that as unknown
  }
  return wanted;
}

function stricterTier(declared: RiskTier | undefined, wanted: RiskTier | undefined): RiskTier | undefined {
  const own = declared ?? 'standard';
  return wanted !== undefined && TIERS.indexOf(wanted) > TIERS.indexOf(own) ? wanted : declared;
}

function smaller(declared: number | undefined, wanted: number | undefined): number | undefined {
  if (wanted === undefined || !(wanted > 0)) return declared;
  return declared === undefined ? wanted : Math.min(declared, wanted);
}

function shown(name: string): string {
  return JSON.stringify(name.slice(0, 64));
}
