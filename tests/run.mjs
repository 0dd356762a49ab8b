// `npm test`: sets up what is missing, runs every check there is, and ends with the sum of all.
// `--bench` runs the benchmarks, `--only=unit,lite` some of the steps.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { stripVTControlCharacters } from 'node:util'
import { build, install } from '../src/start.mjs'
import { checks } from './check.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const results = join(root, 'test-results')
const bin = (...path) => join(root, 'node_modules', ...path)
const only = process.argv
  .find(each => each.startsWith('--only='))
  ?.slice(7)
  .split(',')
const wanted = name => !only || only.includes(name)

/** Runs a program in this terminal; answers its exit code. A step that hangs is ended. */
const run = (command, args, env = {}, minutes = 10) =>
  new Promise(done => {
    const child = spawn(command, args, {
      cwd: root,
      stdio: 'inherit',
      env: { ...process.env, ...env },
    })
    const hurry = setTimeout(() => {
      console.error(`${args[0]} took longer than ${minutes} minutes: ended`)
      child.kill('SIGKILL')
    }, minutes * 60_000)
    child.on('exit', code => {
      clearTimeout(hurry)
      done(code ?? 1)
    })
  })
const node = (args, env, minutes) => run(process.execPath, args, env, minutes)
const works = (command, args = ['--version']) =>
  spawnSync(command, args, { stdio: 'ignore' }).status === 0

const aptGet = packages => {
  if (process.getuid?.() !== 0 || !works('apt-get')) return false
  console.log(`Installing ${packages.join(', ')} …`)
  const quiet = { stdio: 'inherit', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  spawnSync('apt-get', ['update', '-qq'], quiet)
  return (
    spawnSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', ...packages], quiet)
      .status === 0
  )
}
/**
 * A Chromium: the system's, else Playwright's own, else Debian's package. Answers its path, '' for
 * Playwright's own, undefined for none.
 */
const findBrowser = async () => {
  const system = () =>
    [
      process.env.TEST_CHROMIUM,
      '/usr/bin/chromium',
      '/usr/bin/chromium-browser',
      '/usr/bin/google-chrome',
      '/usr/bin/google-chrome-stable',
      '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    ].find(path => path && existsSync(path))
  const { chromium } = await import('@playwright/test')
  const own = () => existsSync(chromium.executablePath())
  const found = system() ?? (own() ? '' : undefined)
  if (found !== undefined) return found
  console.log('Fetching a browser …')
  spawnSync(
    process.execPath,
    [bin('@playwright/test/cli.js'), 'install', 'chromium', '--only-shell'],
    { cwd: root, stdio: 'inherit' },
  )
  if (own()) return ''
  return aptGet(['chromium', 'fonts-noto-cjk']) ? system() : undefined
}

const steps = []
/**
 * Notes how a step ended; `faults` name what failed. A runner that saw nothing is a failure: a
 * green check that checks nothing is worse than none.
 */
const note = (name, passed, failed, why = '', faults = []) => {
  const blind = passed + failed === 0
  steps.push({
    name,
    passed,
    failed: failed + (blind ? 1 : 0),
    why: blind ? `${why} nothing ran`.trim() : why,
    faults,
  })
}
/** A check without tests of its own counts as one. */
const check = async (name, args) => {
  if (wanted(name)) {
    title(name)
    const code = await node(args)
    note(name, code === 0 ? 1 : 0, code === 0 ? 0 : 1)
  }
}
const title = name => console.log(`\n── ${name} ${'─'.repeat(Math.max(0, 60 - name.length))}`)
const report = file => (existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined)

const fault = (file, test, why = []) =>
  [`  ${relative(root, file)} › ${test}`, ...why.map(line => `    ${line}`)].join('\n')
const firstLines = (text = '') =>
  stripVTControlCharacters(text)
    .split('\n')
    .map(line => line.trim())
    .filter(Boolean)
    .slice(0, 8)
const faultsOfPlaywright = suite => [
  ...(suite.specs ?? [])
    .filter(spec => !spec.ok)
    .map(spec =>
      fault(
        join(root, 'tests/e2e', spec.file),
        spec.title,
        firstLines(spec.tests[0]?.results.at(-1)?.error?.message),
      ),
    ),
  ...(suite.suites ?? []).flatMap(faultsOfPlaywright),
]

const vitest = async project => {
  if (!wanted(project)) return
  title(project)
  const file = join(results, `${project}.json`)
  const code = await node(
    [
      bin('vitest/vitest.mjs'),
      'run',
      '--project',
      project,
      '--reporter=default',
      '--reporter=./tests/farm/report.ts',
    ],
    { TEST_REPORT_FILE: file },
  )
  const { passed = 0, failed = 0, faults = [] } = report(file) ?? {}
  // A runner that broke off fails no test: its exit code knows.
  note(
    project,
    passed,
    failed || (code === 0 ? 0 : 1),
    report(file) ? '' : 'no report',
    faults.map(({ file, test, why }) => fault(file, test, why)),
  )
}
const playwright = async browser => {
  if (!wanted('e2e')) return
  title('e2e')
  if (browser === undefined) return note('e2e', 0, 1, 'no Chromium, and none could be installed')
  const file = join(results, 'e2e.json')
  const code = await node(
    [bin('@playwright/test/cli.js'), 'test'],
    { ...(browser && { TEST_CHROMIUM: browser }), PLAYWRIGHT_JSON_OUTPUT_FILE: file },
    20,
  )
  const said = report(file)
  const { expected = 0, flaky = 0, unexpected = 0 } = said?.stats ?? {}
  note(
    'e2e',
    expected + flaky,
    unexpected || (code === 0 ? 0 : 1),
    '',
    faultsOfPlaywright(said ?? {}),
  )
}

const bench = async () => {
  const browser = await findBrowser()
  const folder = join(root, 'tests/bench')
  const files = existsSync(folder)
    ? readdirSync(folder)
        .filter(file => /\.bench\.(ts|tsx|mjs)$/.test(file))
        .sort()
    : []
  if (files.length === 0) {
    console.error('There are no benchmarks in tests/bench')
    return 1
  }
  let worst = 0
  rmSync(join(results, 'bench'), { recursive: true, force: true })
  for (const file of files) {
    title(file)
    worst = Math.max(
      worst,
      await node(
        ['--import', './src/source.mjs', join(folder, file)],
        browser ? { TEST_CHROMIUM: browser } : {},
        30,
      ),
    )
  }
  title('all')
  return Math.max(worst, await node(['--import', './src/source.mjs', join(folder, 'table.ts')]))
}

const began = Date.now()
install()
if (process.argv.includes('--bench')) {
  build()
  process.exit(await bench())
}
rmSync(results, { recursive: true, force: true })
mkdirSync(results, { recursive: true })
// Two at a time, as each of the slow ones has a processor to itself.
const { types, lint, ...quick } = checks
await Promise.all([check('types', types), check('lint', lint)])
for (const [name, args] of Object.entries(quick)) await check(name, args)
await vitest('unit')
// Before the server's tests: some of them start the built one.
if (['build', 'lite', 'postgres', 'e2e'].some(wanted)) {
  title('build')
  try {
    build()
    note('build', 1, 0)
  } catch {
    note('build', 0, 1)
  }
}
await vitest('lite')
await vitest('postgres')
if (wanted('e2e')) await playwright(await findBrowser())

title('all')
// Once more at the end, where a log that was cut short still shows them.
for (const { name, faults } of steps)
  if (faults.length > 0) console.log(`${name}:\n${faults.join('\n')}`)
for (const { name, passed, failed, why } of steps)
  console.log(
    `${failed ? '✗' : '✓'} ${name.padEnd(9)} ${String(passed).padStart(5)} passed ${String(failed).padStart(4)} failed ${why}`,
  )
console.log(`${Math.round((Date.now() - began) / 1000)} s`)
const sum = key => steps.reduce((n, step) => n + step[key], 0)
console.log(`${sum('passed')} passed, ${sum('failed')} failed`)
process.exit(sum('failed') > 0 || steps.length === 0 ? 1 : 0)
