import { existsSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { findBrowser } from './browser.ts'
import { node, results, root, title } from './process.ts'

const folder = join(root, 'tests/bench')
const HALF_AN_HOUR = 30

/** Runs every benchmark and then their table; answers the worst exit code. */
export const bench = async (): Promise<number> => {
  const browser = await findBrowser()
  const files = existsSync(folder)
    ? readdirSync(folder).filter(file => /\.bench\.(ts|tsx|mjs)$/.test(file))
    : []
  if (files.length === 0) {
    console.error('There are no benchmarks in tests/bench')
    return 1
  }
  let worst = 0
  rmSync(join(results, 'bench'), { recursive: true, force: true })
  for (const file of files.sort()) {
    title(file)
    const env = browser ? { TEST_CHROMIUM: browser } : undefined
    const code = await node(['--import', './src/source.mjs', join(folder, file)], env, HALF_AN_HOUR)
    worst = Math.max(worst, code)
  }
  title('all')
  return Math.max(worst, await node(['--import', './src/source.mjs', join(folder, 'table.ts')]))
}
