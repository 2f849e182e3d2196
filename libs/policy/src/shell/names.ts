/** A long list of program, option or sub-command names, written as text so that a table still reads as a table. */
export function names(list: string): readonly string[] {
  return list.trim().split(/\s+/);
}
