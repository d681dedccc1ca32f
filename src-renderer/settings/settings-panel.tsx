/** The Settings panel: how to reach the server, what it allows, and how the page looks and listens. */

import type { ComponentType } from 'react';
import { Link, useSearchParams } from 'react-router';
import { Pane, Panes } from '../components/panes.js';
import { settingsLocation } from '../data/locations.js';
import { useOpenName } from '../data/page-title.js';
import { About } from './about.js';
import { Appearance } from './appearance.js';
import { Connect } from './connect.js';
import { KEPT_NAME, KeptState } from './kept-state.js';
import { Keyboard } from './keyboard.js';
import { Limits } from './limits.js';
import { Storage } from './storage.js';
import './settings.css';

interface Section {
  readonly id: string;
  readonly name: string;
  readonly Content: ComponentType;
}

const SECTIONS: readonly [Section, ...Section[]] = [
  { id: 'connect', name: 'Connect', Content: Connect },
  { id: 'limits', name: 'Limits and grants', Content: Limits },
  { id: 'data', name: 'What is served', Content: Storage },
  { id: 'appearance', name: 'Appearance', Content: Appearance },
  { id: 'keyboard', name: 'Keyboard', Content: Keyboard },
  { id: 'kept', name: KEPT_NAME, Content: KeptState },
  { id: 'about', name: 'About', Content: About },
];

export function SettingsPanel() {
  const [search] = useSearchParams();
  const chosen = SECTIONS.find(({ id }) => id === search.get('section')) ?? SECTIONS[0];
  useOpenName(chosen.name);
  return (
    <Panes
      id="settings"
      panes={[
        {
          id: 'sections',
          size: 208,
          minSize: 200,
          fixed: true,
          stackedHeight: 240,
          content: <SectionList chosen={chosen.id} />,
        },
        {
          id: 'section',
          minSize: 320,
          content: (
            <Pane title={chosen.name}>
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
              <section className="settings" key={chosen.id} tabIndex={0} aria-label={`Settings: ${chosen.name}`}>
                <chosen.Content />
              </section>
            </Pane>
          ),
        },
      ]}
    />
  );
}

function SectionList({ chosen }: { chosen: string }) {
  return (
    <Pane title="Settings" isPanelName>
      <nav aria-label="Sections">
        {SECTIONS.map(({ id, name }) => (
          <Link key={id} className="row" to={settingsLocation(id)} aria-current={id === chosen}>
            {name}
          </Link>
        ))}
      </nav>
    </Pane>
  );
}
