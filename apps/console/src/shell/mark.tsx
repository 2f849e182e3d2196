/** A stack with one layer that was turned: ours. */
export function Mark({ size = 28 }: { readonly size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#3f49b8" />
      <g fill="none" stroke="#fff" strokeWidth="2.2" strokeLinejoin="round" strokeLinecap="round">
        <path d="M16 6.5 25 11l-9 4.5L7 11z" fill="#fff" />
        <path d="m7 16 9 4.5 9-4.5" opacity=".85" />
        <path d="m8.5 20.5 7.5 5 9-3.5" opacity=".6" />
      </g>
    </svg>
  );
}
