/** Input for a value of one type. The draft stays text until the call is sent. Lists and records nest. */

import { ActionIcon, Button, SegmentedControl, Select } from '@mantine/core';
import { IconPlus, IconX } from '@tabler/icons-react';
import { type KeyboardEvent, type RefObject, useContext, useEffect, useRef } from 'react';
import type { ServedSchema } from '../../../src-runtime/api/schemas/module-schemas.js';
import type { WireType } from '../../../src-runtime/api/schemas/schemas.js';
import { emptyValue, type FormValue, resultOfStep, stepOf } from '../../model/calls/form-model.js';
import { variableProblem } from '../../model/calls/variable-arguments.js';
import { useVariableScope } from '../../model/calls/variable-scope.js';
import { typeText } from '../../model/facts/type-text.js';
import { ownValue } from '../../state/own-value.js';
import { BreakingName } from '../../ui/breaking-name.js';
import { Cut } from '../../ui/cut.js';
import { DateInput, InstantInput } from './date-input.js';
import styles from './field-input.module.css';
import { IndividualPicker } from './individual-picker.js';

import { EarlierSteps, StepMenu, StepReference } from './step-reference.js';
import { TakesVariables, VariableTextarea, VariableTextInput } from './variable-completion.js';
import { VariableHints } from './variable-hints.js';
import { VariableMenu } from './variable-menu.js';

interface FieldInputProps {
  readonly type: WireType;
  readonly value: FormValue;
  readonly onChange: (value: FormValue) => void;
  readonly schema: ServedSchema;
  /** Accessible name. */
  readonly label: string;
  /** Path of this input in the form, e.g. `lines.0.amount`: key of its message in `errors`. */
  readonly path: string;
  readonly errors: Readonly<Record<string, string>>;
}

/** A value of the type, or in a batch the result of an earlier step. */
export function FieldInput(props: FieldInputProps) {
  const { type, value, onChange, label, path, errors } = props;
  const step = stepOf(value);
  const hasSteps = useContext(EarlierSteps).length > 0;
  const line = useRef<HTMLDivElement>(null);
  const change = useChangeWithFocus(line, step !== undefined, onChange);
  if (step === undefined && !hasSteps) return <TypedInput {...props} />;
  const pick = (picked: string): void => change(resultOfStep(picked));
  // An optional input renders its value, and the menus for it, inside.
  const isWithin = type.kind === 'optional' && value !== null;
  return (
    <div className={styles.fieldLine} ref={line}>
      {step === undefined ? (
        <>
          <div className={styles.fieldGrow}>
            <TypedInput {...props} />
          </div>
          {!isWithin && <StepMenu label={label} onPick={pick} />}
        </>
      ) : (
        <StepReference
          step={step}
          label={label}
          error={ownValue(errors, path)}
          onPick={pick}
          onRemove={() => change(emptyValue(type))}
        />
      )}
    </div>
  );
}

function TypedInput(props: FieldInputProps) {
  switch (props.type.kind) {
    case 'optional':
      return <OptionalInput {...props} of={props.type.of} />;
    case 'list':
      return <ListInput {...props} of={props.type.of} />;
    case 'record':
      return <RecordInput {...props} fields={props.type.fields} />;
    default:
      return <LeafInput {...props} text={typeof props.value === 'string' ? props.value : ''} />;
  }
}

type LeafProps = FieldInputProps & { readonly text: string };

function LeafInput(props: LeafProps) {
  return useContext(TakesVariables) !== 'none' ? <VariableInput {...props} /> : <ValueInput {...props} />;
}

/** A value or a variable. */
function VariableInput(props: LeafProps) {
  const { type, text, label, path, errors, onChange } = props;
  const scope = useVariableScope();
  // A select cannot show a variable. While the text has a brace, a text input replaces it.
  const isTyped = !takesText(type) && text.includes('{');
  const line = useRef<HTMLDivElement>(null);
  const change = useChangeWithFocus(line, isTyped, onChange);
  const error = ownValue(errors, path) ?? variableProblem(type, text, scope);
  const isText = type.kind === 'scalar' && type.name === 'Text';
  // A select ignores a typed brace.
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== '{' || isTyped || takesText(type) || type.kind === 'class') return;
    event.preventDefault();
    change('{');
  };
  return (
    <div className={styles.fieldLine} ref={line}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles keys of the input inside. */}
      <div className={styles.fieldGrow} onKeyDown={onKeyDown}>
        {isTyped ? (
          <VariableTextInput
            wanted={type}
            aria-label={label}
            classNames={{ input: 'mono' }}
            value={text}
            error={error}
            onChange={(event) => change(event.currentTarget.value)}
          />
        ) : (
          <ValueInput
            {...props}
            onChange={change}
            errors={error === undefined ? errors : { ...errors, [path]: error }}
          />
        )}
        <VariableHints text={text} />
      </div>
      <VariableMenu
        label={label}
        wanted={type}
        onPick={(reference) => onChange(isText ? text + reference : reference)}
        onClear={isTyped ? () => onChange('') : undefined}
      />
    </div>
  );
}

function takesText(type: WireType): boolean {
  return type.kind === 'scalar' && type.name !== 'Bool';
}

function ValueInput({ type, text, onChange, schema, label, path, errors }: LeafProps) {
  const error = ownValue(errors, path);
  const common = { 'aria-label': label, error, value: text } as const;
  if (type.kind === 'class') {
    return <IndividualPicker classPath={type.path} value={text} onChange={onChange} label={label} error={error} />;
  }
  if (type.kind === 'enum') {
    const members = schema.enums.find((candidate) => candidate.path === type.path)?.members ?? [];
    return (
      <Select
        {...common}
        value={text === '' ? null : text}
        data={members.map((member) => member.name)}
        placeholder="Select"
        allowDeselect={false}
        onChange={(value) => onChange(value ?? '')}
      />
    );
  }
  if (type.kind !== 'scalar') return <p className="dim">Values of this type are not supported.</p>;
  const onText = (event: React.ChangeEvent<HTMLInputElement>) => onChange(event.currentTarget.value);
  switch (type.name) {
    case 'Bool':
      return (
        <SegmentedControl
          aria-label={label}
          value={text === 'true' ? 'true' : 'false'}
          onChange={onChange}
          data={['true', 'false']}
        />
      );
    case 'Text':
      return <VariableTextarea {...common} minRows={1} maxRows={6} onText={onChange} />;
    case 'Int':
    case 'Decimal':
      return <VariableTextInput {...common} wanted={type} className="numeric" inputMode="decimal" onChange={onText} />;
    case 'Date':
      return <DateInput label={label} text={text} error={error} onText={onChange} />;
    case 'DateTime':
      return <InstantInput label={label} text={text} error={error} onText={onChange} />;
  }
}

function OptionalInput(props: FieldInputProps & { readonly of: WireType }) {
  const { of, value, onChange, label } = props;
  const line = useRef<HTMLDivElement>(null);
  const change = useChangeWithFocus(line, value === null, onChange);
  if (value === null) {
    return (
      <div className={styles.fieldNone} ref={line}>
        <span className="dim">none</span>
        <Button
          variant="subtle"
          size="compact-xs"
          aria-label={`Set value of ${label}`}
          onClick={() => change(emptyValue(of))}
        >
          Set value
        </Button>
      </div>
    );
  }
  return (
    <div className={styles.fieldLine} ref={line}>
      <div className={styles.fieldGrow}>
        <FieldInput {...props} type={of} />
      </div>
      <ActionIcon aria-label={`Set ${label} to none`} onClick={() => change(null)}>
        <IconX size={14} />
      </ActionIcon>
    </div>
  );
}

/** A change that replaces the focused input moves the focus to its replacement. */
function useChangeWithFocus(
  line: RefObject<HTMLElement | null>,
  isOther: boolean,
  onChange: (value: FormValue) => void,
): (value: FormValue) => void {
  const isAsked = useRef(false);
  const was = useRef(isOther);
  useEffect(() => {
    if (isAsked.current && was.current !== isOther) focusOn(line.current?.querySelector('input, textarea, button'));
    isAsked.current = false;
    was.current = isOther;
  });
  return (value) => {
    isAsked.current = true;
    onChange(value);
  };
}

/** Places the cursor at the end, where the user was typing. */
function focusOn(element: Element | null | undefined): void {
  if (element instanceof HTMLElement) element.focus();
  if (element instanceof HTMLInputElement && element.type === 'text') {
    element.setSelectionRange(element.value.length, element.value.length);
  }
}

function ListInput(props: FieldInputProps & { readonly of: WireType }) {
  const { of, value, onChange, label, path } = props;
  const items = Array.isArray(value) ? (value as readonly FormValue[]) : [];
  const list = useRef<HTMLDivElement>(null);
  const change = useChangeOfItems(list, items.length, onChange);
  const kind = of.kind === 'record' ? 'a record' : of.kind === 'list' ? 'a list' : typeText(of);
  return (
    <div className={styles.fieldList} ref={list}>
      {items.map((item, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the items have no identity but their place.
        <div className={styles.fieldLine} key={index}>
          <div className={styles.fieldGrow}>
            <FieldInput
              {...props}
              type={of}
              value={item}
              label={`${label} ${index + 1}`}
              path={`${path}.${index}`}
              onChange={(changed) => onChange(items.map((old, at) => (at === index ? changed : old)))}
            />
          </div>
          <ActionIcon
            aria-label={`Remove ${label} ${index + 1}`}
            onClick={() => change(items.filter((_, at) => at !== index))}
          >
            <IconX size={14} />
          </ActionIcon>
        </div>
      ))}
      <Button
        variant="subtle"
        size="compact-xs"
        leftSection={<IconPlus size={14} />}
        aria-label={`Add ${kind} to ${label}`}
        onClick={() => change([...items, emptyValue(of)])}
      >
        <Cut>Add {kind}</Cut>
      </Button>
    </div>
  );
}

/** Focuses the first input of a new item. After a removal, focuses the next item, or the add button. */
function useChangeOfItems(
  list: RefObject<HTMLElement | null>,
  count: number,
  onChange: (value: FormValue) => void,
): (items: readonly FormValue[]) => void {
  const isAsked = useRef(false);
  const before = useRef(count);
  useEffect(() => {
    const isAdded = count > before.current;
    if (isAsked.current && isAdded) {
      focusOn(
        list.current?.children[count - 1]?.querySelector('input:not([type="radio"]), input:checked, textarea, button'),
      );
    } else if (isAsked.current && count < before.current && document.activeElement === document.body) {
      focusOn(list.current?.lastElementChild);
    }
    isAsked.current = false;
    before.current = count;
  }, [list, count]);
  return (items) => {
    isAsked.current = true;
    onChange(items);
  };
}

function RecordInput(
  props: FieldInputProps & { readonly fields: readonly { readonly name: string; readonly type: WireType }[] },
) {
  const { fields, value, onChange, label, path } = props;
  const members = (typeof value === 'object' && value !== null ? value : {}) as Readonly<Record<string, FormValue>>;
  return (
    <div className={styles.fieldRecord}>
      {fields.map((field) => (
        <div className={styles.fieldMember} key={field.name}>
          <span className="dim">
            <BreakingName>{field.name}</BreakingName>
          </span>
          <FieldInput
            {...props}
            type={field.type}
            value={ownValue(members, field.name) ?? emptyValue(field.type)}
            label={`${label} ${field.name}`}
            path={`${path}.${field.name}`}
            onChange={(changed) => onChange({ ...members, [field.name]: changed })}
          />
        </div>
      ))}
    </div>
  );
}
