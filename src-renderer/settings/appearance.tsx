/** Light, dark, or as the system has it. */

import { Radio, useMantineColorScheme } from '@mantine/core';

const SCHEMES = [
  { value: 'auto', label: 'As the system has it', description: 'Changes with it by itself' },
  { value: 'light', label: 'Light' },
  { value: 'dark', label: 'Dark' },
] as const;

export function Appearance() {
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  return (
    <>
      <Radio.Group
        label="Colours"
        value={colorScheme}
        onChange={(value) => {
          const scheme = SCHEMES.find((each) => each.value === value);
          if (scheme !== undefined) setColorScheme(scheme.value);
        }}
      >
        <div className="settings-choices">
          {SCHEMES.map((scheme) => (
            <Radio key={scheme.value} size="xs" {...scheme} />
          ))}
        </div>
      </Radio.Group>
      <p className="dim">
        Motion follows the system: where it asks for less, nothing moves. Ctrl or ⌘ with + and − changes the size of
        everything.
      </p>
    </>
  );
}
