async function save(): Promise<void> {
  await Promise.resolve();
}

export function forget(): void {
  save();
}
