import type { Text } from '#src/domain/text.ts'

/** The highest level a member can have; 0 is whoever has none yet. */
export const MEMBER_LEVELS = 5
/** What levels are called, by their number. */
export const memberLevels: Readonly<Record<string, Text>> = Object.fromEntries(
  Array.from({ length: MEMBER_LEVELS }, (_, at) => [String(at + 1), [`V${at + 1}`, `V${at + 1}`]]),
)
