import { Link } from 'react-router';
import classes from './page.module.css';

/** Each leads to what else has it. */
export function TagLinks({ tags }: { tags: readonly string[] }) {
  return (
    <span className={classes.tags}>
      {tags.map((tag) =>
        served ? (
          <Link key={tag} to={`/runs?${new URLSearchParams({ tag })}`} className={classes.tag} dir="auto">
            {tag}
          </Link>
        ) : (
          <span key={tag} className={classes.tag} dir="auto">
            {tag}
          </span>
        ),
      )}
    </span>
  );
}

/** Whether a server is behind the page. In a file that holds one result there is none: nothing can be loaded, started or linked. */
export const served = import.meta.env.MODE !== 'file';
