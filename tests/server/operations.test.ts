import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'drizzle-orm'
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { openDatabase } from '#src/server/db/database.ts'
import { copyOfTemplate, onlyOn } from '../farm.ts'
import { ask, built, startServer, type Answered } from '../farm/server.ts'
import { freshTask } from '../help/trade.ts'

/** The built server as an operator runs it: processes, signals, settings, HTTP. */
beforeAll(built, 120_000)
const folder = mkdtempSync(join(tmpdir(), 'mallet-operations-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const signIn = async (address: string, account: string, password: string): Promise<string> => {
  const said = await ask(address, 'login', { body: { account, password } })
  if (said.status !== 200) throw new Error(`${account}: ${said.message}`)
  return (said.data as { token: string }).token
}

onlyOn('postgres')('a server on a PostgreSQL of its own', () => {
  const emptyDatabase = async (name: string): Promise<string> => {
    const template = inject('template')
    if (template.flavour !== 'postgres') throw new Error('no PostgreSQL')
    const admin = new pg.Client(template.admin)
    await admin.connect()
    await admin.query(`create database ${name}`)
    await admin.end()
    const url = new URL(template.admin)
    url.pathname = `/${name}`
    return url.href
  }
  let url: string
  beforeAll(async () => {
    url = await emptyDatabase(`operations_${process.pid}`)
  })

  it('begins with one administrator and nothing else; the one-time password is printed by the first start only, and opens nothing but its change', async () => {
    const settings = { DATABASE_URL: url, MALLET_DATA: join(folder, 'own') }
    const first = startServer(settings)
    const address = await first.ready
    await later(50)
    const password = /one-time password (\S+)/.exec(first.said())![1]!
    expect(first.said().split(password)).toHaveLength(2)
    expect((await ask(address, 'session/welcome')).data).toEqual({ demo: null })
    const said = await ask(address, 'login', { body: { account: 'admin', password } })
    expect(said).toMatchObject({ status: 200, data: { must_change: true } })
    const { token } = said.data as { token: string }
    expect((await ask(address, 'home/today', { token })).data).toMatchObject({
      rule: 'must_change',
    })
    first.kill('SIGTERM')
    expect(await first.ended).toBe(0)

    const database = await openDatabase({ url })
    const rows = await database.db.execute(
      sql`select (select count(*)::int from admin) people, (select count(*)::int from product) products, (select count(*)::int from "order") orders, (select count(*)::int from merchant) merchants`,
    )
    expect(rows.rows).toEqual([{ people: 1, products: 0, orders: 0, merchants: 0 }])
    await database.close()

    const second = startServer(settings)
    await second.ready
    await later(50)
    expect(second.said()).not.toMatch(/password/)
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)
  }, 120_000)

  it('takes the first password from MALLET_ADMIN_PASSWORD; answers at SIGTERM what it accepted, and ends; serves another’s console', async () => {
    const server = startServer({
      DATABASE_URL: await emptyDatabase(`operations_b_${process.pid}`),
      MALLET_DATA: join(folder, 'other'),
      MALLET_ADMIN_PASSWORD: 'Given#2026',
    })
    const address = await server.ready
    expect(server.said()).not.toMatch(/password|Given/)
    const token = await signIn(address, 'admin', 'Given#2026')

    const front = startServer({ MANAGEBACK_URL: address })
    const seen = await front.ready
    const page = await fetch(`${seen}/manage/audit/bulks`, { headers: { accept: 'text/html' } })
    expect([page.status, await page.text()]).toEqual([
      200,
      expect.stringContaining('<div id="root">'),
    ])
    expect(await ask(seen, 'session/me', { token })).toMatchObject({
      http: 200,
      data: { account: 'admin' },
    })
    expect(await ask(seen, 'session/me')).toMatchObject({ http: 401, status: 410000 })
    // The live stream comes through as it is written, not when it ends.
    const stop = new AbortController()
    const stream = await fetch(`${seen}/api/manageback/events`, {
      headers: { 'authori-zation': `Bearer ${token}` },
      signal: stop.signal,
    })
    const heard = stream.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await heard.read()).value).toContain(': welcome')
    await ask(seen, 'home/settings', { token, body: { pinned_paths: ['/manage/audit/bulks'] } })

    // Hashing keeps each of these waiting its turn: they are under way when the signal comes. More
    // at once would be asked for the picture.
    const under = Array.from({ length: 3 }, () =>
      ask(address, 'login', { body: { account: 'admin', password: 'Given#2026' } }),
    )
    await Promise.race(under)
    const began = Date.now()
    server.kill('SIGTERM')
    const answered = await Promise.all(under)
    expect(answered.map(one => one.status)).toEqual(Array(3).fill(200))
    expect(await server.ended).toBe(0)
    expect(Date.now() - began).toBeLessThan(10_000)
    stop.abort()

    const gone = await ask(seen, 'session/me', { token })
    expect(gone).toMatchObject({
      http: 502,
      status: 502,
      data: null,
      message: expect.stringMatching(/[一-鿿]/),
    })
    front.kill('SIGTERM')
    expect(await front.ended).toBe(0)
  }, 120_000)

  it('says which setting can’t be used, and nothing secret, before it touches anything', async () => {
    const server = startServer({
      PORT: '99999',
      DATABASE_URL: 'mysql://root:hunter2@localhost/x',
      MALLET_SIMULATER: 'off',
    })
    expect(await server.ended).toBe(1)
    for (const name of ['PORT=99999', 'DATABASE_URL', 'MALLET_SIMULATER'])
      expect(server.said()).toContain(name)
    expect(server.said()).not.toContain('hunter2')
    const nowhere = startServer({
      DATABASE_URL: 'postgres://mallet:hunter2@127.0.0.1:1/x',
      MALLET_DATA: join(folder, 'nowhere'),
    })
    expect(await nowhere.ended).toBe(1)
    expect(nowhere.said()).toMatch(/could not start: .*ECONNREFUSED/)
    expect(nowhere.said()).not.toContain('hunter2')
  }, 30_000)

  it('says of a folder that can not be written that it is the folder, and not the port', async () => {
    // Nobody makes a folder there, the superuser neither.
    const server = startServer({ DATABASE_URL: '', MALLET_DATA: '/sys/mallet' })
    expect(await server.ended).toBe(1)
    expect(server.said()).toMatch(/E(ACCES|PERM|ROFS).*The data folder must be writable/)
    expect(server.said()).not.toMatch(/HOST|PORT/)
  }, 30_000)
})

onlyOn('lite')('killed in the middle of batch approvals over HTTP', () => {
  const BATCHES = 5
  const ROWS = 6
  type Batch = { key: string; tasks: { id: number; version: number }[] }

  it('server or database: nothing acknowledged is lost, nothing is half done, and what is sent again by its key is done once', async () => {
    const data = join(folder, 'killed')
    mkdirSync(data)
    const copy = await copyOfTemplate()
    cpSync(copy.options.folder!, join(data, 'database'), { recursive: true })
    await copy.remove()
    const database = await openDatabase({ folder: join(data, 'database') })
    const batches: Batch[] = []
    for (let n = 0; n < BATCHES * 2; n++) {
      const tasks = []
      for (let row = 0; row < ROWS; row++) {
        const { id, version } = await freshTask(database)
        tasks.push({ id, version })
      }
      batches.push({ key: `operations-${n}`, tasks })
    }
    await database.close()
    const settings = { MALLET_DATA: data, MALLET_SIMULATOR: 'off' }
    const send = (address: string, token: string, { key, tasks }: Batch) =>
      ask(address, 'audit/bulks/batchApprove', { token, key, body: { tasks } })
    /** As a client does that is told to come again: the same key until it is taken. */
    const sentUntilTaken = async (address: string, token: string, batch: Batch) => {
      for (const end = Date.now() + 20_000; ;) {
        const said = await send(address, token, batch)
        if (said.status !== 503 || Date.now() > end) return said
        await later(200)
      }
    }
    const acked = (batch: Batch, said: Answered) =>
      expect([said.status, (said.data as { ok: number[] }).ok]).toEqual([
        200,
        batch.tasks.map(task => task.id),
      ])

    const first = startServer(settings)
    const token = await signIn(await first.ready, 'supervisor', 'Mallet#2026')
    const early = batches.slice(0, BATCHES)
    const done = new Map<Batch, Answered>()
    const lost = await new Promise<number>(resolve => {
      let left = BATCHES
      let failed = 0
      const settle = () => {
        if (--left === 0) resolve(failed)
      }
      first.ready.then(
        address => {
          for (const batch of early)
            send(address, token, batch).then(
              said => {
                if (done.size === 0) first.kill('SIGKILL')
                done.set(batch, said)
                settle()
              },
              () => {
                failed++
                settle()
              },
            )
        },
        () => {},
      )
    })
    // Otherwise the kill came when all was over, and proves nothing.
    expect(lost).toBeGreaterThan(0)
    for (const [batch, said] of done) acked(batch, said)

    const second = startServer(settings)
    const address = await second.ready
    for (const batch of early) acked(batch, await send(address, token, batch))

    const late = batches.slice(BATCHES)
    const { pid } = JSON.parse(readFileSync(join(data, 'database.lock'), 'utf8')) as { pid: number }
    let killed = false
    const kill = () => {
      if (!killed) {
        killed = true
        process.kill(pid, 'SIGKILL')
      }
    }
    const answers = await Promise.all(
      late.map(batch =>
        send(address, token, batch).then(said => {
          kill()
          return said
        }),
      ),
    )
    const refused = answers.filter(said => said.status !== 200)
    expect(refused.length).toBeGreaterThan(0)
    for (const said of refused)
      expect([said.http, said.status, said.headers.get('retry-after'), said.message]).toEqual([
        503,
        503,
        '3',
        expect.stringMatching(/[一-鿿]/),
      ])
    for (const end = Date.now() + 20_000; !(await fetch(`${address}/healthz`)).ok;) {
      if (Date.now() > end) throw new Error(`it did not come back: ${second.said()}`)
      await later(50)
    }
    for (const [at, batch] of late.entries()) {
      if (answers[at]!.status === 200) acked(batch, answers[at]!)
      acked(batch, await sentUntilTaken(address, token, batch))
    }
    second.kill('SIGTERM')
    expect(await second.ended).toBe(0)

    const after = await openDatabase({ folder: join(data, 'database') })
    const ids = batches.flatMap(batch => batch.tasks.map(task => task.id))
    const rows = await after.db.execute<{
      id: number
      state: string
      version: number
      live: boolean
      lives: number
      logs: number
    }>(sql`
      select t.id, t.state, t.version, p.live_version = t.product_version and p.state = 'on_sale' as live,
        (select count(*)::int from product_version v where v.product_id = t.product_id and v.state = 'live' and v.no = t.product_version) lives,
        (select count(*)::int from op_log l where l.object_type = 'audit_task' and l.object_id = t.id and l.result = 'ok') logs
      from audit_task t join product p on p.id = t.product_id where t.id in ${ids} order by t.id`)
    const versions = new Map(
      batches.flatMap(batch => batch.tasks.map(task => [task.id, task.version])),
    )
    expect(rows.rows).toEqual(
      ids
        .sort((a, b) => a - b)
        .map(id => ({
          id,
          state: 'approved',
          version: versions.get(id)! + 1,
          live: true,
          lives: 1,
          logs: 1,
        })),
    )
    await after.close()
  }, 180_000)
})
