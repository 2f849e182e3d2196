import { forEachChild, type Assignment, type SyntaxNode, type Word } from 'unbash';
import { wordValues } from './word-values.js';

export function isProcessSubstitution(word: Word | undefined): boolean {
  return word?.parts?.length === 1 && word.parts[0]?.type === 'ProcessSubstitution';
}

export function assignedText(assignment: Assignment): string | null {
  if (assignment.value.type === 'ArrayValue') return null;
  const [word, ...others] = wordValues(assignment.value, false);
  return word === undefined || others.length > 0 ? null : word.value;
}

export function leavesShell(node: SyntaxNode): boolean {
  return node.type === 'Command' && node.name !== undefined && /^(?:exit|return)$/.test(node.name.text);
}

/** A substitution in its words, redirect targets, assignments or here-document, however deep. */
export function hasSubstitution(node: SyntaxNode): boolean {
  let found = false;
  const look = (child: SyntaxNode): void => {
    if (found) return;
    if (
      child.type === 'CommandExpansion' ||
      child.type === 'ProcessSubstitution' ||
      child.type === 'ArithmeticCommandExpansion'
    ) {
      found = true;
      return;
    }
    forEachChild(child, look);
  };
  forEachChild(node, look);
  return found;
}

/** Names whose redefinition as a function would make this reading of a script wrong. */
export function redefines(node: SyntaxNode): string | null {
  if (node.type !== 'Function') return null;
  return /^(?:cd|pushd|popd|chdir|exit|return|builtin|command|eval|exec|source|\.)$/.test(node.name.value)
    ? node.name.value
    : null;
}
