/** Something that a file declares. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: SymbolKind;
  /** 1-based. */
  readonly line: number;
}

export type SymbolKind =
  | 'class'
  | 'interface'
  | 'type'
  | 'enum'
  | 'function'
  | 'method'
  | 'constant'
  | 'variable'
  | 'module'
  | 'trait'
  | 'struct'
  | 'macro';
