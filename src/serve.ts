import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { FastifyInstance } from 'fastify'
import type { Logger } from 'pino'
import { DEMO_PASSWORD, demoAccounts } from '#src/areas/people/roles.demo.ts'
import type { App } from '#src/server/http/app.ts'
import { BadConfig, readConfig, settingsTable, type Config } from '#src/server/http/config.ts'
import { watchRequests } from '#src/server/http/drain.ts'
import { openLog } from '#src/server/http/logging.ts'
import { imageStoreOf } from '#src/server/http/upload.ts'
import { alone } from './server/db/alone.ts'
import { openDatabase, type Database } from './server/db/database.ts'
import { FolderInUse } from './server/db/lock.ts'
import { migrate } from './server/db/migrate.ts'
import { outlive } from './server/db/outlive.ts'

const DRAIN_MS = 8000
/** The built console lies beside the built server; from source there is none, Vite serves it. */
const consoleFolder = import.meta.url.endsWith('.ts')
  ? undefined
  : join(dirname(dirname(fileURLToPath(import.meta.url))), 'client')
const say = (line: string) => process.stderr.write(`${line}\n`)

/**
 * Listens, prints the address, and on SIGTERM or SIGINT answers what was accepted before it ends.
 */
const listen = async (fastify: FastifyInstance, config: Config, close: () => Promise<void>) => {
  const requests = watchRequests(fastify.server)
  const address = await fastify.listen({ port: config.port, host: config.host })
  let leaving = false
  const leave = async (signal: string) => {
    // Asking twice says that nobody wants to wait.
    if (leaving) process.exit(1)
    leaving = true
    say(`${signal}: finishing what was begun …`)
    setTimeout(() => process.exit(1), DRAIN_MS + 2000).unref()
    await requests.drain(DRAIN_MS)
    await close()
    process.exit(0)
  }
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const)
    process.on(signal, () => void leave(signal))
  return address
}

/** In the demo no message leaves the house, but through a gateway that somebody has set up. */
const gatewaysOf = ({ gateways: { robot, mail, sms }, demo }: Config): Config['gateways'] => {
  const none = demo ? 'embedded' : null
  return { robot: robot ?? none, mail: mail ?? none, sms: sms ?? none }
}

/** Fails now, not after half a minute of demo data, when the address can't be had. */
const tryAddress = ({ port, host }: Config) =>
  new Promise<void>((can, cannot) => {
    const server = createServer().once('error', cannot)
    server.listen(port, host, () => server.close(() => can()))
  })

const serveConsole = async (config: Config, manageback: string) => {
  if (!consoleFolder) throw new Error('MANAGEBACK_URL serves the built console: use npm start')
  const { consoleOnly } = await import('#src/server/http/consoleOnly.ts')
  const app = await consoleOnly(consoleFolder, manageback)
  const address = await listen(app, config, () => app.close())
  say(`Mallet's console for ${new URL(manageback).origin}: ${address}`)
}

/** Lets merchants, shoppers and the customers of the embedded WeCom act; answers what ends it. */
const enliven = async (app: App, database: Database, log: Logger) => {
  const { fastify, wecom, events, install } = app
  const [{ startSimulator }, { startWecomLife }, { teller }] = await Promise.all([
    import('./server/demo/simulate.ts'),
    import('./server/demo/simulateWecom.ts'),
    import('#src/areas/wecom/tell.server.ts'),
  ])
  const stops = [
    startSimulator({
      database,
      events,
      codeKeys: install.codeKeys,
      warn: error => log.warn({ err: error }, 'the simulator missed a turn'),
    }),
  ]
  if (wecom.callback)
    stops.push(
      startWecomLife({
        database,
        port: wecom,
        tell: teller(wecom.callback, of => fastify.inject(of)),
        warn: error => log.warn({ err: error }, 'the embedded WeCom missed a turn'),
      }),
    )
  return async () => void (await Promise.all(stops.map(stop => stop())))
}

const serve = async (config: Config, log: Logger) => {
  mkdirSync(config.data, { recursive: true, mode: 0o700 })
  let up = false
  // The database starts in its own process while this one loads its code.
  const opening = openDatabase({
    ...(config.database_url
      ? { url: config.database_url }
      : { folder: join(config.data, 'database') }),
    say: line => (up ? log.warn(line) : say(line)),
  })
  const loading = Promise.all([
    import('#src/server/http/app.ts'),
    import('./implementations.ts'),
    import('#src/server/sessions/firstAdmin.ts'),
    import('#src/server/demo/firstDemo.ts'),
    import('#src/areas/secret/secrets.server.ts'),
  ])
  const [
    database,
    [{ buildApp }, { implementations }, { ensureFirstAdmin }, { growDemo }, { sealerOf }],
  ] = await Promise.all([opening, loading])
  const first = await alone(database, async () => {
    await migrate(database)
    if (config.demo) await growDemo(database, config)
    return ensureFirstAdmin(database, config.admin_password)
  })
  // The demo stands in for what is not set up; elsewhere that is said.
  const unset = config.demo ? 'embedded' : 'none'
  const app = await buildApp({
    database,
    modules: implementations,
    folder: config.data,
    codeKeys: config.code_keys,
    log,
    trustProxy: config.trust_proxy,
    operatorToken: config.operator_token,
    ...(config.qiniu && { images: imageStoreOf(config.qiniu) }),
    origin: config.origin,
    map: config.map,
    wechat: config.wechat,
    track: config.courier_api ? new URL(config.courier_api) : unset,
    bank: config.bank_transfer ? new URL(config.bank_transfer) : unset,
    licence: config.licence,
    wecom: config.wecom ?? (config.demo || config.simulator ? 'embedded' : 'none'),
    pay: config.wechat_pay ?? (config.demo ? 'embedded' : 'none'),
    ...(!config.demo && { issue: 'none', supplier: 'none', tickets: 'none' }),
    gateways: gatewaysOf(config),
    ...(config.database_url && { databaseUrl: config.database_url }),
    ...(consoleFolder && { console: consoleFolder }),
    ...(config.demo && { demo: { password: DEMO_PASSWORD, accounts: demoAccounts } }),
  })
  // The keys of codes are made before somebody needs them, and a file that is not ours is said now.
  await sealerOf(app.install.codeKeys, database.db).catch(error => log.warn(plainSentence(error)))
  const stopSimulator = config.simulator ? await enliven(app, database, log) : undefined
  const address = await listen(app.fastify, config, async () => {
    await stopSimulator?.()
    await app.close()
    await database.close()
  })
  await app.startJobs()
  up = true
  say(`\nMallet is ready: ${address}`)
  if (config.demo)
    say(
      `Demo accounts: ${demoAccounts.map(each => each.account).join(', ')} · password ${DEMO_PASSWORD}`,
    )
  if (first)
    say(
      `First administrator: admin · one-time password ${first.one_time_password} (shown this once, to be changed at the first sign-in)`,
    )
}

const main = async () => {
  if (process.argv.includes('--help'))
    return void process.stdout.write(
      `npm start\n\nSettings are environment variables:\n\n${settingsTable()}\n`,
    )
  const config = readConfig(process.env)
  const log = openLog(config.log)
  outlive(log)
  await tryAddress(config)
  await (config.manageback_url ? serveConsole(config, config.manageback_url) : serve(config, log))
}

await main().catch((error: unknown) => {
  if (error instanceof BadConfig) say(error.message)
  else if (error instanceof FolderInUse)
    say(`${error.message}. Stop that one, or give this one a folder of its own with MALLET_DATA.`)
  else if (codeOf(error) === 'EADDRINUSE')
    say(`The port is in use. Give another with PORT, for example: PORT=4190 npm start`)
  else if (['listen', 'bind'].includes(syscallOf(error) ?? ''))
    say(
      `HOST and PORT can't be listened on (${codeOf(error)}). HOST must be an address of this machine; ports below 1024 need special rights.`,
    )
  else if (/\b(EACCES|EPERM|EROFS)\b/.test(plainSentence(error)))
    say(
      `Mallet could not start: ${plainSentence(error)}. The data folder must be writable for this user; give another with MALLET_DATA.`,
    )
  else say(`Mallet could not start: ${plainSentence(error)}`)
  process.exit(1)
})

function codeOf(error: unknown): string | undefined {
  return (error as { code?: string } | undefined)?.code
}
function syscallOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException | undefined)?.syscall
}
/** What may be shown of an error: a database's message holds the parameters of its query. */
function plainSentence(error: unknown): string {
  for (let at: unknown = error; at instanceof Error; at = at.cause)
    if (at.name !== 'DrizzleQueryError' && !at.message.startsWith('Failed query')) return at.message
  return 'unknown fault'
}
