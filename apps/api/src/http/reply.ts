/** What handlers use of an answer. */
export interface Reply {
  readonly raw: {
    readonly destroyed: boolean;
    writeHead(status: number, headers: Readonly<Record<string, string>>): unknown;
    write(text: string): boolean;
    end(): unknown;
    destroy(): unknown;
    once(event: 'close' | 'drain', listener: () => void): unknown;
    on(event: 'close' | 'drain', listener: () => void): unknown;
    off(event: 'close' | 'drain', listener: () => void): unknown;
  };
  readonly request: { readonly stillStands?: () => Promise<boolean> };
  hijack(): unknown;
  status(code: number): Reply;
  header(name: string, value: string): Reply;
  send(body: unknown): unknown;
}
