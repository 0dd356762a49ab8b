import './tests/farm/clock.mjs'
import { readdirSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import type { Plugin } from 'vite'
import { defineConfig } from 'vitest/config'
import { paletteIndex } from './src/shell/palette/index-plugin.ts'
import { filesOfUnit } from './tests/farm/alone.ts'
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
/** The ground's folders of tests; every other one is a module's. */
const ground = ['channels', 'db', 'services', 'workbench']
const moduleTests = readdirSync('tests/server', { withFileTypes: true })
  .filter(one => one.isDirectory() && !ground.includes(one.name))
  .map(one => `tests/server/${one.name}/**`)
const server = ['tests/server/**/*.test.ts', 'tests/{contract,matrix,fuzz}.test.ts']
/**
 * Files of the ground that ask what a page or a rule answers, whichever database keeps it: the
 * contract asks each of their calls on the embedded one.
 */
const ofPages = ['audit', 'audit-look', 'audit-times', 'demoPictures', 'exportAsks', 'grantors']
  .concat('habits', 'home', 'home-queues', 'messages', 'order-messages', 'parsing', 'person')
  .concat('practice', 'publicPages', 'refusedRows', 'reveal', 'session', 'settings', 'strangers')
  .concat('views', 'workbench/*')
/**
 * The ground is tested on both databases, where it leans on one. Calls of modules are tested on a
 * PostgreSQL server, which is three times as quick and where things do happen at once; the contract
 * and the fuzzer ask every call on the embedded one. Who may call what, sees what and finds by what
 * is asked on the quicker one alone, and so is what the demo grows and has for each action: the
 * embedded one takes it over row for row (carried.test.ts), and grows one itself in first-demo and
 * for the journeys. A file may say so itself (`onlyOn`, tests/farm.ts).
 */
const onDatabase = (flavour: 'lite' | 'postgres') => ({
  test: {
    name: flavour,
    include: server,
    exclude:
      flavour === 'lite'
        ? [
            '**/*-races.test.ts',
            'tests/matrix.test.ts',
            ...['demo', 'demoActions', 'finds', 'scope'].map(
              file => `tests/server/${file}.test.ts`,
            ),
            ...moduleTests,
            ...ofPages.map(file => `tests/server/${file}.test.ts`),
          ]
        : ['tests/contract.test.ts'],
    environment: 'node',
    globalSetup: [
      ...(flavour === 'lite' ? ['tests/farm/leftovers.ts'] : []),
      'tests/farm/setup.ts',
    ],
    setupFiles: ['tests/farm/tidyServer.ts'],
    // Loading the server for each file anew takes a third of the time; it is one for many databases.
    isolate: false,
    env: { TEST_FLAVOUR: flavour },
    // What hangs fails; how long a busy machine may take is not what is tested.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
})

const { together, alone } = filesOfUnit()
/**
 * Loading React and the kit for each file anew takes as long as its tests: files share their
 * processes, but those that put other modules in the place of the product's.
 */
const unit = (name: string, more: { include: string[]; isolate: boolean }) => ({
  test: {
    name,
    ...more,
    environment: 'happy-dom',
    globalSetup: ['tests/farm/leftovers.ts'],
    setupFiles: ['tests/farm/tidy.ts'],
    testTimeout: 20_000,
  },
})

export default defineConfig({
  plugins: [react(), paletteIndex(), stoodIn(), foundAnew()],
  test: {
    sequence: { sequencer: InGroups },
    // Each project and each step transforms the same modules: all but the first read what it made.
    experimental: { fsModuleCache: true, fsModuleCachePath: 'node_modules/.cache/vitest-modules' },
    pool: 'forks',
    projects: [
      { extends: true, ...unit('unit', { include: together, isolate: false }) },
      { extends: true, ...unit('unit-alone', { include: alone, isolate: true }) },
      { extends: true, ...onDatabase('lite') },
      { extends: true, ...onDatabase('postgres') },
    ],
  },
})
