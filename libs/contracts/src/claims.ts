/**
 * What a tool says one call would touch. A missing key is unknown (it satisfies denials and never allows); an empty list
 * is none. Claims are raw: the policy engine resolves paths and parses commands and URLs.
 */
export interface ToolClaims {
  readonly paths?: readonly PathClaim[];
  /** A shell command line (string) or an argument vector that runs without a shell. `null` = runs no command. */
  readonly command?: string | readonly string[] | null;
  /** Working folder of the command and base of relative paths; the call's own when missing. */
  readonly cwd?: string;
  readonly urls?: readonly string[];
}

export interface PathClaim {
  readonly path: string;
  readonly access: 'read' | 'write';
  /** Where the path is a folder, what lies below it is read, or may be changed, as well. Listing names is no reading. */
  readonly recursive?: true;
}

/** All that `describeCall` may look at: it must be pure. Absolute paths. */
export interface ClaimContext {
  readonly cwd: string;
  readonly projectRoot: string;
}
