const plain = (typed: string): string => typed.replace(/[\\%_]/g, '\\$&')
/**
 * A pattern that finds what was typed anywhere in a text: its own `%`, `_` and `\` mean themselves.
 */
export const like = (typed: string): string => `%${plain(typed)}%`
/** The same at the beginning of a text, which an index can serve. */
export const begins = (typed: string): string => `${plain(typed)}%`
