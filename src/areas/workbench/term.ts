import type { Text } from '#src/domain/text.ts'

/**
 * A word of lists and states that is not plain by itself: what it means, and the page where it
 * stands most. `asks` are other ways to say it.
 */
export type Term = { id: string; title: Text; means: Text; at: string; asks?: readonly string[] }
