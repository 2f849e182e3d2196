import type { ParameterExpansionPart, SyntaxNode } from 'unbash';

/**
 * Escapes that only become characters when the value is transformed later: the usual way to hide a backtick from a
 * reader of the command (`${v=\140id\140}${v@P}`).
 */
const LATE_ESCAPE = /\\(?:[0-7]{1,3}|x[0-9A-Fa-f]{1,2}|u[0-9A-Fa-f]{1,4}|U[0-9A-Fa-f]{1,8})/;

/** Why an expansion can run or hide code that no reading of the source shows, or null. */
export function expansionHazard(part: ParameterExpansionPart): string | null {
  const { operation, index, prefix } = part;
  if (prefix === '!' && !(index !== undefined && /^[@*]$/.test(index.value))) {
    return `indirect expansion ${part.text}`;
  }
  if (operation === undefined) return null;
  switch (operation.type) {
    case 'Transform':
      return /^[QUuLKkAa]$/.test(operation.operand.value) ? null : `parameter transformation ${part.text}`;
    case 'Unknown':
      return `unknown parameter operation ${part.text}`;
    case 'Default':
      return LATE_ESCAPE.test(operation.operand.text) ? `escaped characters in ${part.text}` : null;
    case 'Remove':
    case 'Replace':
    case 'Slice':
    case 'CaseModification':
    case 'Names':
      return null;
  }
}

/** Text that bash would run when it evaluates it as arithmetic or as a variable's subscript. */
export function hidesSubscriptCode(text: string): boolean {
  return text.includes('[') && (text.includes('$(') || text.includes('`'));
}

/** Parts of the tree that the parser could not read although the script as a whole has no error. */
export function unreadPart(node: SyntaxNode): string | null {
  switch (node.type) {
    case 'CommandExpansion':
    case 'ProcessSubstitution':
    case 'ArithmeticCommandExpansion':
      return node.script === undefined ? `unreadable substitution ${node.text}` : null;
    case 'ArithmeticExpansion':
      return node.expression === undefined && node.text.replaceAll(/[\s$()[\]]/g, '') !== ''
        ? `unreadable arithmetic ${node.text}`
        : null;
    case 'ArithmeticCommand':
      return node.expression === undefined && node.body.trim() !== ''
        ? `unreadable arithmetic ((${node.body}))`
        : null;
    default:
      return null;
  }
}
