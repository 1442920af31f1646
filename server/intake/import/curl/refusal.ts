/** Why a command cannot be imported, in a sentence. */
export class Refusal extends Error {}
