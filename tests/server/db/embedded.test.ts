import { spawnSync } from 'node:child_process'
import { existsSync, rmSync, statSync } from 'node:fs'
import net from 'node:net'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { afterAll, afterEach, expect, it } from 'vitest'
import { openDatabase, type Database, type DatabaseOptions } from '#src/server/db/database.ts'
import { faultOf } from '#src/server/db/faults.ts'
import { copyOfTemplate, onlyOn } from '../../farm.ts'

const opened: Database[] = []
const open = async (more: Partial<DatabaseOptions> = {}) => {
  const copy = await copyOfTemplate()
  const said: string[] = []
  const options = { ...copy.options, say: (line: string) => void said.push(line), ...more }
  const database = await openDatabase(options)
  opened.push(database)
  return { database, said, folder: copy.options.folder!, socket: `${copy.options.folder!}.run` }
}
afterEach(async () => {
  for (const database of opened.splice(0)) await database.close()
})
/** One for all that leave it as it was: a start takes a second. */
let calm: ReturnType<typeof open> | undefined
const shared = () => (calm ??= open().finally(() => void opened.pop()))
afterAll(async () => {
  await (await calm)?.database.close()
})
/** The process that has the folder's lock. */
const childOf = (folder: string) =>
  Number(JSON.parse(spawnSync('cat', [`${folder}.lock`], { encoding: 'utf8' }).stdout).pid)
const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))

onlyOn('lite')('the embedded database', () => {
  it('syncs a commit to the disk, has counted that, and says so', async () => {
    const { database, said, socket } = await shared()
    expect(database.state()).toMatchObject({
      mode: 'embedded',
      answering: true,
      durable: true,
      read_only: false,
    })
    expect(database.state().fsyncs_per_commit).toBeGreaterThanOrEqual(1)
    expect(said.join()).toMatch(/durable: \d fsync/)
    expect(statSync(socket).mode & 0o777).toBe(0o700)
  })

  it('ends with a word where its folder is taken away, and puts no empty one in its place', async () => {
    const { said, folder } = await open()
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
    await expect
      .poll(() => said.filter(line => line.includes(`the folder ${folder} is gone`)).length, {
        timeout: 10_000,
      })
      .toBeGreaterThan(1)
    expect(existsSync(folder)).toBe(false)
  })

  it('never runs the statement of another connection, however a query is cut up', async () => {
    const { socket } = await shared()
    const line = net.connect(`${socket}/.s.PGSQL.5432`)
    const got: Buffer[] = []
    line.on('data', chunk => got.push(chunk))
    line.write(serialize.startup({ user: 'postgres', database: 'postgres' }))
    await later(200)
    // Parse now, Bind and the rest later: what a long query looks like when it comes in two chunks.
    line.write(serialize.parse({ text: 'select 41 + $1::int' }))
    const other = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' })
    await other.connect()
    expect((await other.query('select $1::text as mine', ['b'])).rows).toEqual([{ mine: 'b' }])
    line.write(
      Buffer.concat([serialize.bind({ values: ['1'] }), serialize.execute({}), serialize.sync()]),
    )
    await later(200)
    expect(Buffer.concat(got).toString('latin1')).toContain('\x0242C')
    await other.end()
    line.destroy()
  })

  it('keeps long queries of many connections apart', async () => {
    const { database } = await shared()
    const answers = await Promise.all(
      Array.from({ length: 60 }, async (_, i) => {
        const long = 'y'.repeat(i % 2 ? 300_000 : 3)
        const { rows } = await database.pool.query(
          `select $1::int as i, length($2::text) as n, length('${'z'.repeat(i % 3 ? 200_000 : 1)}') as m`,
          [i, long],
        )
        return rows[0].i === i && rows[0].n === long.length
      }),
    )
    expect(answers).toEqual(Array.from({ length: 60 }, () => true))
  })

  it('undoes the transaction of a connection that goes away in the middle', async () => {
    const { database, socket } = await shared()
    await database.pool.query('create table gone (a int)')
    const client = new pg.Client({ host: socket, user: 'postgres', database: 'postgres' })
    await client.connect()
    client.on('error', () => {})
    await client.query('begin')
    await client.query('insert into gone values (1)')
    ;(client as unknown as { connection: { stream: net.Socket } }).connection.stream.destroy()
    expect(Number((await database.pool.query('select count(*) from gone')).rows[0].count)).toBe(0)
  })

  it('is killed and started again when it hangs; who waits is told within 3 s', async () => {
    const opening = Date.now()
    const { database, said, folder } = await open()
    const start = Date.now() - opening
    const child = childOf(folder)
    // Stopped dead: to the watchdog no different from spinning.
    process.kill(child, 'SIGSTOP')
    const began = Date.now()
    const fault = await database.pool.query('select 1').catch(faultOf)
    expect(fault).toMatchObject({ kind: 'unavailable' })
    expect(Date.now() - began).toBeLessThan(3000 + 3 * start)
    while (!database.state().restarts || !database.state().answering) await later(50)
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(childOf(folder)).not.toBe(child)
    // Five seconds of silence and a start, as long as starts take here now.
    expect(Date.now() - began).toBeLessThan(7000 + 3 * start)
    expect(said.join()).toMatch(/has not answered/)
  })

  it('is not taken for hanging while the machine gives neither of the two its time', async () => {
    const { database, folder, said } = await shared()
    const child = childOf(folder)
    process.kill(child, 'SIGSTOP')
    // It is being asked, and cannot answer; then nothing runs for longer than it may be silent.
    await later(700)
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 3000)
    process.kill(child, 'SIGCONT')
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect([childOf(folder), database.state().restarts, said.join()]).toEqual([
      child,
      0,
      expect.not.stringMatching(/has not answered/),
    ])
  })

  it('refuses writes when the disk is nearly full, and goes on reading', async () => {
    const { database, said } = await open({ minFreeBytes: Number.MAX_SAFE_INTEGER })
    expect(database.state().read_only).toBe(true)
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(await database.pool.query('create table t (a int)').catch(faultOf)).toMatchObject({
      kind: 'full',
    })
    expect(
      await database.transaction(tx => tx.execute('create table t (a int)')).catch(faultOf),
    ).toMatchObject({ kind: 'full' })
    expect(said.join()).toMatch(/writes are refused/)
  })

  it('replaces an engine that broke instead of waiting for it', async () => {
    const { database, said } = await open()
    const deep = Array.from({ length: 8000 }, (_, k) => k).join(' + ')
    expect(await database.pool.query(`select ${deep}`).catch(faultOf)).toMatchObject({
      kind: 'unavailable',
    })
    while (!database.state().restarts || !database.state().answering) await later(50)
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    expect(said.join()).toMatch(/starting it again/)
  })
})
