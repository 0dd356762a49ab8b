import { TextWriter, Uint8ArrayReader, ZipReader } from '@zip.js/zip.js'
import { asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { ecard_batch } from '#src/areas/ecard/code.table.ts'
import { activateCode, holdCodes, sellCodes, spendCode } from '#src/areas/ecard/codeLife.server.ts'
import { ecard_attr, ecard_code } from '#src/areas/ecard/ecard.table.ts'
import { idempotency, op_log } from '#src/areas/log/log.table.ts'
import { normalCode } from '#src/areas/secret/secretCode.ts'
import { SLICE } from '#src/areas/secret/slices.server.ts'
import { unixNow } from '#src/domain/time.ts'
import { codeBatches as batchCalls, codes as calls } from '#src/modules/ecard/contract/code.ts'
import { jobs } from '#src/modules/job/contract.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openLog } from '#src/server/http/logging.ts'
import { openRowJobWorker, type RowJobWorker } from '#src/server/jobs/rowJobWorker.ts'
import { openCopy } from '../../farm.ts'
import { atEnd } from '../../farm/ends.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import {
  codeRow,
  facedCard,
  freeCodes,
  orderNo,
  sealerFor,
  type Faced,
} from '../../help/ecardCodes.ts'
import { membersOf } from '../../help/redeem.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let worker: RowJobWorker
let [keeper, second]: Person[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  const role = { field_rules: { 'ecard.card_no': 'show' as const } }
  ;[keeper, second] = await Promise.all(
    [1, 2].map(() => addStaff(database, { perms: ['*'], role })),
  )
  worker = await openRowJobWorker({
    database,
    events: app.events,
    install: app.install,
    log: openLog('silent'),
  })
  atEnd(() => worker.close())
})
const reason = '测试原因'
const call = (what: What, input: object, by = keeper!) =>
  send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = keeper!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = keeper!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message).toBe(422)
  return said.data.rule
}
const made = () => facedCard(database, { source: 'generate' })
const held = async (id: number) => ({ id, version: (await codeRow(database, id)).version })
const codesOf = async ({ face }: Faced) => {
  const sealer = await sealerFor(database)
  const rows = await database.db
    .select()
    .from(ecard_code)
    .where(eq(ecard_code.attr_id, face.id))
    .orderBy(asc(ecard_code.id))
  return rows.map(row => ({ ...row, secret: sealer.open(row.secret_enc, row.secret_hash) }))
}
const batchOf = async (id: number) =>
  (await database.db.select().from(ecard_batch).where(eq(ecard_batch.id, id)))[0]!
const free = async ({ face }: Faced) =>
  (await database.db.select().from(ecard_attr).where(eq(ecard_attr.id, face.id)))[0]!.free_n
const file = (...lines: string[]) => Buffer.from(lines.join('\r\n')).toString('base64')
const bring = (of: Faced, lines: string[]) =>
  done(calls.importCodes, { attr_id: of.face.id, reason, secret_file: file(...lines) })
const worked = async (job_id: number) => {
  await worker.work()
  const { list } = await done(jobs.mine, { ids: [job_id] })
  return list[0]
}
const buy = async (of: Faced) => {
  const [order_id, now] = [orderNo(), unixNow()]
  const sealer = await sealerFor(database)
  return database.transaction(async tx => {
    await holdCodes(tx, sealer, { attr_id: of.face.id, n: 1, order_id, now })
    return (await sellCodes(tx, order_id, now))[0]!.id
  })
}
let lines = 0
const line = () => `IMQ${++lines}Z,SECQ${lines}RET`

describe('codes', () => {
  it('are made in a batch, where the platform makes them', async () => {
    const of = await made()
    const told = await done(calls.generate, { attr_id: of.face.id, count: 3, reason })
    expect(told).toMatchObject({ done: 3, job_id: null })
    expect(await free(of)).toBe(3)
    expect(await batchOf(told.id)).toMatchObject({ done: 3, qty: 3, kind: 'generate' })
    const bought = await facedCard(database)
    const input = { attr_id: bought.face.id, count: 3, reason }
    expect(await rule(calls.generate, input)).toBe('other_source')
    const many = await call(calls.generate, { ...input, count: 50_001 })
    expect(many.status).toBe(400)
  })
  it('of many are a job’s', async () => {
    const of = await made()
    const count = SLICE + 10
    const { id, job_id } = await done(calls.generate, { attr_id: of.face.id, count, reason })
    expect(await worked(job_id)).toMatchObject({ state: 'done', rows_done: 2, rows_failed: 0 })
    expect(await batchOf(id)).toMatchObject({ done: count })
    expect(await free(of)).toBe(count)
  }, 60_000)
  it('come in by a file; lines that are there twice, in stock or no codes are told one by one', async () => {
    const of = await facedCard(database)
    const [first, next] = [line(), line()]
    await bring(of, [first])
    const told = await bring(of, [next, next, 'nonsense', first, line()])
    expect(told).toMatchObject({ done: 2, bad: 3, job_id: null })
    expect((await batchOf(told.id)).errors).toEqual([
      { line: 2, fault: 'number_twice' },
      { line: 3, fault: 'form' },
      { line: 4, fault: 'taken' },
    ])
    expect(await free(of)).toBe(3)
    const [one] = await codesOf(of)
    expect(`${one!.card_no},${one!.secret}`).toBe(first)
    const empty = { attr_id: of.face.id, reason, secret_file: file('', '') }
    expect(await rule(calls.importCodes, empty)).toBe('no_code')
  })
  it('of a large file are a job’s, encrypted while they wait', async () => {
    const of = await facedCard(database)
    const all = Array.from({ length: SLICE + 5 }, line)
    const { id, job_id } = await bring(of, all)
    const { rows } = await database.db.execute<{ text: string }>(
      'select coalesce(string_agg(rows::text, $$ $$), $$$$) as text from row_job_part',
    )
    expect(rows[0]!.text).not.toContain(all[7]!.split(',')[1])
    expect(await worked(job_id)).toMatchObject({ state: 'done', rows_failed: 0 })
    expect(await batchOf(id)).toMatchObject({ done: SLICE + 5, bad_n: 0 })
  }, 60_000)
  it('are in no answer, log or key in clear', async () => {
    const of = await facedCard(database)
    const text = line()
    const secret = text.split(',')[1]!
    const token = keeper!.token
    await send(
      app,
      calls.importCodes,
      { attr_id: of.face.id, reason, secret_file: file(text) },
      { token, key: `import-${of.card.id}` },
    )
    const { list } = await done(calls.lst, { card_id: of.card.id })
    expect(list).toHaveLength(1)
    const kept = await Promise.all(
      [op_log, idempotency, ecard_code].map(table => database.db.select().from(table)),
    )
    const said = JSON.stringify([list, kept])
    for (const hidden of [secret, file(text)]) expect(said.includes(hidden)).toBe(false)
  })
})

describe('the list', () => {
  it('is of one card, by state, batch, face and whole number or its end', async () => {
    const of = await facedCard(database)
    const other = await facedCard(database)
    const { batch_no } = await bring(of, [line(), line()])
    await bring(other, [line()])
    const [one] = await codesOf(of)
    const found = async (filter: object, by = keeper!) =>
      (await done(calls.lst, { card_id: of.card.id, ...filter }, by)).list.map(
        (row: { id: number }) => row.id,
      )
    expect(await found({})).toHaveLength(2)
    expect(await found({ state: 'sold' })).toEqual([])
    expect(await found({ batch_no })).toHaveLength(2)
    expect(await found({ keyword: one!.card_no })).toEqual([one!.id])
    expect(await found({ keyword: one!.card_no.slice(-4) })).toContain(one!.id)
    const blind = await addStaff(database, {
      perms: ['*'],
      role: { field_rules: { 'ecard.card_no': 'mask' } },
    })
    const tail = { card_id: of.card.id, keyword: one!.card_no.slice(-4) }
    expect(await rule(calls.lst, tail, blind)).toBe('whole_number')
    expect(await found({ keyword: one!.card_no }, blind)).toEqual([one!.id])
    const { list } = await done(calls.lst, { card_id: of.card.id }, blind)
    expect(list[0].card_no).toContain('*')
  })
  it('tells how many stand in each state, and where the money went', async () => {
    const of = await made()
    await freeCodes(database, of, 2)
    const id = await buy(of)
    const member_id = (await membersOf(database))[0]!.id
    const now = unixNow()
    await database.transaction(tx => activateCode(tx, { code_id: id, member_id, now }))
    await database.transaction(tx =>
      spendCode(tx, { code_id: id, amount_cents: 30_00, ref: { type: 'test', id: 1 }, now }),
    )
    expect((await done(calls.stock, { card_id: of.card.id })).stat).toEqual({ free: 1, active: 1 })
    const trail = await done(calls.trail, { id })
    expect(trail).toMatchObject({ face_cents: 100_00, spent_cents: 30_00, balance_cents: 70_00 })
    expect(trail.list.map((step: { what: string }) => step.what)).toEqual([
      '入库',
      '售出',
      '激活',
      '消费',
    ])
  })
  it('is nobody’s of another city', async () => {
    const of = await made()
    const [id] = await freeCodes(database, of, 1)
    const foreign = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city' },
    })
    expect((await call(calls.lst, { card_id: of.card.id }, foreign)).status).toBe(404)
    expect((await call(calls.stock, { card_id: of.card.id }, foreign)).status).toBe(404)
    expect((await call(calls.freeze, { ...(await held(id!)), reason }, foreign)).status).toBe(404)
    const input = { attr_id: of.face.id, count: 1, reason }
    expect((await call(calls.generate, input, foreign)).status).toBe(404)
  })
})

describe('a code', () => {
  it('is frozen, set free, and void for good, each with its reason in the log', async () => {
    const [id] = await freeCodes(database, await made(), 1)
    const was = await held(id!)
    await done(calls.freeze, { ...was, reason })
    expect(await codeRow(database, id!)).toMatchObject({
      state: 'frozen',
      frozen_by: keeper!.id,
      reason,
    })
    expect((await call(calls.unfreeze, { ...was, reason })).status).toBe(409)
    expect(await rule(calls.freeze, { ...(await held(id!)), reason })).toBe('code_freeze')
    await done(calls.unfreeze, { ...(await held(id!)), reason })
    await done(calls.void, { ...(await held(id!)), reason })
    expect(await rule(calls.unfreeze, { ...(await held(id!)), reason })).toBe('code_unfreeze')
    const log = await database.db.select().from(op_log).where(eq(op_log.object_id, id!))
    expect(
      log
        .filter(row => row.object_type === 'ecard_code' && row.result === 'ok')
        .map(row => row.after),
    ).toEqual([{ state: 'frozen' }, { state: 'free' }, { state: 'void' }])
  })
  it('that was sold is voided by nobody, and extended only where it has an end', async () => {
    const of = await facedCard(database, {
      source: 'generate',
      valid_type: 'fixed',
      valid_until: unixNow() + 1000,
    })
    const id = await buy(of)
    expect(await rule(calls.void, { ...(await held(id)), reason })).toBe('code_void')
    const until = unixNow() + 5000
    await done(calls.extend, { ...(await held(id)), until, reason })
    expect(await codeRow(database, id)).toMatchObject({ valid_until: until })
    expect(await rule(calls.extend, { ...(await held(id)), until, reason })).toBe('earlier_end')
    const endless = await buy(await made())
    expect(await rule(calls.extend, { ...(await held(endless)), until, reason })).toBe(
      'code_extend',
    )
  })
  it('is revealed alone, with a reason, and noted', async () => {
    const of = await made()
    const id = await buy(of)
    const told = await done(calls.revealSecret, { id, reason })
    const [one] = await codesOf(of)
    expect(told.secret_code).toBe(one!.secret)
    expect(one!.shown_at).not.toBeNull()
    const log = await database.db.select().from(op_log).where(eq(op_log.object_id, id))
    const [noted] = log.filter(row => row.action === 'reveal')
    expect(noted).toMatchObject({ reason, after: { field: 'ecard.secret' } })
    expect(JSON.stringify(log)).not.toContain(one!.secret)
    const other = await addStaff(database, { perms: ['ecard.list.code.view'] })
    expect((await call(calls.revealSecret, { id, reason }, other)).status).toBe(403)
  })
})

describe('a batch', () => {
  const batch = async (n = 3) => {
    const of = await made()
    const { id } = await done(calls.generate, { attr_id: of.face.id, count: n, reason })
    return { of, id: id as number }
  }
  const now = async (id: number) => ({ id, version: (await batchOf(id)).version })
  it('is voided but for what was sold, which is counted', async () => {
    const { of, id } = await batch()
    await buy(of)
    const told = await done(batchCalls.batchVoid, { ...(await now(id)), reason })
    expect(told).toMatchObject({ done: 2, skipped: 1, job_id: null })
    expect((await done(batchCalls.stat, { id })).stat).toEqual({ sold: 1, void: 2 })
  })
  it('gives its secrets out by two people, once, encrypted', async () => {
    const { of, id } = await batch()
    expect(await rule(batchCalls.fetchSecrets, await now(id))).toBe('secrets_fetch')
    await done(batchCalls.askSecrets, { ...(await now(id)), reason })
    const agree = { agree: true, reason }
    expect(await rule(batchCalls.agreeSecrets, { ...(await now(id)), ...agree })).toBe(
      'secrets_agree',
    )
    await done(batchCalls.agreeSecrets, { ...(await now(id)), ...agree }, second!)
    expect(await rule(batchCalls.fetchSecrets, await now(id), second!)).toBe('secrets_fetch')
    const told = await done(batchCalls.fetchSecrets, await now(id))
    const bytes = new Uint8Array(Buffer.from(told.secret_file, 'base64'))
    const [entry] = await new ZipReader(new Uint8ArrayReader(bytes)).getEntries()
    if (!entry || entry.directory) throw new Error('no file in it')
    const password = told.secret_password as string
    const text = await entry.getData(new TextWriter(), { password, useWebWorkers: false })
    const inFile = text.trim().split('\r\n').slice(1)
    expect(inFile.map(row => normalCode(row.split(',')[1]!))).toEqual(
      (await codesOf(of)).map(one => one.secret),
    )
    expect(await rule(batchCalls.fetchSecrets, await now(id))).toBe('secrets_fetch')
  })
  it('whose file is turned down may be asked for again', async () => {
    const { id } = await batch()
    await done(batchCalls.askSecrets, { ...(await now(id)), reason })
    expect(await rule(batchCalls.askSecrets, { ...(await now(id)), reason })).toBe('secrets_ask')
    await done(batchCalls.agreeSecrets, { ...(await now(id)), agree: false, reason }, second!)
    expect(await batchOf(id)).toMatchObject({ secrets: 'none', asked_by: null })
  })
})
