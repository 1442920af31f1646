import type { Tokens } from 'marked';
import { createElement, type ReactNode } from 'react';
import type { DocPage } from '../../../shared/base/doc-page.ts';
import { ScrollRegion } from '../../components/scroll-region.tsx';
import { DocInline } from './doc-inline.tsx';
import classes from './docs.module.css';

type Props = { page: DocPage; table: Tokens.Table };

/** Scrolls inside its box, which the keyboard can reach. Named by its columns, as Markdown has no captions. */
export function DocTable({ page, table: { header, rows } }: Props) {
  const columns = header.map(({ text }) => text.replace(/[`*_]/g, '')).filter((text) => text !== '');
  return (
    <div className={classes.box}>
      <ScrollRegion label={`Table: ${columns.join(', ')}`}>
        <table>
          <thead>{row(page, header)}</thead>
          {createElement('tbody', null, ...rows.map((cells) => row(page, cells)))}
        </table>
      </ScrollRegion>
    </div>
  );
}

function row(page: DocPage, cells: readonly Tokens.TableCell[]): ReactNode {
  return createElement('tr', null, ...cells.map((cell, column) => cellOf(page, cell, column === 0)));
}

function cellOf(
  page: DocPage,
  { header, align, text, tokens }: Tokens.TableCell,
  isFirst: boolean,
): ReactNode {
  const content = <DocInline page={page} tokens={tokens} />;
  if (header && text === '') return <td />;
  if (header)
    return (
      <th scope="col" data-align={align}>
        {content}
      </th>
    );
  if (isFirst && text !== '') return <th scope="row">{content}</th>;
  return (
    <td data-align={align} data-figure={isFigure(text)}>
      {content}
    </td>
  );
}

/** Such as `1.27 (1.24 to 1.30)`, which is read in one line. */
function isFigure(text: string): boolean {
  return /^[+±−\d]/.test(text) && text.length <= 28;
}
