/** The docs, readable in the page: a list of pages with a search, and the selected page. */

import { clsx } from 'clsx';
import { type RefObject, useEffect, useMemo, useRef } from 'react';
import { Link, useLocation, useParams } from 'react-router';
import { Empty } from '../../domain/failure/states.js';
import { docsLocation } from '../../model/facts/locations.js';
import { useOpenName } from '../../state/page-title.js';
import { useUrlText } from '../../state/url-text.js';
import { Cut } from '../../ui/cut.js';
import { ListFilter } from '../../ui/list-filter.js';
import { Pane, Panes } from '../../ui/panes/panes.js';
import { DOC_GROUPS, DOC_PAGES, type DocPage } from './doc-pages.js';
import { findSections } from './doc-search.js';
import styles from './docs.module.css';
import { headingId, Markdown } from './markdown.js';

export function DocsPanel() {
  const { '*': id = '' } = useParams();
  const page = id === '' ? DOC_PAGES[0] : DOC_PAGES.find((each) => each.id === id);
  useOpenName(page?.title);
  return (
    <Panes
      id="docs"
      panes={[
        { id: 'docs-pages', name: 'pages', size: 272, minSize: 200, fixed: true, content: <PageList shown={page} /> },
        {
          id: 'docs-page',
          name: 'page',
          minSize: 320,
          wanted: id !== '',
          content: page === undefined ? <UnknownPage id={id} /> : <Page page={page} />,
        },
      ]}
    />
  );
}

function PageList({ shown }: { shown: DocPage | undefined }) {
  const [find, setFind] = useUrlText('find');
  const { hash } = useLocation();
  const found = useMemo(() => findSections(find), [find]);
  const search = find === '' ? '' : `?${new URLSearchParams({ find }).toString()}`;
  const to = (page: DocPage, anchor = '') => {
    const [pathname = '', heading] = docsLocation(page.id, anchor).split('#');
    return { pathname, search, hash: heading === undefined ? '' : `#${heading}` };
  };
  return (
    <Pane title="Docs" isPanelName>
      <ListFilter label="Find in Docs" value={find} onChange={setFind} />
      {find.trim() !== '' ? (
        <nav aria-label="Found in Docs">
          {found.map(({ page, section, excerpt }) => (
            <Link
              key={`${page.id}#${section.anchor}`}
              className={clsx('row', styles.found)}
              to={to(page, section.anchor)}
              aria-current={page === shown && hash === (section.anchor && `#${section.anchor}`)}
            >
              <Cut>{section.heading}</Cut>
              <span className={clsx('dim', styles.foundPlace)}>{excerpt === '' ? page.title : excerpt}</span>
            </Link>
          ))}
          {found.length === 0 && <p className="pane-padded dim">No matches</p>}
        </nav>
      ) : (
        <nav aria-label="Pages">
          {DOC_GROUPS.map(({ name, pages }) => (
            <section key={name} aria-label={name}>
              <h2 className="group-title">{name}</h2>
              {pages.map((page) => (
                <div key={page.id}>
                  <Link className="row" to={docsLocation(page.id)} aria-current={page === shown}>
                    <Cut>{page.title}</Cut>
                  </Link>
                  {page === shown &&
                    page.sections
                      .filter(({ level }) => level === 2)
                      .map(({ heading, anchor }) => (
                        <Link key={anchor} className={clsx('row', styles.section)} to={docsLocation(page.id, anchor)}>
                          <Cut>{heading}</Cut>
                        </Link>
                      ))}
                </div>
              ))}
            </section>
          ))}
        </nav>
      )}
    </Pane>
  );
}

function Page({ page }: { page: DocPage }) {
  const scroller = useRef<HTMLElement>(null);
  useHeadingOfAddress(scroller, page);
  return (
    <section className="pane" aria-label={page.title}>
      <article
        ref={scroller}
        className={clsx('pane-body', styles.page)}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard.
        tabIndex={0}
        aria-label={`Page: ${page.title}`}
      >
        <div className={styles.text}>
          <Markdown page={page} />
        </div>
      </article>
    </section>
  );
}

/** Scrolls to the heading that the address names, or else to the top, and moves the focus there after a link in the page. */
function useHeadingOfAddress(scroller: RefObject<HTMLElement | null>, page: DocPage): void {
  const { hash, key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: following a link to the same heading scrolls again.
  useEffect(() => {
    const heading = document.getElementById(headingId(decodeURIComponent(hash.slice(1))));
    if (hash === '' || heading === null) {
      scroller.current?.scrollTo({ top: 0 });
      return;
    }
    heading.scrollIntoView({ block: 'start' });
    const { activeElement, body } = document;
    if (activeElement === body || scroller.current?.contains(activeElement) === true) {
      heading.focus({ preventScroll: true });
    }
  }, [page, hash, key]);
}

function UnknownPage({ id }: { id: string }) {
  return (
    <Pane title="Unknown page">
      <Empty title={`No page ${id}`}>
        <p>
          Select a page on the left, or{' '}
          <Link className="link" to={docsLocation()}>
            start at the beginning
          </Link>
          .
        </p>
      </Empty>
    </Pane>
  );
}
