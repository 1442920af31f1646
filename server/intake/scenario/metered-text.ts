const tooLong =
  'the text is too long for the pattern. Let the pattern begin with literal text, and have fewer repeats';

/** A text that gives out a limited number of characters. */
export class MeteredText extends String {
  #left: number;

  constructor(text: string, characters: number) {
    super(text);
    this.#left = characters;
  }

  /** Throws TooMuchWork when none is left. */
  override charCodeAt(index: number): number {
    if (this.#left-- <= 0) throw new TooMuchWork(tooLong);
    return super.charCodeAt(index);
  }
}

/** A search went beyond its limit. */
export class TooMuchWork extends Error {
  override name = 'TooMuchWork';
}
