// `npm run check`: what can be told without running the product. Each check is one of the steps of
// `npm test` too (tests/run.mjs).
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const bin = path => join(root, 'node_modules', path)
/** What the last look at the types found, so that the next one looks at what changed alone. */
const typesSeen = join(root, 'node_modules/.cache/types.tsbuildinfo')

const incremental = ['--incremental', '--tsBuildInfoFile', typesSeen]

/**
 * Every check by its name, the slowest first, as the arguments of a Node process that runs in the
 * project's folder.
 */
export const checks = {
  // One checker: each works out the types that all share for itself, and the lint has the other core.
  types: [bin('typescript/bin/tsc'), '--noEmit', '--checkers', '1', ...incremental],
  lint: [bin('oxlint/bin/oxlint'), '--type-aware', '--deny-warnings'],
  unused: [bin('knip/bin/knip.js'), '--no-progress'],
  format: [bin('oxfmt/bin/oxfmt'), '--check'],
  limits: [join(root, 'tests/lint/limits.mjs')],
  titles: [join(root, 'tests/lint/titles.mjs')],
}

const main = () => {
  const failed = Object.entries(checks).filter(([name, args]) => {
    console.log(`── ${name}`)
    return spawnSync(process.execPath, args, { cwd: root, stdio: 'inherit' }).status !== 0
  })
  if (failed.length > 0) process.exit(1)
}
if (process.argv[1] === fileURLToPath(import.meta.url)) main()
