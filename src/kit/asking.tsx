import { Coming } from './coming.tsx'
import { loadable } from './loadable.tsx'

/**
 * The dialog that asks an action's questions (ask.tsx), fetched when somebody first does what has
 * some, or ahead of it.
 */
export const AskDialog = loadable(async () => (await import('./ask.tsx')).AskDialog, <Coming />)
