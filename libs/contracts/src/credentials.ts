/** Hands out the credentials that a tool declared; nobody else reads them. */
export abstract class CredentialResolver {
  /** The value, or undefined when there is none under this name. */
  abstract resolve(request: {
    readonly name: string;
    readonly tool: string;
    readonly owner: string;
  }): Promise<string | undefined>;
}
