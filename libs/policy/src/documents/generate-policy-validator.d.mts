export function validatorSource(schema: unknown): string;
