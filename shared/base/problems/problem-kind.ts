/** One entry of the catalogue: the HTTP status, a title, and what the user can do. */
export type ProblemKind = { status: number; title: string; advice: string };
