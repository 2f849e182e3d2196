import { ActionIcon, type MantineColorScheme, Tooltip, useMantineColorScheme } from '@mantine/core';
import { Icon, type IconName } from '../parts/icon.js';

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const satisfies Record<
  MantineColorScheme,
  MantineColorScheme
>;
const LABEL = { auto: 'Colours: as the system', light: 'Colours: light', dark: 'Colours: dark' } as const;
const ICON = { auto: 'system', light: 'sun', dark: 'moon' } as const satisfies Record<
  MantineColorScheme,
  IconName
>;

/** Light, dark, or as the system has it. */
export function SchemeSwitch() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <Tooltip label={LABEL[colorScheme]}>
      <ActionIcon
        variant="subtle"
        color="gray"
        size="lg"
        aria-label={`${LABEL[colorScheme]}; change`}
        onClick={() => setColorScheme(NEXT[colorScheme])}
      >
        <Icon name={ICON[colorScheme]} />
      </ActionIcon>
    </Tooltip>
  );
}
