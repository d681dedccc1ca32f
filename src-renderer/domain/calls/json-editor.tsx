/** Arguments as JSON text. A plain text area: arguments are short, and Tab must leave it. */

import { VariableTextarea } from './variable-completion.js';

interface JsonEditorProps {
  readonly label: string;
  readonly value: string;
  readonly error: string | undefined;
  readonly onChange: (text: string) => void;
  /** 8 unless given. */
  readonly minRows?: number;
}

export function JsonEditor({ label, value, error, onChange, minRows = 8 }: JsonEditorProps) {
  return (
    <VariableTextarea
      isJson
      aria-label={label}
      value={value}
      error={error}
      minRows={minRows}
      maxRows={24}
      spellCheck={false}
      classNames={{ input: 'mono' }}
      onText={onChange}
    />
  );
}
