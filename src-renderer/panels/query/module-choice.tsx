/** Which of several modules a text is written in: its names are those that the module's own source has. */

import { Select } from '@mantine/core';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';

interface ModuleChoiceProps {
  readonly schema: ServedSchema;
  /** Undefined of the only one: there is nothing to choose. */
  readonly module: string | undefined;
  readonly onChange: (module: string) => void;
}

export function ModuleChoice({ schema, module, onChange }: ModuleChoiceProps) {
  if (module === undefined) return null;
  return (
    <Select
      className="query-module"
      aria-label="Written in"
      title={`Written in ${module}`}
      size="xs"
      value={module}
      data={schema.modules.map(({ name }) => name)}
      allowDeselect={false}
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
      onChange={(value) => value !== null && onChange(value)}
    />
  );
}
