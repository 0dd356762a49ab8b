// `npm start` and `npm run dev`: installs, builds and starts, doing only what is not done yet.
// Plain Node and nothing else, as nothing else may be there.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const installed = join(root, 'node_modules', '.installed')
const built = join(root, 'dist', '.built')
const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'

const read = file => (existsSync(file) ? readFileSync(file, 'utf8') : '')
const lockHash = () =>
  createHash('sha256')
    .update(read(join(root, 'package-lock.json')))
    .digest('hex')

/**
 * How Node runs the server. An answer's rows die young: with room for those of fifty clients they
 * are never copied to the old generation (2.1 ms of processor a list before, 1.6 after).
 */
export const serverFlags = ['--enable-source-maps', '--max-semi-space-size=64']

/** Everything that the build reads, names and contents. */
const sourceHash = () => {
  const hash = createHash('sha256')
  const add = path => {
    const full = join(root, path)
    if (!existsSync(full)) return
    hash.update(`${path}\0`).update(readFileSync(full)).update('\0')
  }
  const walk = folder => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true }).sort((a, b) =>
      a.name < b.name ? -1 : 1,
    )) {
      const path = `${folder}/${entry.name}`
      if (entry.isDirectory()) walk(path)
      else add(path)
    }
  }
  for (const folder of ['src', 'commands', 'public'])
    if (existsSync(join(root, folder))) walk(folder)
  for (const file of [
    'index.html',
    'vite.config.ts',
    'package.json',
    'package-lock.json',
    'tsconfig.json',
  ])
    add(file)
  return hash.digest('hex')
}

const run = (command, args, env = {}) => {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, npm_config_loglevel: 'error', ...env },
  })
  if (error) throw error
  if (status !== 0) process.exit(status ?? 1)
}
/**
 * True when npm's own record of what lies in node_modules agrees with the lockfile: then somebody
 * has installed it already.
 */
const agrees = () => {
  const there = read(join(root, 'node_modules', '.package-lock.json'))
  if (!there) return false
  const found = JSON.parse(there).packages
  return Object.entries(JSON.parse(read(join(root, 'package-lock.json'))).packages).every(
    ([at, { version, optional }]) =>
      at === '' || found[at]?.version === version || (optional && !found[at]),
  )
}
/** Installs the packages when the lockfile is not the one that was installed. */
export const install = () => {
  const wanted = lockHash()
  if (read(installed) === wanted) return
  if (agrees()) return writeFileSync(installed, wanted)
  console.log('Installing packages …')
  run(npm, ['ci', '--ignore-scripts', '--include=dev', '--no-audit', '--no-fund'])
  writeFileSync(installed, wanted)
}
/** Builds console and server when a source is not the one that was built. */
export const build = () => {
  const wanted = sourceHash()
  if (read(built) === wanted) return
  console.log('Building console and server …')
  const vite = join(root, 'node_modules', 'vite', 'bin', 'vite.js')
  // A shell or a test that names another environment would get React's much slower one.
  run(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], { NODE_ENV: 'production' })
  mkdirSync(dirname(built), { recursive: true })
  writeFileSync(built, wanted)
}

/**
 * Runs programs in this terminal until the first ends; signals go to all, its exit code is ours.
 */
const together = programs => {
  const children = programs.map(({ command, args, env }) =>
    spawn(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } }),
  )
  let code
  const end = signal => {
    for (const child of children)
      if (child.exitCode === null && child.signalCode === null) child.kill(signal)
  }
  // Ctrl-C reaches the children by itself, through the terminal: here it only must not end this
  // process before them.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
    process.on(signal, () => {
      if (signal !== 'SIGINT' || !process.stdin.isTTY) end(signal)
    })
  for (const child of children) {
    child.on('exit', (status, signal) => {
      code ??= status ?? (signal === 'SIGINT' || signal === 'SIGTERM' ? 0 : 1)
      end('SIGTERM')
      if (children.every(each => each.exitCode !== null || each.signalCode !== null))
        process.exit(code)
    })
  }
}

const main = () => {
  const [major, minor] = process.versions.node.split('.').map(Number)
  if (major < 20 || (major === 20 && minor < 19)) {
    console.error(
      `Mallet needs Node 20.19 or newer, this is ${process.versions.node}. See https://nodejs.org`,
    )
    process.exit(1)
  }
  install()
  if (process.argv.includes('--dev')) {
    // The console is served by Vite at PORT, the server it talks to sits one above.
    const port = Number(process.env.PORT || 4180)
    const api = String(port + 1)
    together([
      {
        command: process.execPath,
        args: [
          join(root, 'node_modules/tsx/dist/cli.mjs'),
          'watch',
          '--clear-screen=false',
          '--import',
          './src/source.mjs',
          'src/serve.ts',
        ],
        env: { PORT: api, HOST: '127.0.0.1' },
      },
      {
        command: process.execPath,
        args: [join(root, 'node_modules/vite/bin/vite.js'), '--clearScreen', 'false'],
        env: { DEV_SERVER_PORT: api },
      },
    ])
    return
  }
  if (!process.argv.includes('--help')) build()
  else if (!existsSync(join(root, 'dist', 'server', 'serve.js'))) build()
  together([
    {
      command: process.execPath,
      args: [...serverFlags, join(root, 'dist', 'server', 'serve.js'), ...process.argv.slice(2)],
    },
  ])
}
if (process.argv[1] === fileURLToPath(import.meta.url)) main()
