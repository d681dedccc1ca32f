/** The Settings panel. */

import { clsx } from 'clsx';
import { type ComponentType, useEffect, useRef } from 'react';
import { Link, useSearchParams } from 'react-router';
import { settingsLocation } from '../../model/facts/locations.js';
import { useOpenName } from '../../state/page-title.js';
import { reboundKeys } from '../../state/shortcuts.js';
import { useStore } from '../../state/store.js';
import { useUrlText } from '../../state/url-text.js';
import { Cut } from '../../ui/cut.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { About } from './about.js';
import { Appearance } from './appearance.js';
import { BROWSER_STORAGE_NAME, BrowserStorage } from './browser-storage.js';
import { Connect } from './connect.js';
import { Keyboard } from './keyboard.js';
import { Limits } from './limits.js';
import styles from './settings.module.css';
import { findSettings, type SectionId } from './settings-index.js';
import { Storage } from './storage.js';

interface Section {
  readonly id: SectionId;
  readonly name: string;
  readonly Content: ComponentType;
}

const SECTIONS: readonly [Section, ...Section[]] = [
  { id: 'connect', name: 'Connect', Content: Connect },
  { id: 'limits', name: 'Limits and grants', Content: Limits },
  { id: 'data', name: 'Storage', Content: Storage },
  { id: 'appearance', name: 'Appearance', Content: Appearance },
  { id: 'keyboard', name: 'Keyboard', Content: Keyboard },
  { id: 'kept', name: BROWSER_STORAGE_NAME, Content: BrowserStorage },
  { id: 'about', name: 'About', Content: About },
];

export function SettingsPanel() {
  const [search] = useSearchParams();
  const selected = SECTIONS.find(({ id }) => id === search.get('section')) ?? SECTIONS[0];
  useOpenName(selected.name);
  const content = useRef<HTMLElement>(null);
  const section = { className: styles.settings, ref: content };
  const setting = search.get('setting');
  useEffect(() => (setting === null ? undefined : showSetting(content.current, setting)), [setting]);
  return (
    <Panes
      id="settings"
      panes={[
        {
          id: 'sections',
          size: 208,
          minSize: 200,
          fixed: true,
          content: <SectionList chosen={selected.id} setting={setting} />,
        },
        {
          id: 'section',
          minSize: 320,
          wanted: setting !== null,
          content: (
            <Pane title={selected.name}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
              <section {...section} key={selected.id} tabIndex={0} aria-label={`Settings: ${selected.name}`}>
                <selected.Content />
              </section>
            </Pane>
          ),
        },
      ]}
    />
  );
}

function SectionList({ chosen, setting }: { chosen: SectionId; setting: string | null }) {
  const [find, setFind] = useUrlText('find');
  const bindings = useStore(reboundKeys);
  const isLooking = find.trim() !== '';
  const found = isLooking ? findSettings(find.trim(), bindings) : [];
  return (
    <Pane title="Settings" isPanelName>
      <ListFilter label="Find in Settings" value={find} onChange={setFind} />
      {isLooking ? (
        <nav aria-label="Found settings">
          {found.map(({ section, name }) => (
            <Link
              key={`${section} ${name}`}
              className={clsx('row', styles.settingsFound)}
              to={foundLocation(section, name, find)}
              aria-current={section === chosen && name === setting}
            >
              <Cut>{name}</Cut>
              <span className={clsx('dim', styles.settingsFoundSection)}>{nameOf(section)}</span>
            </Link>
          ))}
          {found.length === 0 && <p className="pane-padded dim">No matches</p>}
        </nav>
      ) : (
        <nav aria-label="Sections">
          {SECTIONS.map(({ id, name }) => (
            <Link key={id} className="row" to={settingsLocation(id)} aria-current={id === chosen}>
              {name}
            </Link>
          ))}
        </nav>
      )}
    </Pane>
  );
}

function nameOf(section: SectionId): string {
  return SECTIONS.find(({ id }) => id === section)?.name ?? '';
}

function foundLocation(section: SectionId, setting: string, find: string): string {
  return `${settingsLocation(section)}&${new URLSearchParams({ setting, find }).toString()}`;
}

const FOUND = 'data-found';

/** Scrolls to a setting and highlights it, waiting until its section is loaded. Returns the cleanup. */
function showSetting(content: HTMLElement | null, name: string): () => void {
  const show = (): boolean => {
    const rows = [...(content?.querySelectorAll<HTMLElement>('[data-setting], section[aria-label]') ?? [])];
    const row = rows.find((each) => (each.dataset['setting'] ?? each.getAttribute('aria-label')) === name);
    row?.scrollIntoView({ block: 'nearest' });
    row?.setAttribute(FOUND, 'true');
    return row !== undefined;
  };
  const observer = new MutationObserver(() => {
    if (show()) observer.disconnect();
  });
  if (!show() && content !== null) observer.observe(content, { childList: true, subtree: true });
  return () => {
    observer.disconnect();
    for (const row of content?.querySelectorAll(`[${FOUND}]`) ?? []) row.removeAttribute(FOUND);
  };
}
