// Run @embedded too: a file is read by a cursor of one transaction.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { eq, sql } from 'drizzle-orm'
import { strFromU8, unzipSync } from 'fflate'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { readMarkWord } from '#src/areas/export/fileMark.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { field_key, role } from '#src/areas/people/people.table.ts'
import { write } from '#src/contract/call.ts'
import { asksExport, exportBegun } from '#src/contract/shapes.ts'
import { defused } from '#src/domain/csv.ts'
import { unixNow } from '#src/domain/time.ts'
import { exports } from '#src/modules/export/contract.ts'
import exportModule from '#src/modules/export/server.ts'
import { implement } from '#src/server/call/implement.ts'
import type { Database } from '#src/server/db/database.ts'
import { defineExport, startExport, type ExportRow } from '#src/server/exports/exports.ts'
import { openExportWorker } from '#src/server/exports/exportWorker.ts'
import { cellOf, csvSheet, xlsxSheet } from '#src/server/exports/sheets.ts'
import { buildApp, type App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openEvents } from '#src/server/live/events.ts'
import { endSessionsOf } from '#src/server/sessions/sessions.ts'
import { openCopy, onlyOn } from '../farm.ts'
import { temporaryFolder } from '../farm/temporary.ts'
import { addStaff, openApp, send } from '../help/app.ts'
import { toldTo } from '../help/told.ts'

const bad = ['=1+1', '+cmd|calc', '-2+3', '@SUM(A1)', '\t=1', '\r=1', '＝1+1', '＋1', '－1', '＠a']
const plain = [
  '普通, "引号"\n换行',
  '600000000000000001',
  '<b>&amp;</b>',
  '😀 emoji',
  '_x0041_',
  'a\u0001b',
]
const text = [...bad, ...plain]

// An export of the test's own: rows by number, with what a spreadsheet must not swallow.
const total = { rows: 5000 }
const pauses: { at?: number; until?: Promise<void>; reached?: () => void } = {}
const rowOf = (n: number): ExportRow => ({
  n,
  title: text[n % text.length],
  phone: '13812345678',
  cost_cents: -n * 100 - 5,
  at: 1_790_000_000 + n,
})
defineExport('test.rows', {
  title: ['测试导出', 'Test export'],
  permit: 'test.rows.export',
  columns: [
    { key: 'n', title: ['编号', 'No.'], kind: 'number' },
    { key: 'title', title: ['标题', 'Title'] },
    { key: 'phone', title: ['手机', 'Phone'], field: 'x.phone' },
    { key: 'cost_cents', title: ['成本', 'Cost'], kind: 'money', field: 'x.cost' },
    { key: 'at', title: ['时间', 'Time'], kind: 'time' },
  ],
  rows: async ({ filters, after, limit }) => {
    const from = (after as number | undefined) ?? 0
    if (filters['fail']) throw new Error('CANARY-broken')
    if (pauses.at !== undefined && from >= pauses.at) {
      pauses.reached?.()
      await pauses.until
    }
    const rows = Array.from({ length: Math.min(limit, total.rows - from) }, (_, i) =>
      rowOf(from + i),
    )
    return { rows, next: from + rows.length }
  },
})
// And one of a table that changes while it is read.
const between: { at?: number; happens?: () => Promise<unknown> } = {}
defineExport('test.members', {
  title: ['会员', 'Members'],
  permit: 'test.rows.export',
  batch: 20,
  columns: [
    { key: 'id', title: ['编号', 'ID'] },
    { key: 'nickname', title: ['昵称', 'Name'] },
  ],
  rows: async ({ db, after, limit }) => {
    const rows = await db
      .select({ id: member.id, nickname: member.nickname })
      .from(member)
      .where(sql`${member.id} > ${Number(after ?? 0)}`)
      .orderBy(member.id)
      .limit(limit)
    if (after !== undefined) {
      const { happens } = between
      delete between.happens
      await happens?.()
    }
    return { rows, next: rows.length < limit ? undefined : rows.at(-1)?.id }
  },
})
const call = write('test/export', ['导出', 'Export'], {
  input: z.object({
    n: z.int().default(0),
    fail: z.boolean().optional(),
    ...asksExport('csv'),
    expect: z.int().default(5000),
  }),
  output: exportBegun,
  touches: ['export'],
  scope: 'all',
  permit: 'test.rows.export',
})
// A write that begins no export.
const other = write('test/other', ['其他', 'Other'], {
  input: z.object({}),
  output: z.object({}),
  touches: [],
  scope: 'all',
  permit: 'signed-in',
  quiet: true,
})
const carriedOut = { times: 0 }
const testModule = implement(
  { export: call, other },
  {
    other: async () => {
      carriedOut.times++
      return {}
    },
    export: ({ n, fail, ids, columns, format, expect: rows_expected }, context) =>
      startExport(context, {
        page: 'test.rows',
        filters: { n, ...(fail && { fail }), ...(ids && { ids }) },
        filters_text: `n = ${n}`,
        rows_expected: ids?.length ?? rows_expected,
        format,
        columns,
      }),
  },
)

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database, { modules: [testModule, exportModule] })
  await app.startJobs()
  await database.db.insert(field_key).values([
    { key: 'x.phone', title: '手机', entity: 'x', mask_rule: 'phone', default_mode: 'mask' },
    { key: 'x.cost', title: '成本', entity: 'x', mask_rule: 'amount', default_mode: 'hide' },
  ])
})
const person = (more: object = {}) =>
  addStaff(database, { perms: ['test.rows.export'], role: more })
type Person = Awaited<ReturnType<typeof person>>
const start = (one: Person, input: object = {}) => send(app, call, input, { token: one.token })
const jobOf = async (one: Person, job: number) =>
  (await send(app, exports.mine, { ids: [job] }, { token: one.token })).data.list[0]
const until = async (one: Person, job: number, state: string) => {
  for (let i = 0; i < 200; i++) {
    const now = await jobOf(one, job)
    if (now.state === state) return now
    await new Promise(resolve => setTimeout(resolve, 25))
  }
  throw new Error(`the job is ${(await jobOf(one, job)).state}, not ${state}`)
}
const linkOf = async (one: Person, job_id: number) =>
  send(app, exports.link, { id: job_id }, { token: one.token })
const fetchFile = async (url: string) => app.fastify.inject({ method: 'GET', url })
const fileOf = async (one: Person, input: object = {}) => {
  const { data } = await start(one, input)
  await until(one, data.job_id, 'done')
  const fetched = await fetchFile((await linkOf(one, data.job_id)).data.url)
  expect(fetched.statusCode).toBe(200)
  return fetched
}

describe('a cell', () => {
  it.each(bad)('that begins a formula is defused in CSV: %j', value =>
    expect(defused(value)).toBe(`'${value}`),
  )
  it('shows money as yuan, time as Shanghai time, nothing as nothing', () => {
    expect([
      cellOf(-12345, 'money'),
      cellOf(1_790_000_000, 'time'),
      cellOf(null, 'text'),
      cellOf(['a', 'b'], 'text'),
    ]).toEqual([{ n: -123.45, style: 'money' }, '2026-09-21 22:13:20', null, 'a、b'])
    expect(cellOf(['a', 'b'], 'text', 'en')).toBe('a, b')
  })
  it('keeps a long number whole, in CSV as text', () => {
    const csv = Buffer.concat(
      csvSheet(['x']).rows([['600000000000000001'], ['a"b'], [{ n: -1.5, style: 'money' }]]),
    ).toString()
    expect(csv).toBe('\t600000000000000001\r\n"a""b"\r\n-1.50\r\n')
  })
  it('of several lines stays one cell in CSV, whatever ends them', () => {
    const csv = Buffer.concat(
      csvSheet(['x', 'y']).rows([
        ['a\nb', 'c\rd'],
        ['e\r\nf', null],
        [' g ', 'h,i'],
      ]),
    ).toString()
    expect(csv).toBe('"a\nb","c\rd"\r\n"e\r\nf",\r\n g ,"h,i"\r\n')
  })
})

describe('an export', () => {
  it('writes every row once as CSV, masked and without hidden columns, and names the file in Chinese', async () => {
    const one = await person()
    const fetched = await fileOf(one)
    expect(await toldTo(database, one.id)).toEqual([['测试导出导出完成，共 5,000 行', '']])
    expect(fetched.headers['content-disposition']).toContain(
      `filename*=UTF-8''${encodeURIComponent('测试导出')}`,
    )
    const csv = fetched.body
    expect(csv).toMatch(/^\uFEFF"?编号"?,标题,手机,时间\r\n/)
    expect([...csv.matchAll(/138\*{4}5678/g)]).toHaveLength(5000)
    expect(csv).not.toContain('13812345678')
    for (const value of bad) expect(csv).toContain(`'${value}`.replace(/"/g, '""'))
    // No cell begins with a formula sign, neither bare nor quoted.
    expect(csv.split('\r\n').filter(line => /(^|,)"?[=+@＝＋－＠]/.test(line))).toEqual([])
  })
  it('writes XLSX whose texts are inline strings and whose numbers are numbers', async () => {
    const one = await person({ field_rules: { 'x.cost': 'show', 'x.phone': 'show' } })
    const files = unzipSync(new Uint8Array((await fileOf(one, { format: 'xlsx' })).rawPayload))
    expect(Object.keys(files)).toContain('xl/workbook.xml')
    const sheet = strFromU8(files['xl/worksheets/sheet1.xml']!)
    expect([...sheet.matchAll(/<row /g)]).toHaveLength(5001)
    expect(sheet).not.toContain('<f>')
    // Its maker and subject stand behind the rows, at the foot of a printed page, and in what a
    // spreadsheet keeps when it saves.
    const [about, core] = [
      strFromU8(files['xl/worksheets/sheet2.xml']!),
      strFromU8(files['docProps/core.xml']!),
    ]
    for (const told of [one.account, 'n = 0', '数据时点']) expect(about).toContain(told)
    expect(sheet).toMatch(
      new RegExp(`<oddFooter>&amp;L${one.account}.*导出.*</oddFooter></headerFooter></worksheet>$`),
    )
    const [{ mark }] = (await database.db
      .select({ mark: export_job.mark })
      .from(export_job)
      .where(eq(export_job.admin_id, one.id))) as [{ mark: string }]
    expect(readMarkWord(core)?.mark).toBe(mark)
    expect(sheet).toContain('<t xml:space="preserve">=1+1</t>')
    expect(sheet).toContain('<c r="D2" s="2"><v>-0.05</v></c>')
    expect(sheet).toContain('&lt;b&gt;&amp;amp;&lt;/b&gt;')
    expect(sheet).toContain('_x005F_x0041_')
    expect(sheet).toContain('ab</t>')
    expect([...sheet.matchAll(/13812345678/g)]).toHaveLength(5000)
  })
  it('tells before it begins how many rows it would have, and what is masked for whoever asks', async () => {
    const one = await person()
    const about = (asked: object) =>
      send(app, exports.about, { path: call.path, asked }, { token: one.token })
    expect((await about({})).data).toEqual({
      rows: 5000,
      format: 'csv',
      columns: [
        { key: 'n', title: '编号', shown: 'show' },
        { key: 'title', title: '标题', shown: 'show' },
        { key: 'phone', title: '手机', shown: 'mask' },
        { key: 'cost_cents', title: '成本', shown: 'hide' },
        { key: 'at', title: '时间', shown: 'show' },
      ],
    })
    expect((await about({ ids: [4, 9] })).data.rows).toBe(2)
    expect((await about({ expect: 'many' })).status).toBe(400)
    expect((await send(app, exports.mine, {}, { token: one.token })).data.total).toBe(0)
    const other = await addStaff(database, { perms: [] })
    const asked = { path: call.path, asked: {} }
    expect((await send(app, exports.about, asked, { token: other.token })).status).toBe(403)
    const strange = { path: exports.mine.path, asked: {} }
    expect((await send(app, exports.about, strange, { token: one.token })).status).toBe(404)
  })
  it('is not told of a call that begins none, which is not carried out', async () => {
    const one = await person()
    const asked = { path: other.path, asked: {} }
    expect((await send(app, exports.about, asked, { token: one.token })).status).toBe(404)
    expect(carriedOut.times).toBe(0)
  })
  it('of some columns writes those, in the order of all; other columns make another file', async () => {
    const one = await person()
    const fetched = await fileOf(one, { columns: ['phone', 'n'] })
    // A cell may stand in quotes, which is the mark of the file.
    const lines = fetched.body.replaceAll('"', '').split('\r\n')
    expect(lines.slice(0, 2)).toEqual(['\uFEFF编号,手机', '0,138****5678'])
    const jobs = await Promise.all([['n'], ['n', 'at']].map(columns => start(one, { columns })))
    expect(new Set(jobs.map(job => job.data.job_id)).size).toBe(2)
    expect(await start(one, { columns: ['n', 'password'] })).toMatchObject({
      status: 400,
      data: { fields: { columns: '没有这一列' } },
    })
  })
  it('of the same filters while one waits or runs is that one; three run at a time', async () => {
    const one = await person()
    let go!: () => void
    Object.assign(pauses, {
      at: 0,
      until: new Promise<void>(resolve => {
        go = resolve
      }),
    })
    const first = await start(one, { n: 1 })
    expect((await start(one, { n: 1 })).data.job_id).toBe(first.data.job_id)
    const others = await Promise.all([2, 3, 4, 5].map(n => start(one, { n })))
    expect(others.map(other => other.status).sort()).toEqual([200, 200, 422, 422])
    expect(others.find(other => other.status === 422)!.data.rule).toBe('export_busy')
    delete pauses.at
    go()
    for (const other of others)
      if (other.status === 200) await until(one, other.data.job_id, 'done')
    expect((await start(one, { n: 1 })).data.job_id).not.toBe(first.data.job_id)
    expect(await start(one, { n: 9, expect: 1_000_001 })).toMatchObject({
      status: 422,
      data: { rule: 'export_too_large' },
    })
  })
  it('can be cancelled while it runs, shows progress, and leaves no file', async () => {
    const one = await person()
    let go!: () => void
    const reached = new Promise<void>(resolve => {
      pauses.reached = resolve
    })
    Object.assign(pauses, {
      at: 500,
      until: new Promise<void>(resolve => {
        go = resolve
      }),
    })
    const { data } = await start(one, { n: 20 })
    await reached
    expect(
      (await send(app, exports.cancel, { id: data.job_id }, { token: one.token })).data.state,
    ).toBe('cancelled')
    delete pauses.at
    go()
    await new Promise(resolve => setTimeout(resolve, 200))
    expect((await jobOf(one, data.job_id)).state).toBe('cancelled')
    expect((await linkOf(one, data.job_id)).status).toBe(422)
    expect(
      (await send(app, exports.cancel, { id: data.job_id }, { token: one.token })).status,
    ).toBe(422)
  })
  it('that fails says so without our insides, and can be made again', async () => {
    const one = await person()
    const { data } = await start(one, { fail: true })
    const failed = await until(one, data.job_id, 'failed')
    expect(failed.error).not.toContain('CANARY')
    expect(
      (await send(app, exports.retry, { id: data.job_id }, { token: one.token })).data.state,
    ).toBe('queued')
    await until(one, data.job_id, 'failed')
  })
  it('is its owner’s only', async () => {
    const [one, two] = [await person(), await person()]
    const { data } = await start(one)
    await until(one, data.job_id, 'done')
    for (const act of [exports.link, exports.cancel, exports.retry])
      expect((await send(app, act, { id: data.job_id }, { token: two.token })).status).toBe(404)
    expect((await send(app, exports.mine, {}, { token: two.token })).data).toEqual({
      list: [],
      total: 0,
    })
  })
  it('is fetched by a link that can be neither guessed nor changed nor used late', async () => {
    const one = await person()
    const { data } = await start(one)
    await until(one, data.job_id, 'done')
    const { url } = (await linkOf(one, data.job_id)).data
    expect((await fetchFile(url)).statusCode).toBe(200)
    for (const other of [
      url.replace(/job=\d+/, `job=${data.job_id + 1}`),
      url.replace(/until=\d+/, `until=${unixNow() + 9999}`),
      url.replace(/sign=(.)/, (_: string, first: string) => `sign=${first === 'A' ? 'B' : 'A'}`),
      url.replace(/&sign=.*/, ''),
      '/api/manageback/export/file',
    ]) {
      expect((await fetchFile(other)).json().status).toBe(410)
    }
    expect((await jobOf(one, data.job_id)).downloads).toBe(1)
    // A stricter field rule since withholds the file; so does a right taken away.
    await database.db
      .update(role)
      .set({ field_rules: { 'x.phone': 'hide' } })
      .where(eq(role.id, one.role_id))
    expect((await fetchFile(url)).statusCode).toBe(410)
    await database.db
      .update(role)
      .set({ field_rules: {}, perms: [] })
      .where(eq(role.id, one.role_id))
    expect((await fetchFile(url)).statusCode).toBe(403)
  })
  it('is no longer fetched by a link whose session has ended', async () => {
    const one = await person()
    const { data } = await start(one)
    await until(one, data.job_id, 'done')
    const { url } = (await linkOf(one, data.job_id)).data
    await endSessionsOf(database.db, one.id, 'logout', unixNow())
    expect((await fetchFile(url)).statusCode).toBe(410)
  })
  it('goes on after its process died, and after a restart', async () => {
    const one = await person()
    let go!: () => void
    const reached = new Promise<void>(resolve => {
      pauses.reached = resolve
    })
    Object.assign(pauses, {
      at: 500,
      until: new Promise<void>(resolve => {
        go = resolve
      }),
    })
    const { data } = await start(one, { n: 30 })
    await reached
    // What a killed process leaves: a job that runs, and nobody who writes it.
    await database.db
      .update(export_job)
      .set({ version: sql`version + 1`, beat_at: unixNow() - 100 })
      .where(eq(export_job.id, data.job_id))
    delete pauses.at
    const folder = temporaryFolder('exports')
    const worker = await openExportWorker({
      database,
      events: await openEvents(),
      folder,
      log: openLog('silent'),
    })
    await worker.sweep()
    const done = await until(one, data.job_id, 'done')
    // And if it was only slow: what it still does changes nothing.
    go()
    await new Promise(resolve => setTimeout(resolve, 100))
    expect(await jobOf(one, data.job_id)).toEqual(done)
    expect(done.rows_done).toBe(5000)
    expect(readdirSync(folder)).toEqual([`${data.job_id}-${done.version}.csv`])
    // After seven days it is gone, file and all.
    await database.db
      .update(export_job)
      .set({ expires_at: unixNow() - 1 })
      .where(eq(export_job.id, data.job_id))
    await worker.sweep()
    expect((await jobOf(one, data.job_id)).state).toBe('expired')
    expect(readdirSync(folder)).toEqual([])
    await worker.close()
  })
  it('handed back at a shutdown is done by the next start', async () => {
    const one = await person()
    const folder = temporaryFolder('exports')
    const second = await buildApp({ database, modules: [testModule, exportModule], folder })
    const reached = new Promise<void>(resolve => {
      pauses.reached = resolve
    })
    let go!: () => void
    Object.assign(pauses, {
      at: 500,
      until: new Promise<void>(resolve => {
        go = resolve
      }),
    })
    const { data } = await start(one, { n: 40 })
    await reached
    const closed = app.close()
    delete pauses.at
    go()
    await closed
    expect(
      (await database.db.select().from(export_job).where(eq(export_job.id, data.job_id)))[0]!.state,
    ).toBe('queued')
    const worker = await openExportWorker({
      database,
      events: second.events,
      folder: join(folder, 'exports'),
      log: openLog('silent'),
    })
    await worker.work()
    expect(
      (await database.db.select().from(export_job).where(eq(export_job.id, data.job_id)))[0],
    ).toMatchObject({ state: 'done', rows_done: 5000 })
    await worker.close()
    await second.close()
  })
})

onlyOn('postgres')('of an export on PostgreSQL', () => {
  const job = async (page: string, more: Partial<typeof export_job.$inferInsert> = {}) => {
    const [one] = await database.db
      .insert(export_job)
      .values({
        admin_id: (await person()).id,
        page,
        filters: {},
        filters_hash: crypto.randomUUID(),
        format: 'csv',
        rows_expected: 1,
        ...more,
      })
      .returning()
    return {
      ...one!,
      now: async () =>
        (await database.db.select().from(export_job).where(eq(export_job.id, one!.id)))[0]!,
    }
  }
  const workerIn = async (folder: string) =>
    openExportWorker({ database, events: await openEvents(), folder, log: openLog('silent') })

  it('all rows are of the instant it began at, whatever changes, comes and goes meanwhile', async () => {
    const folder = temporaryFolder('exports')
    const come = (id: number, nickname: string) =>
      database.db.execute(
        sql`insert into member (id, uid, nickname, phone, city_id, register_at) values (${id}, ${`u${id}`}, ${nickname}, '13900000000', 1, 1)`,
      )
    await come(900_000, '要走的')
    const then = await database.db
      .select({ id: member.id, nickname: member.nickname })
      .from(member)
      .orderBy(member.id)
    expect(then.length).toBeGreaterThan(60)
    between.happens = async () => {
      await database.db.update(member).set({ nickname: '改名了' })
      await database.db.delete(member).where(eq(member.id, 900_000))
      await come(900_001, '新来的')
    }
    const one = await job('test.members')
    const worker = await workerIn(folder)
    await worker.work()
    const done = await one.now()
    expect([done.state, between.happens]).toEqual(['done', undefined])
    const lines = readFileSync(join(folder, done.file_key!), 'utf8').trim().split('\r\n').slice(1)
    expect(lines.map(line => line.replace(/^"(.*?)"/, '$1'))).toEqual(
      then.map(row => `${row.id},${row.nickname}`),
    )
    // The next one is of its own instant.
    const next = await job('test.members')
    await worker.work()
    expect(
      readFileSync(join(folder, (await next.now()).file_key!), 'utf8').match(
        /改名了|要走的|新来的/g,
      ),
    ).toEqual([...then.slice(1).map(() => '改名了'), '新来的'])
    await worker.close()
  })
  it('whose process is killed in the middle, another begins again from nothing and says so; after the third time it is given up', async () => {
    const folder = temporaryFolder('exports')
    const one = await job('test.slow')
    const killed = async () => {
      const child = spawn(
        process.execPath,
        [
          '--import',
          './src/source.mjs',
          join(import.meta.dirname, '../farm/exporter.ts'),
          database.pool.options.connectionString!,
          folder,
        ],
        { stdio: ['ignore', 'pipe', 'inherit'] },
      )
      await once(child.stdout, 'data')
      const left = await one.now()
      child.kill('SIGKILL')
      await once(child, 'exit')
      return left
    }
    expect(await killed()).toMatchObject({ state: 'running', runs: 1 })
    expect(readdirSync(folder)).toEqual([`${one.id}-1.csv.part`])
    // Half a minute of silence, and it is anybody's.
    const silent = () =>
      database.db
        .update(export_job)
        .set({ beat_at: unixNow() - 31 })
        .where(eq(export_job.id, one.id))
    await silent()
    defineExport('test.slow', {
      title: ['慢导出', 'Slow export'],
      permit: 'test.rows.export',
      columns: [{ key: 'n', title: ['编号', 'No.'] }],
      rows: () => Promise.resolve({ rows: [{ n: 'whole' }], next: undefined }),
    })
    const worker = await workerIn(folder)
    await worker.sweep()
    const done = await one.now()
    expect(done).toMatchObject({ state: 'done', runs: 2, rows_done: 1 })
    expect(readFileSync(join(folder, done.file_key!), 'utf8')).toContain('whole')
    // Never a third half: what ends its process each time is not begun for ever.
    const poison = await job('test.slow', { state: 'running', runs: 3, beat_at: unixNow() - 31 })
    await worker.sweep()
    expect(await poison.now()).toMatchObject({
      state: 'failed',
      error: expect.stringContaining('中断'),
    })
    await worker.close()
  })
})

describe('a large sheet', () => {
  it('is written in constant memory', () => {
    const sheet = xlsxSheet(['a', 'b', 'c'], 'large')
    let bytes = 0
    let peak = 0
    const base = process.memoryUsage().rss
    const take = (chunks: Uint8Array[]) => {
      for (const chunk of chunks) bytes += chunk.length
    }
    take(sheet.head())
    for (let i = 0; i < 100; i++) {
      take(
        sheet.rows(
          Array.from({ length: 2000 }, (_, n) => [
            `标题 ${i * 2000 + n}`,
            { n: n / 7, style: 'money' as const },
            '2026-11-20 00:00:00',
          ]),
        ),
      )
      peak = Math.max(peak, process.memoryUsage().rss - base)
    }
    take(sheet.end())
    expect(bytes).toBeGreaterThan(1_000_000)
    expect(peak).toBeLessThan(150 * 1024 * 1024)
  })
})
