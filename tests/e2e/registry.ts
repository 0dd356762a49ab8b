import { runnerImport } from 'vite'
import type * as registry from '#commands/index.ts'

/** Every page there is. Vite finds them by a glob, which Playwright does not resolve. */
export const { pages } = (
  await runnerImport<typeof registry>('/commands/index.ts', { configFile: false })
).module
