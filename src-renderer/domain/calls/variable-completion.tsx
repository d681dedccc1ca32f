/** Text fields that complete variable names after `{{`: arrows move, Enter or Tab accepts, Escape closes. */

import { Button, Input, Popover, Textarea, type TextareaProps, TextInput, type TextInputProps } from '@mantine/core';
import { clsx } from 'clsx';
import {
  createContext,
  type KeyboardEvent,
  type ReactNode,
  type SyntheticEvent,
  useContext,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { generatedCompletions } from '../../model/calls/generated-variables.js';
import {
  type BegunReference,
  begunReference,
  type Completion,
  completedText,
  completionsOf,
} from '../../model/calls/variable-completion.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { inBrief } from '../../model/facts/labels.js';
import { LINE_LETTERS_MAX } from '../../ui/brief.js';
import { caretPlace } from '../../ui/caret-place.js';
import { LongText } from '../../ui/long-text.js';
import { openEnvironmentSheet } from './environment-draft.js';
import fieldInputStyles from './field-input.module.css';
import { GeneratedVariableLabel } from './generated-variable-label.js';
import styles from './variables.module.css';

/** Which variables are resolved: none, only constant ones, or generated ones as well. */
export const TakesVariables = createContext<'none' | 'kept' | 'all'>('none');

interface VariableTextInputProps extends TextInputProps {
  /** Expected type; text by default. */
  readonly wanted?: WireType;
}

export function VariableTextInput({ wanted, ...props }: VariableTextInputProps) {
  return <TextInput {...props} {...useVariableCompletion({ isJson: false, wanted })} />;
}

interface VariableTextareaProps extends Omit<TextareaProps, 'value' | 'onChange' | 'autosize'> {
  readonly isJson?: boolean;
  readonly value: string;
  readonly onText: (text: string) => void;
}

/** A text that is too long to lay out on each key shows only its start, and is edited on request. */
export function VariableTextarea({ isJson = false, value, onText, ...props }: VariableTextareaProps) {
  const [isEdited, setEdited] = useState(false);
  const completion = useVariableCompletion({ isJson, wanted: undefined });
  const isLong = value.length > EDITED_LETTERS_MAX;
  if (isLong && !isEdited) {
    const { 'aria-label': label, error } = props;
    return (
      <LongTextField label={label} error={error} onEdit={() => setEdited(true)} onClear={() => onText('')}>
        {value}
      </LongTextField>
    );
  }
  return (
    <Textarea
      {...props}
      {...completion}
      value={value}
      // Autosize would lay out a second copy of the text.
      {...(isLong ? { rows: props.maxRows } : { autosize: true })}
      autoFocus={isLong}
      onChange={(event) => onText(event.currentTarget.value)}
      onPaste={(event) => {
        const pasted = event.clipboardData.getData('text/plain');
        if (pasted.length <= EDITED_LETTERS_MAX) return;
        event.preventDefault();
        const { selectionStart, selectionEnd } = event.currentTarget;
        setEdited(false);
        onText(`${value.slice(0, selectionStart)}${pasted.replaceAll('\r\n', '\n')}${value.slice(selectionEnd)}`);
      }}
    />
  );
}

const EDITED_LETTERS_MAX = 20_000;

type Field = HTMLInputElement | HTMLTextAreaElement;

interface Opened {
  readonly field: Field;
  readonly reference: BegunReference;
  /** Index of the highlighted option. */
  readonly index: number;
}

/** Props of a field with completion. */
function useVariableCompletion({
  isJson,
  wanted,
}: {
  readonly isJson: boolean;
  readonly wanted: WireType | undefined;
}) {
  const takes = useContext(TakesVariables);
  const { variables, environment } = useVariableScope();
  const listId = useId();
  const [opened, setOpened] = useState<Opened | undefined>(undefined);
  // Start of a reference for which Escape closed the list.
  const left = useRef<number | undefined>(undefined);
  const typed = opened?.reference.typed;
  const made = typed === undefined || takes !== 'all' ? [] : generatedCompletions(typed, wanted);
  const options = typed === undefined ? [] : completionsOf(typed, variables, made);
  const look = (field: Field, isTyped: boolean): void => {
    const reference = takes !== 'none' ? begunReference(field.value, field.selectionEnd ?? 0) : undefined;
    if (reference?.from !== left.current) left.current = undefined;
    const isOther = reference?.from !== opened?.reference.from;
    if (reference === undefined || left.current !== undefined || (isOther && !isTyped)) setOpened(undefined);
    else if (isTyped || reference.typed !== opened?.reference.typed) setOpened({ field, reference, index: 0 });
  };
  const leave = (): void => {
    left.current = opened?.reference.from;
    setOpened(undefined);
  };
  const take = ({ kind, name }: Completion): void => {
    if (opened === undefined) return;
    const { field, reference } = opened;
    const { from, text } = completedText(field.value, reference, name, isJson);
    field.setSelectionRange(from, reference.to);
    // `execCommand` is the only way to insert text that the browser can undo.
    document.execCommand('insertText', false, text);
    if (kind === 'define') openEnvironmentSheet(name);
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    if (opened === undefined || event.nativeEvent.isComposing) return;
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const chosen = options[opened.index];
    const by = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (event.key === 'Escape') leave();
    else if (by !== 0 && options.length > 0) {
      setOpened({ ...opened, index: (opened.index + by + options.length) % options.length });
    }
    // Tab must not define a variable.
    else if (chosen !== undefined && (event.key === 'Enter' || (event.key === 'Tab' && chosen.kind !== 'define'))) {
      take(chosen);
    } else return;
    event.preventDefault();
  };
  return {
    ...(opened !== undefined && openedAttributes(opened, options.length, listId)),
    onKeyDown,
    onInput: (event: SyntheticEvent<Field>) => look(event.currentTarget, true),
    onSelect: (event: SyntheticEvent<Field>) => opened !== undefined && look(event.currentTarget, false),
    onBlur: () => setOpened(undefined),
    inputContainer: (input: ReactNode) => (
      <div className={styles.completedField}>
        {input}
        {opened !== undefined && (
          <CompletionList
            key={opened.reference.from}
            id={listId}
            opened={opened}
            options={options}
            environment={environment}
            onTake={take}
          />
        )}
      </div>
    ),
  };
}

/** A text area cannot have the role combobox, so it gets the attributes of a code editor. */
function openedAttributes({ field, index }: Opened, count: number, listId: string) {
  return {
    'aria-autocomplete': 'list',
    'aria-haspopup': 'listbox',
    'aria-controls': listId,
    'aria-activedescendant': count === 0 ? undefined : optionId(listId, index),
    ...(field instanceof HTMLInputElement && { role: 'combobox', 'aria-expanded': true }),
    // Escape closes only the list, and not the sheet around it.
    'data-mantine-stop-propagation': true,
  } as const;
}

function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}

/** Height of the list with its note, and of the note alone. */
const LIST_HEIGHT = 300;
const NOTE_HEIGHT = 44;
/** Two options. */
const OPTIONS_HEIGHT_MIN = 56;

interface ListPlace {
  readonly isAbove: boolean;
  /** Height limit of the options, which then scroll; undefined if all fit. */
  readonly maxHeight?: number;
}

/** Below the caret, unless the list would cover the button that sends. Then on the side with more room. */
function listPlaceOf(field: Field, { top, height }: { readonly top: number; readonly height: number }): ListPlace {
  const button = (field.form ?? field.closest('.pane-body'))?.querySelector('[type="submit"], [data-sends]');
  if (button == null) return { isAbove: false };
  const caret = field.getBoundingClientRect().top + top;
  const below = button.getBoundingClientRect().top - caret;
  if (below < 0 || below > LIST_HEIGHT) return { isAbove: false };
  const above = caret - height;
  const room = Math.max(above, below) - NOTE_HEIGHT;
  return { isAbove: above > below, maxHeight: Math.max(OPTIONS_HEIGHT_MIN, room) };
}

interface CompletionListProps {
  readonly id: string;
  readonly opened: Opened;
  readonly options: readonly Completion[];
  readonly environment: string;
  readonly onTake: (completion: Completion) => void;
}

function CompletionList({ id, opened, options, environment, onTake }: CompletionListProps) {
  const { field, reference, index } = opened;
  const [{ height, ...place }] = useState(() => caretPlace(field, reference.from));
  const [{ isAbove, maxHeight }] = useState(() => listPlaceOf(field, { top: place.top, height }));
  return (
    <Popover
      opened
      position={isAbove ? 'top-start' : 'bottom-start'}
      offset={isAbove ? height + 2 : 2}
      {...(maxHeight !== undefined && { middlewares: { flip: false } })}
      withRoles={false}
      closeOnClickOutside={false}
      closeOnEscape={false}
      transitionProps={{ duration: 0 }}
    >
      <Popover.Target>
        <span className={styles.completionPlace} style={place} />
      </Popover.Target>
      {/* A click must not take the focus from the field. */}
      <Popover.Dropdown className={styles.completion} onMouseDown={(event) => event.preventDefault()}>
        <div role="listbox" id={id} aria-label="Variables" className="options" style={{ maxHeight }} tabIndex={0}>
          {options.map((option, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys.
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus; this is its active descendant.
            <div
              key={`${option.kind} ${option.name}`}
              ref={(row) => {
                if (at === index) row?.scrollIntoView({ block: 'nearest' });
              }}
              id={optionId(id, at)}
              role="option"
              aria-selected={at === index}
              className={styles.completionOption}
              onClick={() => onTake(option)}
            >
              <OptionWords option={option} />
            </div>
          ))}
        </div>
        <p className={clsx('dim', styles.completionNote)} role="status">
          {reference.typed.startsWith('$')
            ? 'Variables with $ are generated for each use when the call is sent.'
            : environment === ''
              ? 'No environment selected.'
              : `Environment ${environment}.`}
          {options.length === 0 && (reference.typed.startsWith('$') ? ' No matches.' : ' Type a name to define one.')}
        </p>
      </Popover.Dropdown>
    </Popover>
  );
}

function OptionWords({ option }: { option: Completion }) {
  if (option.kind === 'define') return <span>Define {option.name}…</span>;
  if (option.kind === 'made') return <GeneratedVariableLabel variable={option} />;
  return (
    <>
      <span className="mono cut">{option.name}</span>
      <span className="mono dim cut">{option.value === '' ? '(empty)' : inBrief(option.value, LINE_LETTERS_MAX)}</span>
    </>
  );
}

interface LongTextFieldProps {
  readonly label: string | undefined;
  readonly error: ReactNode;
  readonly children: string;
  readonly onEdit: () => void;
  readonly onClear: () => void;
}

/** Replaces a text area whose text is too long to edit without freezing the page. */
function LongTextField({ label, error, children, onEdit, onClear }: LongTextFieldProps) {
  const edit = useRef<HTMLButtonElement>(null);
  // A long paste replaces the focused field.
  useEffect(() => {
    if (document.activeElement === document.body) edit.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Input.Wrapper error={error}>
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset would be a group of fields. */}
      <div role="group" aria-label={label} className={fieldInputStyles.longTextField}>
        <LongText>{children}</LongText>
        <div className={fieldInputStyles.longTextFieldActions}>
          <Button variant="subtle" size="compact-xs" onClick={onClear}>
            Clear
          </Button>
          <Button ref={edit} variant="default" size="compact-xs" onClick={onEdit}>
            Edit
          </Button>
        </div>
      </div>
    </Input.Wrapper>
  );
}
