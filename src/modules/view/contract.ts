import { views as shared } from '#src/contract/views.ts'

/** Every list of the console makes these calls: they stand with the shapes that all share. */
export const views = shared
