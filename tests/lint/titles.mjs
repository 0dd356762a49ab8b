// `npm run check` runs this: a commit's title says in plain words what it does, in 72 characters, and
// its body, one empty line below, says why.
import { spawnSync } from 'node:child_process'
import { dirname } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const LONGEST = 72
/** Commits before this moment have longer titles. */
const SINCE = '2026-11-25T08:00:00Z'

/** What is wrong with a commit's message; undefined where nothing is. */
export const faultOf = message => {
  const [title = '', second = ''] = message.split('\n')
  if (title.trim() === '') return 'has no title'
  if (title.length > LONGEST) return `has a title of ${title.length} characters, not ${LONGEST}`
  if (title.endsWith('.')) return 'has a title that ends with a full stop'
  if (second !== '') return 'has no empty line below its title'
  return undefined
}

const main = () => {
  const log = spawnSync('git', ['log', `--since=${SINCE}`, '--no-merges', '-z', '--format=%h %B'], {
    cwd: root,
    encoding: 'utf8',
  })
  // A copy of the sources without git has no commits to read.
  if (log.status !== 0) return
  const faults = log.stdout.split('\0').flatMap(entry => {
    const space = entry.indexOf(' ')
    const fault = space > 0 ? faultOf(entry.slice(space + 1)) : undefined
    return fault ? [`${entry.slice(0, space)} ${fault}`] : []
  })
  for (const fault of faults) console.error(fault)
  if (faults.length > 0) process.exitCode = 1
}
if (process.argv[1] === fileURLToPath(import.meta.url)) main()
