/** Mantine theme with the density and colours of tokens.css. */

import {
  ActionIcon,
  Button,
  type CSSVariablesResolver,
  createTheme,
  defaultOptionsFilter,
  type MantineColorsTuple,
  SegmentedControl,
  Tooltip,
} from '@mantine/core';
import { exactFirst } from './list-enter.js';

const accent: MantineColorsTuple = [
  '#eef3fd',
  '#dbe5fa',
  '#b6caf4',
  '#8fadee',
  '#6d94e8',
  '#4a78dd',
  '#2f5fcb',
  '#264fae',
  '#1f418f',
  '#183473',
];

/** Delay before a tooltip opens. */
export const TIP_DELAY_MS = 400;

/** Container of floating elements. */
export const FLOATING_ID = 'floating';

const filter: typeof defaultOptionsFilter = ({ options, ...asked }) =>
  defaultOptionsFilter({ options: exactFirst(options, asked.search), ...asked });
/** Enter takes the exact or first match. */
const searched = { filter, selectFirstOptionOnChange: true };

export const theme = createTheme({
  primaryColor: 'accent',
  primaryShade: 6,
  colors: { accent },
  fontFamily: "'Inter Variable', system-ui, sans-serif",
  fontFamilyMonospace: "'JetBrains Mono Variable', ui-monospace, monospace",
  fontSizes: {
    xs: 'var(--size-small)',
    sm: 'var(--size-body)',
    md: 'var(--size-title)',
    lg: 'var(--size-title)',
    xl: 'var(--size-display)',
  },
  spacing: { xs: '4px', sm: '8px', md: '16px', lg: '24px', xl: '32px' },
  radius: { xs: '2px', sm: '4px', md: '4px', lg: '6px', xl: '8px' },
  defaultRadius: 'sm',
  cursorType: 'pointer',
  respectReducedMotion: true,
  components: {
    Button: Button.extend({
      defaultProps: { size: 'xs' },
      vars: (_theme, { size, variant }) => ({
        root: {
          // Smaller targets fail WCAG 2.5.8 and the grid.
          ...(size === 'compact-xs' ? { '--button-height': '24px' } : {}),
          // A quiet button is text on the surface. Its color stays free for the primary action and selections.
          ...(variant === 'subtle' ? { '--button-color': 'var(--text)', '--button-hover': 'var(--hover)' } : {}),
        },
      }),
    }),
    ActionIcon: ActionIcon.extend({ defaultProps: { size: 'sm', variant: 'subtle', color: 'gray' } }),
    SegmentedControl: SegmentedControl.extend({ defaultProps: { size: 'xs' } }),
    Tooltip: Tooltip.extend({
      defaultProps: { openDelay: TIP_DELAY_MS, withArrow: false, multiline: true, maw: 420, position: 'bottom-start' },
    }),
    Portal: { defaultProps: { target: `#${FLOATING_ID}` } },
    Notification: { defaultProps: { closeButtonProps: { 'aria-label': 'Close message' } } },
    Menu: { defaultProps: { withInitialFocusPlaceholder: false } },
    TextInput: { defaultProps: { size: 'xs' } },
    NumberInput: { defaultProps: { size: 'xs' } },
    Textarea: { defaultProps: { size: 'xs' } },
    // The list box itself scrolls, as screen readers expect.
    Select: { defaultProps: { size: 'xs', withScrollArea: false, classNames: { options: 'options' }, ...searched } },
    MultiSelect: { defaultProps: searched },
    Autocomplete: { defaultProps: { size: 'xs', withScrollArea: false, classNames: { options: 'options' } } },
    Switch: { defaultProps: { size: 'xs' } },
    Checkbox: { defaultProps: { size: 'xs' } },
  },
});

/** Mantine's surfaces and texts use our tokens, which follow the colour scheme. */
export const cssVariablesResolver: CSSVariablesResolver = () => ({ variables: {}, light: TOKENS, dark: TOKENS });

const TOKENS = {
  '--mantine-color-body': 'var(--surface)',
  '--mantine-color-text': 'var(--text)',
  '--mantine-color-dimmed': 'var(--text-dim)',
  '--mantine-color-default': 'var(--surface)',
  '--mantine-color-default-hover': 'var(--hover)',
  '--mantine-color-default-color': 'var(--text)',
  '--mantine-color-default-border': 'var(--line-strong)',
  '--mantine-color-placeholder': 'var(--text-faint)',
  '--mantine-color-error': 'var(--blocking)',
  '--mantine-color-gray-light-hover': 'var(--hover)',
  '--mantine-color-gray-light-color': 'var(--text-dim)',
  '--mantine-color-accent-light': 'var(--selected)',
  '--mantine-color-accent-light-color': 'var(--accent-text)',
  '--mantine-color-accent-light-hover': 'var(--hover)',
};
