/** How soon somebody who has signed out, or lost the role, loses what outlives the request that opened it. */
const allowedMs = 5_000;

/** Asks again and again, until the returned function is called. A database that does not answer is no reason to end anything. */
export function endUnlessAllowed(isAllowed: () => Promise<boolean>, end: () => void): () => void {
  const check = () =>
    void isAllowed().then(
      (allowed) => allowed || end(),
      () => {},
    );
  const timer = setInterval(check, allowedMs);
  return () => clearInterval(timer);
}
