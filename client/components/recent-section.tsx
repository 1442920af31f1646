import { Link } from 'react-router';
import { type LinkLine, LinkList } from './link-list.tsx';
import { Section } from './section.tsx';

type Props = {
  title: string;
  lines: readonly LinkLine[];
  /** Where the others are. */
  all: { href: string; title: string };
};

/** The newest of a longer list; nothing while there are none. */
export function RecentSection({ title, lines, all }: Props) {
  if (lines.length === 0) return null;
  return (
    <Section id="recent" title={title} lead={<Link to={all.href}>{all.title}</Link>} card="flush">
      <LinkList label={title} lines={lines} />
    </Section>
  );
}
