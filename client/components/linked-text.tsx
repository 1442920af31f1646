/** A sentence of the server that names a page of the dashboard, with a link to it. */
export function LinkedText({ children }: { children: string }) {
  const [before = '', page, after = ''] = children.split(pages, 3);
  if (page === undefined) return children;
  return (
    <>
      {before}
      <a href={page}>{page}</a>
      {after}
    </>
  );
}

/** Where hosts are allowed, and the documentation. */
const pages = /(\/targets\b|\/docs\/[\w-]+(?:#[\w-]+)?)/;
