/** Filters of the request list. In a narrow list, rare filters are in a popover. */

import { Button, Popover, Select, TextInput, Tooltip } from '@mantine/core';
import { ERROR_CODES } from '../../../../src-runtime/api/errors.js';
import { ForkSelect } from '../../../domain/fork/fork-select.js';
import { useTypedText } from '../../../state/typed-text.js';
import styles from '../log.module.css';
import type { changedAddress, LogView } from '../log-address.js';

interface RequestFiltersProps {
  readonly view: LogView;
  readonly forks: readonly string[];
  /** Undefined if the module has no tenants. */
  readonly tenants: readonly string[] | undefined;
  readonly onChange: (changes: Parameters<typeof changedAddress>[1]) => void;
}

const STATUS_CLASSES = [
  { value: '2xx', label: '2xx succeeded' },
  { value: '4xx', label: '4xx rejected' },
  { value: '5xx', label: '5xx failed' },
];

export function RequestFilters(props: RequestFiltersProps) {
  const { filter, bodies } = props.view;
  const { onChange } = props;
  return (
    <search className={styles.logFilters} aria-label="Filter requests">
      <TextField
        value={filter.text ?? ''}
        onChange={(text) => onChange({ text })}
        bodies={bodies}
        onBodies={() => onChange({ bodies: bodies ? undefined : 'too' })}
      />
      <Choice
        label="Status"
        data={STATUS_CLASSES}
        value={filter.status}
        onChange={(status) => onChange({ status })}
        width={104}
      />
      <Choice
        label="Code"
        data={ERROR_CODES.map((code) => ({ value: code, label: code.replace('SVC_RUNTIME_', '') }))}
        value={filter.code}
        onChange={(code) => onChange({ code })}
        width={128}
      />
      <div className={styles.logRare}>
        <RareFilters {...props} />
      </div>
      <OtherFilters {...props} />
    </search>
  );
}

/** Filters that do not fit. */
function OtherFilters(props: RequestFiltersProps) {
  const { filter } = props.view;
  const set = [filter.method, filter.fork, filter.tenant].filter((value) => value !== undefined);
  return (
    <Popover position="bottom-end" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <Button className={styles.logOthers} variant={set.length > 0 ? 'light' : 'default'} px={8}>
          Other filters{set.length > 0 && `, ${set.length} set`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown className={styles.logOtherFilters} aria-label="Other filters">
        <RareFilters {...props} isWithin />
      </Popover.Dropdown>
    </Popover>
  );
}

/** Width of a select in the popover, in pixels. */
const WITHIN = 192;

function RareFilters({
  view: { filter },
  forks,
  tenants,
  onChange,
  isWithin = false,
}: RequestFiltersProps & { readonly isWithin?: boolean }) {
  return (
    <>
      <Choice
        label="Method"
        data={['GET', 'POST', 'PUT', 'PATCH', 'DELETE']}
        value={filter.method}
        onChange={(method) => onChange({ method })}
        width={isWithin ? WITHIN : 96}
        isWithin={isWithin}
      />
      <ForkSelect
        aria-label="Fork"
        placeholder="Fork"
        data={filter.fork === undefined || forks.includes(filter.fork) ? forks : [...forks, filter.fork]}
        value={filter.fork ?? null}
        onChange={(fork) => onChange({ fork: fork ?? undefined })}
        clearable
        w={isWithin ? WITHIN : 112}
        isWithin={isWithin}
      />
      {(tenants !== undefined || filter.tenant !== undefined) && (
        <Choice
          label="Tenant"
          data={tenants ?? []}
          value={filter.tenant}
          onChange={(tenant) => onChange({ tenant })}
          width={isWithin ? WITHIN : 112}
          isWithin={isWithin}
        />
      )}
    </>
  );
}

interface TextFieldProps {
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Whether bodies are searched too. */
  readonly bodies: boolean;
  readonly onBodies: () => void;
}

function TextField({ value, onChange, bodies, onBodies }: TextFieldProps) {
  const [text, setText] = useTypedText('text of the log', value, onChange, TYPING_MS);
  return (
    <TextInput
      className={styles.logText}
      aria-label="Path, callable or request id"
      placeholder={bodies ? 'Search bodies too (-word excludes)' : 'Search path, call or id (-word excludes)'}
      value={text}
      maxLength={200}
      rightSection={
        <Tooltip label="Search request and response bodies too">
          <Button variant={bodies ? 'light' : 'subtle'} size="compact-xs" aria-pressed={bodies} onClick={onBodies}>
            <span className="visually-hidden">Search </span>bodies
          </Button>
        </Tooltip>
      }
      rightSectionWidth={64}
      onChange={(event) => setText(event.currentTarget.value)}
    />
  );
}

const TYPING_MS = 120;

interface ChoiceProps {
  readonly label: string;
  readonly data: readonly (string | { readonly value: string; readonly label: string })[];
  readonly value: string | undefined;
  readonly onChange: (value: string | undefined) => void;
  readonly width: number;
  /** In a popover: a portal outside of it would close it. */
  readonly isWithin?: boolean;
}

function Choice({ label, data, value, onChange, width, isWithin = false }: ChoiceProps) {
  // A value from the address is listed even if no request has it.
  const missing =
    value !== undefined && !data.some((entry) => (typeof entry === 'string' ? entry : entry.value) === value);
  return (
    <Select
      aria-label={label}
      placeholder={label}
      data={missing ? [...data, value] : [...data]}
      value={value ?? null}
      onChange={(selected) => onChange(selected ?? undefined)}
      clearable
      searchable={data.length > 12}
      w={width}
      comboboxProps={{ width: 'max-content', position: 'bottom-start', withinPortal: !isWithin }}
    />
  );
}
