// `node tests/farm/demoData.mjs FOLDER`: puts the demo data into a folder for a server of the
// journeys. It is grown once for what is built and the moment at which the run begins, and copied.
import './clock.mjs'
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))
const server = join(root, 'dist/server')
const cache = join(root, 'node_modules/.cache/mallet-demo')

/** Everything the demo data follows from. */
const keyOf = () => {
  const hash = createHash('sha256')
  for (const name of ['TEST_CLOCK', 'MALLET_SCALE', 'MALLET_SEED'])
    hash.update(`${name}=${process.env[name] ?? ''}\0`)
  for (const file of readdirSync(server, { recursive: true }).sort())
    if (file.endsWith('.js')) hash.update(file).update(readFileSync(join(server, file)))
  return hash.digest('hex').slice(0, 16)
}
/** Has a server grow its data in a folder; it has ended when this resolves. */
const grow = folder =>
  new Promise((done, fail) => {
    const child = spawn(process.execPath, [join(server, 'serve.js')], {
      stdio: ['ignore', 'inherit', 'pipe'],
      env: { ...process.env, PORT: '0', MALLET_DATA: folder },
    })
    let [said, leaving] = ['', false]
    // The server says that it is ready where it says all else.
    child.stderr.on('data', chunk => {
      said += String(chunk)
      process.stderr.write(chunk)
      if (leaving || !said.includes('Mallet is ready')) return
      // Asked once: a second signal would cut it off.
      leaving = true
      child.kill('SIGTERM')
    })
    child.once('exit', code =>
      code === 0 ? done() : fail(new Error(`growing demo data ended with ${code}`)),
    )
  })

const grown = join(cache, keyOf())
if (!existsSync(grown)) {
  const growing = `${grown}.${process.pid}`
  rmSync(cache, { recursive: true, force: true })
  mkdirSync(cache, { recursive: true })
  await grow(growing)
  renameSync(growing, grown)
}
const [folder] = process.argv.slice(2)
rmSync(folder, { recursive: true, force: true })
cpSync(grown, folder, { recursive: true })
