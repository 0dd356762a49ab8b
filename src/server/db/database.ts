import { AsyncLocalStorage } from 'node:async_hooks'
import { drizzle } from 'drizzle-orm/node-postgres'
import pLimit from 'p-limit'
import pg from 'pg'
import type { Db } from '#src/server/call/implement.ts'
import { Alike, type Asked } from './alike.ts'
import { CopyIn } from './copy.ts'
import { openEmbedded, type Embedded } from './embedded.ts'
import { DatabaseFault, faultOf } from './faults.ts'
import { Memory, onlyReads, remembering } from './untilWritten.ts'

/**
 * What `/healthz` and the metrics tell of the database. `durable` is measured in the embedded mode,
 * unknown (null) of a server of one's own.
 */
export type DatabaseState = {
  mode: 'embedded' | 'postgres'
  answering: boolean
  durable: boolean | null
  fsyncs_per_commit: number | null
  read_only: boolean
  free_bytes: number | null
  restarts: number
}
export type Database = {
  mode: 'embedded' | 'postgres'
  /**
   * Drizzle over the pool; refuses inside an open transaction of the same async context, where it
   * would wait for itself.
   */
  db: Db
  pool: pg.Pool
  /**
   * One transaction, rolled back when `run` throws or `deadlineMs` (5,000) passes. A lost race runs
   * it again: what `run` collects must be collected anew each time.
   */
  transaction: <T>(run: (tx: Db) => Promise<T>, options?: { deadlineMs?: number }) => Promise<T>
  /**
   * Long reads of one instant: all that `run` reads by its `db` is as it was at the first of it,
   * however long it takes and whatever changes meanwhile. The embedded database, whose one
   * connection serves everybody, has no such thing: there `db` is the usual one.
   */
  snapshot: <T>(run: (db: Db) => Promise<T>) => Promise<T>
  /** One connection serves everybody: long reads go in short queries with pauses between them. */
  exclusive: boolean
  state: () => DatabaseState
  /**
   * Whether the database answers, asked beside all that waits for a connection. Throws what it is
   * refused with.
   */
  answers: () => Promise<void>
  /**
   * Does something that may legitimately keep the database busy longer than the watchdog allows
   * (migrations, demo data).
   */
  unhurried: <T>(run: () => Promise<T>) => Promise<T>
  close: () => Promise<void>
}
export type DatabaseOptions = {
  /** A PostgreSQL to use. Without it, the embedded database in `folder`. */
  url?: string
  folder?: string
  poolSize?: number
  /** Hears in plain words what the embedded database is doing; nothing secret. */
  say?: (line: string) => void
  /** Embedded: silence after which the database is taken for hung and killed. */
  watchdogMs?: number
  /** Embedded: free space below which writes are refused. */
  minFreeBytes?: number
  /** How long a transaction may take that says nothing else; 5 s without it. */
  deadlineMs?: number
  /** How long a connection is waited for; about 3 s without it. */
  connectMs?: number
}

const DEADLINE_MS = 5000
const CONNECT_MS = 3000
/** A busy machine is given ten seconds: its watchdog tells an embedded database that is dead. */
const EMBEDDED_WAITS = 4
/** pg has no code for a connection that is long in coming. */
const OVERDUE =
  /^(timeout exceeded when trying to connect|Connection terminated due to connection timeout|timeout expired)/
const isOverdue = (error: unknown): boolean => error instanceof Error && OVERDUE.test(error.message)
const RERUNS = 4

type Lastly = { ids: Set<number>; run: (tx: Db, ids: readonly number[]) => Promise<unknown> }
/** The transaction that the current async context is in, if any, and what is left for its end. */
const open = new AsyncLocalStorage<{ open: boolean; last: Map<string, Lastly> }>()
/**
 * Leaves something for the end of the open transaction, just before its commit, once for all ids
 * that are named until then: what holds rows that everybody needs holds them for a moment only.
 * Outside of one it runs at once.
 */
export const lastly = async (
  tx: Db,
  of: { key: string; id: number; run: Lastly['run'] },
): Promise<void> => {
  const scope = open.getStore()
  if (!scope?.open) await of.run(tx, [of.id])
  else
    scope.last.set(of.key, {
      ids: (scope.last.get(of.key)?.ids ?? new Set<number>()).add(of.id),
      run: of.run,
    })
}

const unattended = new AsyncLocalStorage<true>()
/**
 * Does work that nobody waits for. All such work shares a quarter of the pool's connections, so that
 * dozens of timers of the same minute never stand before a person's request.
 */
export const inBackground = <T>(run: () => Promise<T>): Promise<T> => unattended.run(true, run)

const PLANNED_MAX = 500
const texts = new Map<string, number>()
let connections = 0
/**
 * A connection whose queries go one after the other in the order they were asked for, however many
 * reads of a transaction are asked for at once: from pg 9 on a client keeps no queue of its own.
 * Queries that say so (`planned`, oneOf.ts) are prepared when they first run: parsing and planning
 * one takes longer than running it. Their texts are few; beyond a bound they run as all others.
 */
class Client extends pg.Client {
  #last: Promise<unknown> = Promise.resolve()
  constructor(config?: pg.ClientConfig & { memory?: Memory }) {
    super(config)
    const send = (...all: unknown[]) => (super.query as (...all: unknown[]) => unknown)(...all)
    const written = () => config?.memory?.written()
    this.query = ((asked: unknown, ...rest: unknown[]) => {
      const reads = config?.memory === undefined || onlyReads(asked)
      if (!reads) written()
      const last = rest.at(-1)
      // The pool's own query has a connection for itself.
      if (typeof last === 'function') {
        if (reads) return send(this.#named(asked), ...rest)
        const heard = (...all: unknown[]) => {
          written()
          ;(last as (...all: unknown[]) => void)(...all)
        }
        return send(this.#named(asked), ...rest.slice(0, -1), heard)
      }
      const answer = this.#last
        .then(() => {
          const sent = send(this.#named(asked), ...rest)
          return asked instanceof CopyIn ? asked.ended : sent
        })
        .finally(reads ? undefined : written)
      this.#last = answer.catch(() => {})
      return answer
    }) as pg.Client['query']
  }
  // The embedded database has one session behind all connections of all processes: no two of them
  // may use a name.
  readonly #own = `planned_${process.pid}_${++connections}_`
  #named(asked: unknown): unknown {
    const text = (asked as pg.QueryConfig | undefined)?.text
    if (!text?.includes('/* planned once */')) return asked
    if (!texts.has(text) && texts.size < PLANNED_MAX) texts.set(text, texts.size)
    const at = texts.get(text)
    return at === undefined ? asked : { ...(asked as pg.QueryConfig), name: this.#own + at }
  }
}

/**
 * A pool that refuses to be used from inside a transaction, and answers at once while the database
 * is known to be down.
 */
class Pool extends pg.Pool {
  down: () => string | undefined = () => undefined
  /** How often a connection is waited for: more than once where it is known whether others get on. */
  waits = 1
  readonly clients = new Set<pg.PoolClient>()
  readonly #alike = new Alike()
  readonly #lane
  readonly #freed = new WeakMap<pg.PoolClient, () => void>()
  constructor(config: pg.PoolConfig & { max: number; memory?: Memory }) {
    super({ ...config, Client })
    this.#lane = pLimit(Math.ceil(config.max / 4))
    this.on('release', (_, client) => this.#freed.get(client)?.())
    // Without a listener an idle connection that breaks would end the process; the next query finds
    // out by itself.
    this.on('error', () => {})
    this.on('connect', client => {
      this.clients.add(client)
      // The same for one that is out on loan and breaks between two queries: the pool listens to
      // idle ones only.
      client.on('error', () => {})
    })
    this.on('remove', client => {
      this.clients.delete(client)
      // What it was about to write may have been written.
      config.memory?.written()
    })
  }
  #refusal(): Error | undefined {
    if (open.getStore()?.open)
      return new Error(
        'The database was used outside the open transaction: use its tx (the outer db would wait for it, for ever in the embedded mode)',
      )
    const why = this.down()
    return why ? new DatabaseFault('MALLET_UNAVAILABLE', why) : undefined
  }
  /** A connection; waited for again while the database is known to answer others meanwhile. */
  async #patiently(): Promise<pg.PoolClient> {
    for (let waits = this.waits; ; waits--)
      try {
        return await super.connect()
      } catch (error) {
        const refused = this.#refusal()
        if (refused || waits <= 1 || !isOverdue(error)) throw refused ?? error
      }
  }
  // pg's overloads can't be written again without any. Every query of the pool comes through
  // connect, the pool's own with a callback.
  override connect(...args: any[]): any {
    const refused = this.#refusal()
    const inBackground = unattended.getStore() === true
    if (!refused && !inBackground && this.waits === 1) return (super.connect as any)(...args)
    const begun = () => (inBackground ? this.#inLane() : this.#patiently())
    const client = refused ? Promise.reject(refused) : begun()
    if (typeof args[0] !== 'function') return client
    client.then(
      one => args[0](undefined, one, (fault?: Error | boolean) => one.release(fault)),
      error => args[0](error, undefined, () => {}),
    )
  }
  // Any is pg's here too. What the background asks for waits in its lane, and nobody with it.
  override query(...args: any[]): any {
    const [asked, values, heard] = args as [Asked | string, unknown[]?, unknown?]
    const alone = typeof asked === 'string' || !values || heard || unattended.getStore()
    const answer =
      alone || this.#refusal() ? undefined : this.#alike.ask(asked, values, this.#send(values))
    return answer ?? super.query(...(args as [pg.QueryConfig]))
  }
  /** Sends what is told once a connection is there. */
  #send(values: unknown[]) {
    return (told: () => Asked) =>
      new Promise<pg.QueryResult>((done, fail) =>
        this.connect(
          (error: Error | undefined, client: pg.PoolClient, release: (fault?: Error) => void) => {
            if (error) return fail(error)
            client.query({ ...(told() as pg.QueryConfig), values }, (fault, found) => {
              release(fault)
              if (fault) fail(fault)
              else done(found)
            })
          },
        ),
      )
  }
  /** A connection once the background has one to spare; it is given back to the background. */
  #inLane(): Promise<pg.PoolClient> {
    return new Promise((resolve, reject) => {
      void this.#lane(async () => {
        const client = await this.#patiently().catch(reject)
        if (!client) return
        const released = new Promise<void>(free => this.#freed.set(client, free))
        resolve(client)
        await released
      })
    })
  }
  /** Breaks every connection, so that no caller waits for a database that has stopped answering. */
  sever() {
    for (const client of this.clients)
      (
        client as unknown as { connection: { stream: { destroy: () => void } } }
      ).connection.stream.destroy()
  }
}

/** A connection beside the pool's, on which a server under load is still asked whether it answers. */
const openProbe = (url: string) => {
  const probe = new pg.Pool({
    connectionString: url,
    max: 1,
    connectionTimeoutMillis: CONNECT_MS,
    statement_timeout: 3000,
    application_name: 'mallet probe',
  })
  probe.on('error', () => {})
  probe.on('connect', client => void client.on('error', () => {}))
  return probe
}

/**
 * Opens the database: PostgreSQL at `url`, or the embedded one in `folder`. Throws a plain sentence
 * when it can't.
 */
export const openDatabase = async (options: DatabaseOptions): Promise<Database> => {
  let embedded: Embedded | undefined
  let pool: Pool | undefined
  const memory = new Memory()
  if (options.url)
    pool = new Pool({
      connectionString: options.url,
      max: options.poolSize ?? 16,
      connectionTimeoutMillis: options.connectMs ?? CONNECT_MS,
      // To open a connection costs as much as some ten claims: all at once, after a pause, they
      // held everybody up for a second. Those that die meanwhile are noticed and replaced.
      idleTimeoutMillis: 0,
      keepAlive: true,
      statement_timeout: 30_000,
      application_name: 'mallet',
      options: '-c jit=off',
    })
  else {
    if (!options.folder) throw new Error('openDatabase needs a url or a folder')
    embedded = await openEmbedded({
      folder: options.folder,
      say: options.say ?? (() => {}),
      watchdogMs: options.watchdogMs,
      minFreeBytes: options.minFreeBytes,
      stalled: () => pool?.sever(),
    })
    pool = new Pool({
      host: embedded.socketFolder,
      port: embedded.socketPort,
      user: 'postgres',
      database: 'postgres',
      max: options.poolSize ?? 8,
      connectionTimeoutMillis: options.connectMs ?? 2500,
      idleTimeoutMillis: 0,
      memory,
    })
    pool.down = embedded.down
    pool.waits = EMBEDDED_WAITS
  }
  const db: Db = drizzle(pool)
  if (embedded) remembering(db, memory)
  const probe = options.url ? openProbe(options.url) : undefined

  const once = async <T>(run: (tx: Db) => Promise<T>, deadlineMs: number): Promise<T> => {
    const client = (await pool.connect()) as pg.PoolClient
    const scope = { open: true, last: new Map<string, Lastly>() }
    let broken = false
    let committing = false
    const deadline = withResolvers<never>()
    const timer = setTimeout(() => {
      broken = true
      deadline.reject(
        new DatabaseFault('MALLET_DEADLINE', `the transaction was given up after ${deadlineMs} ms`),
      )
      // Ending the connection is what rolls it back: a query in flight would never notice anything
      // milder.
      client.release(true)
    }, deadlineMs)
    const work = open.run(scope, () =>
      (drizzle(client) as Db).transaction(async tx => {
        const result = await run(tx)
        for (const { ids, run: end } of scope.last.values()) await end(tx, [...ids])
        // From here the commit is on its way; giving up now would leave its outcome unknown.
        clearTimeout(timer)
        if (broken) throw new DatabaseFault('MALLET_DEADLINE', 'too late')
        committing = true
        return result
      }),
    )
    try {
      return await Promise.race([work, deadline.promise])
    } catch (error) {
      // What the given-up work says afterwards is known already.
      if (broken) work.catch(() => {})
      if (committing && faultOf(error)?.kind === 'unavailable')
        throw new DatabaseFault('MALLET_UNKNOWN', 'the connection broke during the commit')
      throw error
    } finally {
      scope.open = false
      clearTimeout(timer)
      if (!broken) client.release()
    }
  }

  const snapshot: Database['snapshot'] = async run => {
    if (embedded) return run(db)
    const client = (await pool.connect()) as pg.PoolClient
    let broken: Error | undefined
    try {
      return await (drizzle(client) as Db).transaction(run, {
        isolationLevel: 'repeatable read',
        accessMode: 'read only',
      })
    } catch (error) {
      if (faultOf(error)?.kind === 'unavailable') broken = error as Error
      throw error
    } finally {
      client.release(broken)
    }
  }
  return {
    mode: embedded ? 'embedded' : 'postgres',
    db,
    pool,
    exclusive: Boolean(embedded),
    snapshot,
    transaction: async (run, { deadlineMs = options.deadlineMs ?? DEADLINE_MS } = {}) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await once(run, deadlineMs)
        } catch (error) {
          if (attempt > RERUNS || faultOf(error)?.kind !== 'rerun') throw error
          await new Promise(resolve => setTimeout(resolve, Math.random() * 20 * 2 ** attempt))
        }
      }
    },
    state: () =>
      embedded?.state() ?? {
        mode: 'postgres',
        answering: true,
        durable: null,
        fsyncs_per_commit: null,
        read_only: false,
        free_bytes: null,
        restarts: 0,
      },
    answers: async () => {
      await (embedded ? embedded.answers() : probe!.query('select 1'))
    },
    unhurried: run => (embedded ? embedded.unhurried(run) : run()),
    close: async () => {
      await pool.end()
      await probe?.end()
      await embedded?.close()
    },
  }
}

/** Promise.withResolvers came with Node 22. */
const withResolvers = <T>() => {
  let resolve!: (value: T) => void
  let reject!: (error: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
