/** Colour scheme and row density. */

import { Radio, useMantineColorScheme } from '@mantine/core';
import { density, isDensity } from '../../state/density.js';
import { useStore } from '../../state/store.js';
import styles from './settings.module.css';

const SCHEMES = [
  { value: 'auto', label: 'System', description: 'Follows your OS' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

const DENSITIES = [
  { value: 'comfortable', label: 'Comfortable' },
  { value: 'compact', label: 'Compact', description: 'Fits 25 % more rows' },
] as const;

export function Appearance() {
  const rows = useStore(density);
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Radio.Group
        data-setting="Colours"
        label="Colours"
        value={colorScheme}
        onChange={(value) => {
          const scheme = SCHEMES.find((each) => each.value === value);
          if (scheme !== undefined) setColorScheme(scheme.value);
        }}
      >
        <div className={styles.settingsChoices}>
          {SCHEMES.map((scheme) => (
            <Radio key={scheme.value} size="xs" {...scheme} />
          ))}
        </div>
      </Radio.Group>
      <Radio.Group
        data-setting="Rows of tables, trees and lists"
        label="Rows of tables, trees and lists"
        value={rows}
        onChange={(value) => {
          if (isDensity(value)) density.set(value);
        }}
      >
        <div className={styles.settingsChoices}>
          {DENSITIES.map((choice) => (
            <Radio key={choice.value} size="xs" {...choice} />
          ))}
        </div>
      </Radio.Group>
      <p className="dim">Animations follow your OS setting for reduced motion. Zoom with Ctrl or ⌘ and + or −.</p>
    </>
  );
}
