/** Drawn on a grid of 24, in the colour of the text around them. */
const PATHS = {
  alert: 'M12 9v4m0 4h.01M10.3 4 2.6 17.5A2 2 0 0 0 4.3 20.5h15.4a2 2 0 0 0 1.7-3L13.7 4a2 2 0 0 0-3.4 0z',
  approvals: 'M9 12l2 2 4-4.5M12 3l7.5 3v5.5c0 4.6-3.1 8-7.5 9.5-4.4-1.5-7.5-4.9-7.5-9.5V6z',
  audit: 'M8 6h12M8 12h12M8 18h12M4 6h.01M4 12h.01M4 18h.01',
  back: 'M19 12H5m6-6-6 6 6 6',
  ban: 'M5.6 5.6l12.8 12.8M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  bell: 'M6 9a6 6 0 0 1 12 0c0 6 2.5 7 2.5 7h-17S6 15 6 9m4 11a2.2 2.2 0 0 0 4 0',
  check: 'M5 12.5 10 17.5 19.5 7',
  chevron: 'm9 6 6 6-6 6',
  clock: 'M12 7v5l3.5 2M21 12a9 9 0 1 1-18 0 9 9 0 0 1 18 0',
  close: 'M6 6l12 12M18 6 6 18',
  copy: 'M9 9h10v11H9zM5 15V4h10',
  download: 'M12 4v11m0 0 4.5-4.5M12 15l-4.5-4.5M4 20h16',
  exceptions: 'M4 7h9l4 5-4 5H4zm17 5h-4M8 12h.01',
  fleet: 'M4 5h16v10H4zM2 19h20M9 15v4m6-4v4',
  identities:
    'M16 20v-1.5a4 4 0 0 0-4-4H7a4 4 0 0 0-4 4V20m6.5-9a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7M21 20v-1.5a4 4 0 0 0-3-3.9M15.5 4.2a3.5 3.5 0 0 1 0 6.6',
  link: 'M10 14a4 4 0 0 0 6 .4l3-3a4.2 4.2 0 0 0-6-6l-1.5 1.5M14 10a4 4 0 0 0-6-.4l-3 3a4.2 4.2 0 0 0 6 6L12.5 17',
  menu: 'M4 7h16M4 12h16M4 17h16',
  moon: 'M20 14.5A8.5 8.5 0 0 1 9.5 4a8.5 8.5 0 1 0 10.5 10.5',
  overview: 'M4 20V10m5.3 10V4m5.4 16v-7M20 20V8',
  pause: 'M9 6v12m6-12v12',
  policies: 'M7 3h8l4 4v14H5V3zm7 0v5h5M9 13h6m-6 4h6',
  question: 'M9 9.2a3 3 0 1 1 4.3 2.7c-.9.4-1.3 1-1.3 2.1m0 3.5h.01',
  refresh: 'M20 11a8 8 0 0 0-14.5-3.5L4 9m0-5v5h5m-5 4a8 8 0 0 0 14.5 3.5L20 15m0 5v-5h-5',
  search: 'm20 20-4.5-4.5M17.5 11a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0',
  'sign-out': 'M10 4H5v16h5m5-4 4-4-4-4m4 4H9',
  sun: 'M12 4V2m0 20v-2M4 12H2m20 0h-2M6.3 6.3 5 5m14 14-1.3-1.3M6.3 17.7 5 19M19 5l-1.3 1.3M16 12a4 4 0 1 1-8 0 4 4 0 0 1 8 0',
  system: 'M4 5h16v11H4zm4 15h8m-4-4v4',
  tasks: 'M5 5l5 4-5 4M12 14h7M4 19h16',
  undo: 'M9 7 4 12l5 5m-5-5h10a6 6 0 0 1 6 6v1',
  user: 'M12 12a4 4 0 1 0 0-8 4 4 0 0 0 0 8m-7.5 8a7.5 7.5 0 0 1 15 0',
} as const;

export type IconName = keyof typeof PATHS;

interface Props {
  readonly name: IconName;
  readonly size?: number;
}

/** Says nothing to a screen reader: what it stands beside, or the label of its button, does. */
export function Icon({ name, size = 18 }: Props) {
  return (
    <svg
      width={size}
      height={size}
      viewBox="0 0 24 24"
      fill="none"
      stroke="currentColor"
      strokeWidth="1.8"
      strokeLinecap="round"
      strokeLinejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={PATHS[name]} />
    </svg>
  );
}
