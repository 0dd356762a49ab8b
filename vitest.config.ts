import './tests/farm/clock.mjs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { paletteIndex } from './src/shell/palette/index-plugin.ts'
import { filesOfEmbedded, filesOfServer, filesOfUnit } from './tests/farm/files.ts'
import InGroups from './tests/farm/inGroups.ts'

const farm = (file: string) => fileURLToPath(new URL(`tests/farm/${file}`, import.meta.url))
/** What the tests get in the place of a package: one that draws from the run's seed, one in memory. */
const instead: Readonly<Record<string, string>> = {
  'fast-check': farm('fast-check.ts'),
  'idb-keyval': farm('idb-keyval.ts'),
}
const stoodIn = (): Plugin => ({
  name: 'stood-in',
  enforce: 'pre',
  resolveId: (id, from) => (instead[id] === from ? undefined : instead[id]),
})
/**
 * A module that finds others by their place is made anew in every process: kept by its own text, it
 * would know nothing of a file that came since.
 */
const foundAnew = (): Plugin => ({
  name: 'found-anew',
  configureVitest: ({ experimental_defineCacheKeyGenerator: keyedBy }) =>
    keyedBy(({ sourceCode }) => (/\bimport\.meta\.glob\b/.test(sourceCode) ? false : undefined)),
})
/** What hangs fails; how long a busy machine may take is not what is tested. */
const PATIENT_MS = 120_000
/**
 * The server is tested on a PostgreSQL, which is three times as quick and where things do happen at
 * once. What leans on the database, as its file says (farm/files.ts), is tested on the embedded
 * one as well; every call is asked there by the contract and the fuzzer, and every journey goes over
 * it.
 */
const onDatabase = (flavour: 'lite' | 'postgres') => ({
  test: {
    name: flavour,
    include: flavour === 'lite' ? filesOfEmbedded() : filesOfServer(),
    exclude: flavour === 'lite' ? [] : ['tests/contract.test.ts'],
    environment: 'node',
    globalSetup: [
      ...(flavour === 'lite' ? ['tests/farm/leftovers.ts'] : []),
      'tests/farm/setup.ts',
    ],
    setupFiles: ['tests/farm/tidyServer.ts'],
    // Loading the server for each file anew takes a third of the time; it is one for many databases.
    isolate: false,
    env: { TEST_FLAVOUR: flavour },
    testTimeout: PATIENT_MS,
    hookTimeout: PATIENT_MS,
  },
})

const { plain, drawn, plainAlone, drawnAlone } = filesOfUnit()
/**
 * Loading React and the kit for each file anew takes as long as its tests: files share their
 * processes, but those that put other modules in the place of the product's.
 */
const unit = (name: string, include: string[]) => ({
  test: {
    name,
    include,
    isolate: name.endsWith('-alone'),
    environment: name.startsWith('unit-drawn') ? 'happy-dom' : 'node',
    globalSetup: ['tests/farm/leftovers.ts'],
    setupFiles: ['tests/farm/tidy.ts'],
    testTimeout: PATIENT_MS,
  },
})

export default defineConfig({
  plugins: [react(), paletteIndex(), stoodIn(), foundAnew()],
  test: {
    sequence: { sequencer: InGroups },
    // Each project and each step transforms the same modules: all but the first read what it made.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    pool: 'forks',
    // What a test leaves behind is swept up a fourth as often: that was a seventh of its work.
    execArgv: ['--max-semi-space-size=64'],
    projects: [
      { extends: true, ...unit('unit', plain) },
      { extends: true, ...unit('unit-alone', plainAlone) },
      { extends: true, ...unit('unit-drawn', drawn) },
      { extends: true, ...unit('unit-drawn-alone', drawnAlone) },
      { extends: true, ...onDatabase('lite') },
      { extends: true, ...onDatabase('postgres') },
    ],
  },
})
