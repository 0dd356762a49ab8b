import { readdirSync, readFileSync } from 'node:fs'

const SERVER = /^tests\/(?:server\/|(?:contract|matrix|fuzz)\.test\.ts$)/
const OTHER = /^tests\/(?:e2e|bench)\//
const ALONE = /\bvi\.(?:mock|doMock|resetModules)\(|@alone\b/
const DRAWN = /@drawn\b/
const EMBEDDED = /\bonlyOn\('lite'\)|\bflavour\(\)|@embedded\b/

/**
 * Whether a test has a process alone: it puts modules of its own in the place of others, which the
 * next file would see, or says why by the word `@alone`.
 */
export const wantsAlone = (text: string): boolean => ALONE.test(text)
/**
 * Whether a test has a document, which takes a second to make: it draws components, or says by the
 * word `@drawn` what it needs one for.
 */
export const wantsDocument = (file: string, text: string): boolean =>
  file.endsWith('.tsx') || DRAWN.test(text)
/**
 * Whether a test of the server runs on the embedded database too: it has tests for that one, asks
 * which one it runs on, or says why by the word `@embedded`.
 */
export const wantsEmbedded = (text: string): boolean => EMBEDDED.test(text)

const textOf = (file: string) => readFileSync(file, 'utf8')
const allFiles = (): string[] =>
  readdirSync('tests', { recursive: true, encoding: 'utf8' })
    .map(file => `tests/${file.replaceAll('\\', '/')}`)
    .filter(file => /\.test\.tsx?$/.test(file) && !OTHER.test(file))
    .sort()

/** The tests that need no server, by the process they have: shared or alone, drawn or plain. */
export const filesOfUnit = () => {
  const files = allFiles()
    .filter(file => !SERVER.test(file))
    .map(file => ({ file, text: textOf(file) }))
  const those = (of: { alone: boolean; drawn: boolean }): string[] =>
    files
      .filter(
        ({ file, text }) => wantsAlone(text) === of.alone && wantsDocument(file, text) === of.drawn,
      )
      .map(({ file }) => file)
  return {
    plain: those({ alone: false, drawn: false }),
    drawn: those({ alone: false, drawn: true }),
    plainAlone: those({ alone: true, drawn: false }),
    drawnAlone: those({ alone: true, drawn: true }),
  }
}
/** The tests that need a server and its database. */
export const filesOfServer = (): string[] => allFiles().filter(file => SERVER.test(file))
/** Those of them that run on the embedded database; a race is run by a server that can lose one. */
export const filesOfEmbedded = (): string[] =>
  filesOfServer().filter(file => !file.endsWith('-races.test.ts') && wantsEmbedded(textOf(file)))
