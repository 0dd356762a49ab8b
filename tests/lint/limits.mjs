// `npm run check` runs this: the limits of .oxlintrc.limits.json are errors, but for what
// tests/lint/baseline.json still excuses. `--shrink` writes the baseline anew, and never a larger one.
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const BASELINE = 'tests/lint/baseline.json'

/**
 * What breaks a limit, counted: `{ 'src/a.ts': { complexity: 2 } }`. A function that moves within
 * its file keeps its place in the baseline, so nothing is counted by line.
 */
export const countByFile = diagnostics => {
  const counts = {}
  for (const { filename, code } of diagnostics) {
    const rule = /\(([\w-]+)\)/.exec(code)?.[1] ?? code
    const file = (counts[filename] ??= {})
    file[rule] = (file[rule] ?? 0) + 1
  }
  return counts
}

/** The sum of a baseline, by rule. */
export const totalsOf = counts => {
  const totals = {}
  for (const rules of Object.values(counts))
    for (const [rule, n] of Object.entries(rules)) totals[rule] = (totals[rule] ?? 0) + n
  return totals
}

/** Every file and rule with more faults than the baseline excuses. */
export const newFaults = (now, excused) =>
  Object.entries(now).flatMap(([file, rules]) =>
    Object.entries(rules)
      .filter(([rule, n]) => n > (excused[file]?.[rule] ?? 0))
      .map(([rule, n]) => `${file}: ${rule} ${n}, excused ${excused[file]?.[rule] ?? 0}`),
  )

/** Every entry of the baseline that excuses more than there is: it must go. */
export const staleEntries = (now, excused) =>
  newFaults(excused, now).map(line => line.replace('excused', 'in the code'))

/** Rules of which one baseline excuses more, in all, than another. */
export const grownRules = (later, earlier) => {
  const before = totalsOf(earlier)
  return Object.entries(totalsOf(later))
    .filter(([rule, n]) => n > (before[rule] ?? 0))
    .map(([rule, n]) => `${rule}: ${n}, before ${before[rule] ?? 0}`)
}

/** What oxlint finds beyond the limits in some paths below the project. Throws where it saw none. */
export const lint = paths => {
  const { stdout } = spawnSync(
    process.execPath,
    [
      join(root, 'node_modules/oxlint/bin/oxlint'),
      '-c',
      '.oxlintrc.limits.json',
      '--format=json',
      ...paths,
    ],
    { cwd: root, encoding: 'utf8', maxBuffer: 1 << 28 },
  )
  const { diagnostics, number_of_files: files } = JSON.parse(stdout)
  if (files === 0) throw new Error('oxlint saw no file')
  return diagnostics
}

const baseline = () => JSON.parse(readFileSync(join(root, BASELINE), 'utf8'))
/** The baseline as it was committed before its last change; undefined without a history. */
const committedBefore = () => {
  try {
    const git = args => execFileSync('git', args, { cwd: root, encoding: 'utf8', stdio: 'pipe' })
    const changed = git(['status', '--porcelain', '--', BASELINE]).trim() !== ''
    const commits = git(['log', '-2', '--format=%H', '--', BASELINE]).trim().split('\n')
    const commit = changed ? commits[0] : commits[1]
    return commit ? JSON.parse(git(['show', `${commit}:${BASELINE}`])) : undefined
  } catch {
    // A copy of the sources without git has no earlier baseline to compare with.
    return undefined
  }
}

const sorted = counts =>
  Object.fromEntries(
    Object.entries(counts)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([file, rules]) => [
        file,
        Object.fromEntries(Object.entries(rules).sort(([a], [b]) => (a < b ? -1 : 1))),
      ]),
  )

const main = () => {
  const now = countByFile(
    lint([
      'src',
      'commands',
      'tests',
      'vite.config.ts',
      'vitest.config.ts',
      'playwright.config.ts',
    ]),
  )
  const before = committedBefore()
  if (process.argv.includes('--shrink')) {
    const grown = existsSync(join(root, BASELINE)) ? grownRules(now, baseline()) : []
    if (grown.length > 0) {
      console.error(`The baseline only shrinks:\n  ${grown.join('\n  ')}`)
      process.exit(1)
    }
    writeFileSync(join(root, BASELINE), `${JSON.stringify(sorted(now), null, 2)}\n`)
    return
  }
  const faults = [
    ...newFaults(now, baseline()),
    ...staleEntries(now, baseline()).map(line => `${line}: run npm run check:shrink`),
    ...(before ? grownRules(baseline(), before).map(line => `the baseline grew, ${line}`) : []),
  ]
  if (faults.length === 0) return
  console.error(`Beyond the limits of .oxlintrc.limits.json:\n  ${faults.join('\n  ')}`)
  process.exit(1)
}
if (process.argv[1] === fileURLToPath(import.meta.url)) main()
