import { readdirSync, readFileSync } from 'node:fs'

const SERVER = /^tests\/(?:server\/|(?:contract|matrix|fuzz)\.test\.ts$)/
const OTHER = /^tests\/(?:e2e|bench)\//
const ALONE = /\bvi\.(?:mock|doMock|resetModules)\(|@alone\b/

/**
 * Whether a test has a process alone: it puts modules of its own in the place of others, which the
 * next file would see, or says why by the word `@alone`.
 */
export const wantsAlone = (text: string): boolean => ALONE.test(text)

/** The tests that need no server: those that share a process, and those that have one alone. */
export const filesOfUnit = (): { together: string[]; alone: string[] } => {
  const files = readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .map(file => `tests/${file.replaceAll('\\', '/')}`)
    .filter(file => /\.test\.tsx?$/.test(file) && !SERVER.test(file) && !OTHER.test(file))
    .sort()
  const alone = files.filter(file => wantsAlone(readFileSync(file, 'utf8')))
  return { together: files.filter(file => !alone.includes(file)), alone }
}
