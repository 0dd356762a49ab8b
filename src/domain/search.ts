/** As a keyword and a text are compared: full-width as half-width, lower case, single spaces. */
export const searchable = (text: string): string =>
  text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').trim()

/**
 * The characters and pairs of neighbours in a text, each once. A trigram index can't find a keyword
 * of two Chinese characters; an array of these under a GIN index can, on every PostgreSQL and
 * without an extension. A row that holds all of a keyword's pairs is then compared in full.
 */
export const gramsOf = (text: string): string[] => {
  const grams = new Set<string>()
  for (const word of searchable(text).split(' ')) {
    const letters = [...word]
    letters.forEach((letter, at) => {
      grams.add(letter)
      if (at > 0) grams.add(letters[at - 1]! + letter)
    })
  }
  return [...grams]
}
/** The pairs to look a keyword up by: its single characters only where it is one. */
export const keyGrams = (keyword: string): string[] => {
  const pairs = searchable(keyword)
    .split(' ')
    .flatMap(word => {
      const letters = [...word]
      return letters.length < 2
        ? letters
        : letters.slice(1).map((letter, at) => letters[at]! + letter)
    })
  return [...new Set(pairs)].filter(Boolean)
}
