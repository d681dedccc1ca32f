/** Selects an individual of a class by label. An id can be typed for individuals that are not listed. */

import { Autocomplete, Loader } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { IconCheck } from '@tabler/icons-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import type { Entity } from '../../../src-runtime/api/schemas/schemas.js';
import { articleFor } from '../../../src-runtime/base/articles.js';
import { wantedContext } from '../../model/facts/failure.js';
import { looksLikeReference } from '../../model/facts/labels.js';
import { shortName } from '../../model/facts/locations.js';
import { useFoundIndividuals, useIndividual, useIndividuals } from '../../server-state/facts.js';
import { optionsOf } from '../../theme/list-enter.js';
import { NamedText } from '../../ui/named-text.js';
import styles from './individual-picker.module.css';
import {
  foundInMany,
  isName,
  matchOf,
  offeredUntyped,
  type PickerOption,
  type PickerOptions,
  pickerOptions,
  unclear,
} from './picker-options.js';

/** Debounce for searches on the server. */
const TYPING_MS = 200;
const OFFERED_MAX = 50;

interface IndividualPickerProps {
  readonly classPath: string;
  /** A reference such as `#i3` or `@lease::acme`, or the text typed so far. */
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly label: string;
  readonly id?: string;
  readonly error?: string | undefined;
}

export function IndividualPicker({ classPath, value, onChange, label, id, error }: IndividualPickerProps) {
  const className = shortName(classPath);
  const individuals = useIndividuals(classPath);
  const { further, isLooking, isWhole, isTooMany } = useFurther(
    classPath,
    value,
    individuals.data?.nextCursor !== undefined,
  );
  const options = useMemo(
    () => pickerOptions([...(individuals.data?.result ?? []), ...further]),
    [individuals.data, further],
  );
  const isKnown = isWhole && individuals.isSuccess;
  const doubt = isKnown ? unclear(options, value, className) : undefined;
  const cause = isTooMany ? foundInMany(value) : waitFor(className, individuals.isError);
  const wait = isKnown || !isName(value) ? undefined : cause;
  const { isAsked, isTyping, match, input, ...typing } = useTyping(options, isWhole, { doubt, wait }, value, onChange);
  const told = isAsked ? (doubt ?? wait ?? error) : error !== undefined ? (doubt ?? error) : undefined;
  const isEntering = useRef(false);
  const lacking = wantedContext(individuals.error)?.field;
  const placeholder = individuals.isPending
    ? 'Loading…'
    : individuals.isError
      ? lacking === undefined
        ? 'List not available, type an id'
        : `Enter ${articleFor(lacking)} ${lacking} first`
      : options.texts.length === 0
        ? `No ${className} yet`
        : `Select ${articleFor(className)} ${className}`;
  return (
    <Autocomplete
      {...(id === undefined ? {} : { id })}
      aria-label={label}
      placeholder={placeholder}
      data={isTyping ? [...options.texts] : [...offeredUntyped(options.texts, typing.value, OFFERED_MAX)]}
      limit={OFFERED_MAX}
      {...(!isTyping && { filter: unfiltered })}
      // The open list would hide the error message below.
      openOnFocus={told === undefined}
      maxDropdownHeight={280}
      ref={input}
      {...typing}
      // A click selects the whole name, as Tab does, so that typing replaces it.
      onPointerDown={({ currentTarget }) => {
        isEntering.current = document.activeElement !== currentTarget;
      }}
      onClick={({ currentTarget }) => {
        if (isEntering.current) currentTarget.select();
        isEntering.current = false;
      }}
      renderOption={({ option }) => (
        <Option
          option={options.byText.get(option.value)}
          isMatch={options.byText.get(option.value)?.id === match}
          isSelected={option.value === typing.value}
        />
      )}
      error={told !== undefined && <NamedText text={told} />}
      rightSection={isLooking ? <Loader size={12} aria-label="Searching" /> : undefined}
      comboboxProps={{ shadow: 'md' }}
    />
  );
}

function unfiltered<T>({ options }: { readonly options: T[] }): T[] {
  return options;
}

/** Why a name cannot be resolved yet. */
function waitFor(className: string, isError: boolean): string {
  return isError ? `The list of ${className} is not available. Type an id.` : 'Names are still loading.';
}

interface Unclear {
  /** Why the name matches no individual, or several. */
  readonly doubt: string | undefined;
  /** Why that is unknown. */
  readonly wait: string | undefined;
}

/** The text typed into the picker, and the individual it resolves to. */
function useTyping(
  options: PickerOptions,
  isWhole: boolean,
  { doubt, wait }: Unclear,
  typed: string,
  onChange: (value: string) => void,
) {
  // The text may be the start of another id, so it stays until the field loses the focus.
  const [isTyping, setIsTyping] = useState(false);
  // Only keys show the message. After a click elsewhere it would move the clicked element.
  const [isAsked, setIsAsked] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const value = isTyping ? typed : (options.textOf.get(typed) ?? typed);
  const { input, own } = useMarked(value);
  // A name that was not selected in the list resolves if it is unique.
  const named = isWhole && isName(typed) ? options.idOf.get(typed.trim()) : undefined;
  const match = isTyping && (isWhole || !isName(typed)) ? matchOf(options, typed) : undefined;
  const settle = (id: string | undefined) => {
    if (id === undefined) return;
    setIsTyping(false);
    own.current = options.textOf.get(id) ?? id;
    onChange(id);
  };
  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    if (event.key === 'Tab') setIsAsked(doubt !== undefined);
    if (event.key !== 'Enter' || event.nativeEvent.isComposing) return;
    const list = optionsOf(event.currentTarget);
    // Mantine takes the highlighted option.
    const isHighlighted = list?.querySelector('[data-combobox-selected]') != null;
    const taken = isHighlighted ? undefined : list === undefined ? named : match;
    const isSending = event.ctrlKey || event.metaKey;
    const isUnclear = !isHighlighted && taken === undefined && (doubt ?? wait) !== undefined && !isSending;
    setIsOpen(isUnclear);
    setIsAsked(isUnclear);
    // Enter in an open list belongs to the list. Ctrl+Enter must send the typed text.
    const isPart = taken !== named && isName(typed);
    if (isUnclear || (isSending ? isPart : list !== undefined)) event.preventDefault();
    if (isTyping) settle(taken);
  };
  // The field lost the focus before the name could be resolved.
  const late = isTyping ? undefined : named;
  useEffect(() => {
    if (late !== undefined && late !== typed) onChange(late);
  }, [late, typed, onChange]);
  return {
    input,
    value,
    isAsked,
    isTyping,
    match,
    onChange: (text: string) => {
      own.current = text;
      setIsAsked(false);
      const chosen = options.byText.get(text);
      setIsTyping(chosen === undefined);
      onChange(chosen?.id ?? text);
    },
    onBlur: () => {
      setIsTyping(false);
      if (isTyping) settle(named);
    },
    onKeyDown,
    dropdownOpened: isOpen,
    onDropdownOpen: () => setIsOpen(true),
    onDropdownClose: () => setIsOpen(false),
  };
}

/**
 * Selects a value that was set from outside while the input has the focus, as entering the input does. `own` is the value set
 * here.
 */
function useMarked(shown: string) {
  const input = useRef<HTMLInputElement>(null);
  const own = useRef(shown);
  useLayoutEffect(() => {
    if (shown !== own.current && document.activeElement === input.current) input.current?.select();
    own.current = shown;
  }, [shown]);
  return { input, own };
}

const NONE: readonly Entity[] = [];

/**
 * For a class with more individuals than listed: search results, and the selected individual. `isWhole`: no other individual can
 * match the text. `isTooMany`: the search has more matches than were read.
 */
function useFurther(
  classPath: string,
  value: string,
  isCut: boolean,
): {
  readonly further: readonly Entity[];
  readonly isLooking: boolean;
  readonly isWhole: boolean;
  readonly isTooMany: boolean;
} {
  const [typed] = useDebouncedValue(value.trim(), TYPING_MS);
  const isId = looksLikeReference(typed);
  const found = useFoundIndividuals(classPath, typed, isCut && typed !== '' && !isId);
  const chosen = useIndividual(typed, isCut && isId);
  const further = useMemo(() => {
    if (!isCut) return NONE;
    return [...(found.data?.result ?? []), ...(chosen.data === undefined ? [] : [chosen.data])];
  }, [isCut, found.data, chosen.data]);
  const isAnswered = typed === value.trim() && found.isSuccess && !found.isPlaceholderData;
  const isTooMany = isCut && isAnswered && found.data.nextCursor !== undefined;
  return { further, isLooking: found.isFetching, isWhole: !isCut || (isAnswered && !isTooMany), isTooMany };
}

interface OptionProps {
  readonly option: PickerOption | undefined;
  /** Enter takes this option. */
  readonly isMatch: boolean;
  readonly isSelected: boolean;
}

function Option({ option, isMatch, isSelected }: OptionProps) {
  if (option === undefined) return null;
  const { id, label, shownId, mark } = option;
  return (
    <span className={styles.pickerOption} data-match={isMatch || undefined} title={`${label}  ${id}`}>
      <span className="cut" dir="auto">
        {label}
      </span>
      {mark !== undefined && <span className="dim cut">{mark}</span>}
      {shownId !== label && <span className="mono dim cut">{shownId}</span>}
      {isSelected && <IconCheck className={styles.pickerChosen} size={14} role="img" aria-label="selected" />}
    </span>
  );
}
