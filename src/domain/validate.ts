/** A character's width in a length-limited input: a double-byte character counts as 2 (specification, section 5). */
const widthOfOne = (char: string): number => (char.codePointAt(0)! > 0xff ? 2 : 1)

/** How wide a text is, each double-byte character counting as 2. */
export const widthOf = (text: string): number => [...text].reduce((sum, char) => sum + widthOfOne(char), 0)

/** The beginning of a text that is at most `max` wide; a character is never cut in two. */
export const cutToWidth = (text: string, max: number): string => {
  let width = 0
  let end = 0
  for (const char of text) {
    width += widthOfOne(char)
    if (width > max) break
    end += char.length
  }
  return text.slice(0, end)
}
