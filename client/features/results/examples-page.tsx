import { useQuery } from '@tanstack/react-query';
import { Link } from 'react-router';
import { examplesQuery } from '../../api/queries.ts';
import { PageHead } from '../../components/action-button.tsx';
import { Answer } from '../../components/answer.tsx';
import { Card, CardList } from '../../components/card.tsx';

/** Results that came with the program, for people who have not measured anything yet. */
export default function ExamplesPage() {
  return (
    <>
      <PageHead tab="Examples" title="Example results">
        <p>
          TLS Toll measured these on other machines. Yours will differ: <Link to="/">start a run</Link>.
        </p>
      </PageHead>
      <Answer of={useQuery(examplesQuery)} waiting="Loading examples">
        {(all) => {
          const examples = all.filter(({ asks }) => asks !== null);
          return examples.length === 0 ? (
            <Card>
              <p>The examples could not be read. See the log of this server.</p>
            </Card>
          ) : (
            <CardList label="Examples" facts>
              {examples.map(({ id, url, asks, headline, measured }) => (
                <li key={id}>
                  <h2>{asks}</h2>
                  <Link to={url}>{headline.title}</Link>
                  {headline.second === '' ? null : <p>{headline.second}</p>}
                  <p>{measured}</p>
                </li>
              ))}
            </CardList>
          );
        }}
      </Answer>
    </>
  );
}
