/** Chooses an individual of a class by its label; an id can be typed too, for what the list does not hold. */

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
import './individual-picker.css';

/** How long after the last key the server is asked. */
const TYPING_MS = 200;
const OFFERED_MAX = 50;

interface IndividualPickerProps {
  readonly classPath: string;
  /** A reference such as `#i3` or `@lease::acme`, or whatever has been typed so far. */
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
      // What is wrong with it is told below, where the list would hide it.
      openOnFocus={told === undefined}
      maxDropdownHeight={280}
      ref={input}
      {...typing}
      // A click from elsewhere marks the whole name, as Tab does: what is typed then takes its place.
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

/** What stands in the way of a name while nobody's is known. */
function waitFor(className: string, isError: boolean): string {
  return isError ? `The list of ${className} is not available. Type an id.` : 'Names are still loading.';
}

interface Unclear {
  /** Why it means nobody or might mean several. */
  readonly doubt: string | undefined;
  /** Why that cannot be told. */
  readonly wait: string | undefined;
}

/** What is typed into a picker, and whom that means. */
function useTyping(
  options: PickerOptions,
  isWhole: boolean,
  { doubt, wait }: Unclear,
  typed: string,
  onChange: (value: string) => void,
) {
  // What is typed may be the beginning of another id, so it stays as it is until the field is left.
  const [isTyping, setIsTyping] = useState(false);
  // Keys ask who is meant. A click elsewhere does not: what is told would move what it is meant for away from under it.
  const [isAsked, setIsAsked] = useState(false);
  const [isOpen, setIsOpen] = useState(false);
  const value = isTyping ? typed : (options.textOf.get(typed) ?? typed);
  const { input, own } = useMarked(value);
  // What nobody chose from the list means an individual too where it can mean only one.
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
    // Mantine takes the option that the arrow keys highlighted.
    const isHighlighted = list?.querySelector('[data-combobox-selected]') != null;
    const taken = isHighlighted ? undefined : list === undefined ? named : match;
    const isSending = event.ctrlKey || event.metaKey;
    const isUnclear = !isHighlighted && taken === undefined && (doubt ?? wait) !== undefined && !isSending;
    setIsOpen(isUnclear);
    setIsAsked(isUnclear);
    // Enter in an open list belongs to the list. What Ctrl+Enter would send has to be what was typed.
    const isPart = taken !== named && isName(typed);
    if (isUnclear || (isSending ? isPart : list !== undefined)) event.preventDefault();
    if (isTyping) settle(taken);
  };
  // A name that was left before it was known whose it is.
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

/** What comes into the input by itself while it has the keyboard is marked as a whole, as entering it does. `own` is what was put there. */
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
 * Of a class that is not known whole: those that what is typed is found in, and the one that is chosen. `isWhole` says that
 * there are no others that what is typed could mean, `isTooMany` that it is found in more than are read.
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
  /** Enter takes it. */
  readonly isMatch: boolean;
  readonly isSelected: boolean;
}

function Option({ option, isMatch, isSelected }: OptionProps) {
  if (option === undefined) return null;
  const { id, label, shownId, mark } = option;
  return (
    <span className="picker-option" data-match={isMatch || undefined} title={`${label}  ${id}`}>
      <span className="cut" dir="auto">
        {label}
      </span>
      {mark !== undefined && <span className="dim cut">{mark}</span>}
      {shownId !== label && <span className="mono dim cut">{shownId}</span>}
      {isSelected && <IconCheck className="picker-chosen" size={14} role="img" aria-label="selected" />}
    </span>
  );
}
