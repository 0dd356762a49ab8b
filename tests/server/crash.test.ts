import { spawn, type ChildProcess } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { openDatabase } from '#src/server/db/database.ts'
import { copyOfTemplate, onlyOn } from '../farm.ts'

const writer = join(import.meta.dirname, '../farm/writer.ts')
const running = new Set<ChildProcess>()
afterEach(() => {
  for (const child of running) child.kill('SIGKILL')
  running.clear()
})

/** A writing server; `acked` grows as it says what was acknowledged. */
const startWriter = (folder: string, first = 1) => {
  const child = spawn(process.execPath, ['--import', 'tsx', writer, folder, String(first)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.add(child)
  const acked = new Set<number>()
  let rest = ''
  child.stdout.on('data', (chunk: Buffer) => {
    const lines = (rest + String(chunk)).split('\n')
    rest = lines.pop()!
    for (const line of lines) acked.add(Number(line))
  })
  let said = ''
  child.stderr.on('data', (chunk: Buffer) => {
    said += String(chunk)
  })
  return { child, acked, said: () => said }
}
const later = (ms: number) => new Promise(resolve => setTimeout(resolve, ms))
const until = async (what: () => boolean, ms = 40_000, said?: () => string) => {
  for (const end = Date.now() + ms; !what();) {
    if (Date.now() > end) throw new Error(`waited in vain: ${said?.() ?? ''}`)
    await later(5)
  }
}
const holder = (folder: string) =>
  JSON.parse(readFileSync(`${folder}.lock`, 'utf8')) as { pid: number; parent: number }
const alive = (pid: number) => {
  try {
    process.kill(pid, 0)
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ')
  } catch {
    return false
  }
}
/** Batches there are; throws when one is there in part. */
const batches = async (folder: string) => {
  const database = await openDatabase({ folder })
  const { rows } = await database.pool.query<{ batch: number; lines: string }>(
    'select batch, count(*) as lines from crash group by batch',
  )
  await database.close()
  expect(rows.filter(row => Number(row.lines) !== 20)).toEqual([])
  return new Set(rows.map(row => row.batch))
}

onlyOn('lite')('a crash', () => {
  it('of the server loses nothing acknowledged and leaves nothing half done; its database ends with it', async () => {
    const {
      options: { folder },
      remove,
    } = await copyOfTemplate()
    const acked = new Set<number>()
    for (let round = 0; round < 3; round++) {
      const server = startWriter(folder!, 1 + round * 100_000)
      await until(() => server.acked.size > 20 + round * 17)
      const child = holder(folder!).pid
      server.child.kill('SIGKILL')
      await until(() => !alive(child), 5000)
      await later(20)
      for (const batch of server.acked) acked.add(batch)
      const found = await batches(folder!)
      expect([...acked].filter(batch => !found.has(batch))).toEqual([])
    }
    expect(acked.size).toBeGreaterThan(100)
    await remove()
  }, 240_000)

  it('of the database loses nothing acknowledged, and the server goes on by itself', async () => {
    const {
      options: { folder },
      remove,
    } = await copyOfTemplate()
    const server = startWriter(folder!)
    for (let round = 0; round < 3; round++) {
      const before = server.acked.size
      await until(() => server.acked.size > before + 20, 40_000, server.said)
      const { pid } = holder(folder!)
      process.kill(pid, 'SIGKILL')
      await until(
        () => existsSync(`${folder}.lock`) && holder(folder!).pid !== pid,
        40_000,
        server.said,
      )
      const stood = server.acked.size
      await until(() => server.acked.size > stood, 40_000, server.said)
    }
    expect(server.child.exitCode).toBeNull()
    server.child.kill('SIGKILL')
    await later(200)
    const found = await batches(folder!)
    expect([...server.acked].filter(batch => !found.has(batch))).toEqual([])
    await remove()
  }, 240_000)
})

onlyOn('lite')('the lock of the data folder', () => {
  it('refuses a second server and names the first', async () => {
    const {
      options: { folder },
    } = await copyOfTemplate()
    const server = startWriter(folder!)
    await until(() => server.acked.size > 0)
    await expect(openDatabase({ folder: folder! })).rejects.toThrow(
      new RegExp(`in use by process ${server.child.pid}`),
    )
    const second = startWriter(folder!)
    await until(() => second.child.exitCode !== null)
    expect(second.child.exitCode).toBe(1)
    expect(second.said()).toContain(`in use by process ${server.child.pid}`)
    server.child.kill('SIGKILL')
  }, 120_000)

  it("is taken over from a process that is gone, even when its number is somebody else's now", async () => {
    const {
      options: { folder },
    } = await copyOfTemplate()
    writeFileSync(
      `${folder}.lock`,
      JSON.stringify({ pid: process.pid, pid_began: '1', parent: process.pid, parent_began: '1' }),
    )
    const database = await openDatabase({ folder: folder! })
    expect((await database.pool.query('select 1 as one')).rows).toEqual([{ one: 1 }])
    await database.close()
    expect(existsSync(`${folder}.lock`)).toBe(false)
  }, 120_000)

  it('is taken over from a database that hangs after its server died', async () => {
    const {
      options: { folder },
    } = await copyOfTemplate()
    const server = startWriter(folder!)
    await until(() => server.acked.size > 0)
    const { pid } = holder(folder!)
    process.kill(pid, 'SIGSTOP')
    server.child.kill('SIGKILL')
    await later(300)
    expect(alive(pid)).toBe(true)
    const database = await openDatabase({ folder: folder! })
    expect(alive(pid)).toBe(false)
    await database.close()
  }, 120_000)
})
