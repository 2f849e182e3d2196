export function RolloutChart(_props: { readonly policy: string; readonly revision: number }) {
  return null;
}
