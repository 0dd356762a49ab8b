import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { inMemory } from './inMemory.ts'

/**
 * Gives the tests of a project a folder for what is temporary, which goes with the run: also what a
 * test left in it that broke off. What was left is told, to be mended.
 */
export default function setup(project: TestProject) {
  const folder = mkdtempSync(join(inMemory(), 'mallet-run-'))
  project.config.env = { ...project.config.env, TMPDIR: folder }
  return () => {
    // What runs them, such as tsx, keeps things of its own there.
    const left = readdirSync(folder).filter(name => name.startsWith('mallet-'))
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    if (left.length > 0) console.warn(`The tests left behind: ${left.sort().join(', ')}`)
  }
}
