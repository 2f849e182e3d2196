import type { ToolSummary } from '@wrongstack/contracts';

/** One line about a tool: what it does, what it may touch, whether it asks. */
export function toolLine(tool: ToolSummary): string {
  const { name, owner, description, permission, capabilities } = tool;
  const facts = [
    capabilities.length === 0 ? 'no capabilities declared' : capabilities.join(' '),
    askText(permission),
  ];
  if (owner !== 'core') facts.push(`from ${owner}`);
  return `${name}: ${description} [${facts.join('; ')}]`;
}

export function askText(permission: ToolSummary['permission']): string {
  switch (permission) {
    case 'auto':
      return 'runs unasked unless a policy says otherwise';
    case 'confirm':
    case 'unknown':
      return 'asks unless a policy allows it';
    case 'deny':
      return 'switched off';
  }
}
