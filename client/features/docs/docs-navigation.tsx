import { Link } from 'react-router';
import { type DocPage, docPages } from '../../../shared/base/doc-page.ts';
import { DocSearch } from './doc-search.tsx';
import classes from './docs.module.css';
import type { DocSection } from './sections.ts';

/** A search over all pages; the pages, and the sections of the one that is open; null for the API reference. */
export function DocsNavigation({
  page,
  sections,
}: {
  page: DocPage | null;
  sections: readonly DocSection[];
}) {
  return (
    <div className={classes.navigation}>
      <DocSearch />
      <nav aria-label="Documentation">
        <ul>
          {docPages.map((line) => (
            <li key={line.page}>
              <Link to={`/docs/${line.page}`} aria-current={line.page === page ? 'page' : undefined}>
                {line.title}
              </Link>
              {line.page === page && sections.length > 0 ? (
                <ul className={classes.sections}>
                  {sections.map(({ id, title }) => (
                    <li key={id}>
                      <a href={`#${id}`}>{title}</a>
                    </li>
                  ))}
                </ul>
              ) : null}
            </li>
          ))}
          <li>
            <Link to="/sql">Query with SQL</Link>
          </li>
          <li>
            <Link to="/api/docs" aria-current={page === null ? 'page' : undefined}>
              API reference
            </Link>
          </li>
        </ul>
      </nav>
    </div>
  );
}
