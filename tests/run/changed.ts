import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './process.ts'

const FOLDER = 'tests/e2e'
const git = (...args: string[]): string[] => {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8' })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr}`)
  return stdout.split('\n').filter(Boolean)
}
/** The commit that work in between began at: where this branch left main. */
export const branchPoint = (): string => {
  const mains = git('for-each-ref', '--format=%(refname:short)', 'refs/heads', 'refs/remotes')
  const main = ['origin/main', 'main', 'origin/master', 'master'].find(ref => mains.includes(ref))
  return main ? git('merge-base', main, 'HEAD')[0]! : 'HEAD'
}
/** Files that differ from a commit, committed or not, from the project's folder. */
export const changedSince = (commit: string): string[] => [
  ...git('diff', '--name-only', commit),
  ...git('ls-files', '--others', '--exclude-standard'),
]

/** A journey by the name of its file, with its text. */
export type Journey = { file: string; text: string }
export const allJourneys = (): Journey[] =>
  readdirSync(join(root, FOLDER))
    .filter(file => file.endsWith('.e2e.ts'))
    .map(file => ({ file, text: readFileSync(join(root, FOLDER, file), 'utf8') }))

/** What stands below every page: who changes it changes all of them. */
const ground =
  /^(?:src\/(?:kit|shell)\/|src\/main\.tsx|playwright\.config\.ts|tests\/e2e\/desk\.ts)/
const moduleOf = (file: string) => /^(?:src\/modules|commands(?:\/pages)?)\/(\w+)/.exec(file)?.[1]

/**
 * The journeys that a change asks for, as no import leads from a journey to what it sees: those
 * that changed, all where the ground of every page did, else those that name an address of a module
 * that changed.
 */
export const journeysFor = (changed: readonly string[], journeys: readonly Journey[]): string[] => {
  if (changed.some(file => ground.test(file))) return journeys.map(({ file }) => file)
  const modules = [...new Set(changed.flatMap(file => moduleOf(file) ?? []))]
  const named = (text: string) => modules.some(name => text.includes(`/${name}/`))
  return journeys
    .filter(({ file, text }) => changed.includes(`${FOLDER}/${file}`) || named(text))
    .map(({ file }) => file)
}
