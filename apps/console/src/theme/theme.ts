import {
  Alert,
  Button,
  createTheme,
  type CSSVariablesResolver,
  Drawer,
  type MantineColorsTuple,
  Modal,
  Paper,
  Tooltip,
} from '@mantine/core';

const INK: MantineColorsTuple = [
  '#eef0fe',
  '#dcdffa',
  '#b9bff3',
  '#949ceb',
  '#757fe3',
  '#5f6adc',
  '#4c57cf',
  '#3f49b8',
  '#353e9c',
  '#2a327d',
];
const PINE: MantineColorsTuple = [
  '#e5f6ed',
  '#cdebdb',
  '#9fd7bb',
  '#6ec298',
  '#46b07a',
  '#1f7d4d',
  '#1a7245',
  '#15603a',
  '#104e2f',
  '#0b3d25',
];
/** Text, dimmed text, lines, surfaces and ground of the dark scheme: the kit counts from light to dark. */
const DARK: MantineColorsTuple = [
  '#e4e8ef',
  '#c6cdd9',
  '#9ba6b7',
  '#77839a',
  '#343d4d',
  '#262e3b',
  '#181e28',
  '#10141b',
  '#0b0e14',
  '#07090d',
];

const title = { fontWeight: 650, fontSize: '1.1rem', overflowWrap: 'anywhere' } as const;
const motion = { transitionProps: { duration: 120 } };

export const theme = createTheme({
  primaryColor: 'ink',
  primaryShade: { light: 6, dark: 5 },
  colors: { ink: INK, pine: PINE, dark: DARK },
  defaultRadius: 'md',
  fontFamily: 'ui-sans-serif, system-ui, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", sans-serif',
  fontFamilyMonospace:
    'ui-monospace, "SF Mono", "Cascadia Mono", "DejaVu Sans Mono", Menlo, Consolas, monospace',
  headings: { fontWeight: '650', sizes: { h1: { fontSize: '1.4rem' }, h2: { fontSize: '1.05rem' } } },
  cursorType: 'pointer',
  focusRing: 'auto',
  respectReducedMotion: true,
  autoContrast: true,
  components: {
    // The kit would lock scrolling with a style sheet that does not bear our nonce.
    Modal: Modal.extend({
      defaultProps: { lockScroll: false, centered: true, styles: { title }, ...motion },
    }),
    Drawer: Drawer.extend({ defaultProps: { lockScroll: false, styles: { title }, ...motion } }),
    Tooltip: Tooltip.extend({ defaultProps: { openDelay: 300, withArrow: true, ...motion } }),
    Button: Button.extend({ defaultProps: { size: 'sm' } }),
    Paper: Paper.extend({ defaultProps: { radius: 'md' } }),
    Alert: Alert.extend({ defaultProps: { radius: 'md' } }),
  },
});

/** Dimmed text of the kit is too faint to read on our ground. */
export const variables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    '--mantine-color-dimmed': 'var(--ws-dim)',
    '--mantine-color-body': 'var(--ws-surface)',
    '--mantine-color-text': 'var(--ws-text)',
    '--mantine-color-placeholder': '#6b7485',
    '--mantine-color-error': '#b3202c',
    '--mantine-color-default-border': 'var(--ws-line-strong)',
    '--mantine-color-disabled': 'var(--ws-quiet-soft)',
    '--mantine-color-disabled-color': 'var(--ws-dim)',
  },
  dark: {
    '--mantine-color-dimmed': 'var(--ws-dim)',
    '--mantine-color-body': 'var(--ws-surface)',
    '--mantine-color-text': 'var(--ws-text)',
    '--mantine-color-placeholder': '#8792a5',
    '--mantine-color-error': '#ff8f95',
    '--mantine-color-default-border': 'var(--ws-line-strong)',
    '--mantine-color-disabled': 'var(--ws-quiet-soft)',
    '--mantine-color-disabled-color': 'var(--ws-dim)',
  },
});
