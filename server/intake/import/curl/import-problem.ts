/** Why a command cannot be imported, in a sentence. */
export class ImportProblem extends Error {}
