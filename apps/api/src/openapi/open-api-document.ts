/** The OpenAPI document as it was built at start, from the contracts of all routes. */
export class OpenApiDocument {
  constructor(readonly content: Readonly<Record<string, unknown>>) {}
}
