/** A sentence of the server that names the page where hosts are allowed, with a link to it. */
export function LinkedText({ children }: { children: string }) {
  const [before, after] = children.split(targetsPage, 2);
  if (after === undefined) return children;
  return (
    <>
      {before}
      <a href={targetsPage}>{targetsPage}</a>
      {after}
    </>
  );
}

const targetsPage = '/targets';
