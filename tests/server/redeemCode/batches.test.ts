import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon } from '#src/areas/coupon/coupon.table.ts'
import { code_batch } from '#src/areas/redeemCode/redeemCode.table.ts'
import { FINANCE_POINTS } from '#src/areas/redeemCode/redeemCode.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { batchAdd, batchCopy, batchEdit } from '#src/modules/redeemCode/contract/form.ts'
import { codeBatches as calls } from '#src/modules/redeemCode/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { batchOf, couponOf, formOf, prefixOf } from '../../help/redeem.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
let database: Database
let app: App
let [maker, auditor, finance]: Person[] = []
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  ;[maker, auditor, finance] = await Promise.all(
    [1, 2, 3].map(() => addStaff(database, { perms: ['*'] })),
  )
})
const now = unixNow()
const call = (what: What, input: object, by = maker!) => send(app, what, input, { token: by.token })
const done = async (what: What, input: object, by = maker!) => {
  const said = await call(what, input, by)
  expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
  return said.data
}
const rule = async (what: What, input: object, by = maker!) => {
  const said = await call(what, input, by)
  expect(said.status).toBe(422)
  return said.data.rule
}
const faults = async (what: What, input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(400)
  return Object.keys(said.data.fields)
}
const rowOf = async (id: number) =>
  (await database.db.select().from(code_batch).where(eq(code_batch.id, id)))[0]!
const held = async (id: number) => ({ id, version: (await rowOf(id)).version })
const submitted = async (more: object = {}): Promise<number> =>
  (await done(batchAdd.submit, formOf(more))).id
const running = async (more: object = {}): Promise<number> => {
  const id = await submitted(more)
  await done(calls.approve, await held(id), auditor)
  return id
}

describe('a batch is refused', () => {
  it.each([
    ['with codes that are guessed', { length: 8, prefix: '23', quantity: 1000 }, 'length'],
    ['with a prefix of signs that look alike', { prefix: 'O0' }, 'prefix'],
    ['that ends before it starts', { end_at: now - DAY }, 'end_at'],
  ])('as a draft %s', async (_, more, field) => {
    expect(await faults(batchAdd.saveDraft, formOf(more))).toContain(field)
  })
  it.each([
    ['that costs more than its budget', { budget_cents: 999 }, 'budget_cents'],
    ['without a reward', { points: 0 }, 'coupon_ids'],
    ['of shared codes without a limit', { code_kind: 'shared' }, 'use_limit'],
    ['that is over', { start_at: now - 9 * DAY, end_at: now - DAY }, 'end_at'],
  ])('%s, and stays a draft until then', async (_, more, field) => {
    const of = formOf(more)
    expect(await faults(batchAdd.submit, of)).toContain(field)
    const draft = await done(batchAdd.saveDraft, of)
    expect(await faults(calls.submit, draft)).toContain(field)
    expect((await rowOf(draft.id)).status).toBe('draft')
  })
  it.each([
    ['has too few left', { total: 50 }],
    ['is not given out', { status: 'paused' as const }],
    ['ends before the codes do', { valid_kind: 'fixed' as const, use_end_at: now + DAY }],
  ])('whose coupon %s', async (_, of) => {
    const { id } = await couponOf(database, of)
    expect(await faults(batchAdd.submit, formOf({ coupon_ids: [id] }))).toEqual(['coupon_ids'])
  })
  it('whose prefix another one has', async () => {
    const of = formOf()
    await done(batchAdd.saveDraft, of)
    expect(await rule(batchAdd.saveDraft, of)).toBe('prefix_taken')
  })
})

describe('the audit', () => {
  it('is another person’s', async () => {
    const id = await submitted()
    expect(await rule(calls.approve, await held(id))).toBe('batch_approve')
    await done(calls.approve, await held(id), auditor)
    expect(await rowOf(id)).toMatchObject({ status: 'running', approved_by: auditor!.id })
    expect(await rule(calls.approve, await held(id), auditor)).toBe('batch_approve')
  })
  it('sends back with a reason, and what is withdrawn is a draft', async () => {
    const id = await submitted()
    await done(calls.reject, { ...(await held(id)), reason: '合同未盖章' }, auditor)
    expect(await rowOf(id)).toMatchObject({ status: 'draft', reason: '合同未盖章' })
    await done(calls.submit, await held(id))
    expect(await rule(batchEdit.saveDraft, { ...(await held(id)), ...formOf() })).toBe(
      'batch_submit',
    )
    await done(batchEdit.withdraw, await held(id))
    expect((await rowOf(id)).status).toBe('draft')
  })
  it('of many points asks finance first, who is a third person', async () => {
    const id = await submitted({
      points: FINANCE_POINTS / 100 + 1,
      budget_cents: 2 * FINANCE_POINTS,
    })
    expect(await rule(calls.approve, await held(id), auditor)).toBe('batch_approve')
    expect(await rule(calls.approveFinance, await held(id))).toBe('batch_finance')
    await done(calls.approveFinance, await held(id), finance)
    expect(await rule(calls.approve, await held(id), finance)).toBe('batch_approve')
    await done(calls.approve, await held(id), auditor)
    expect((await rowOf(id)).status).toBe('running')
  })
  it('of a change lets it hold only when it passed', async () => {
    const id = await running({ limit_member: 2 })
    const { name, note, end_at, quantity, budget_cents, ...was } = await rowOf(id)
    const change = {
      name,
      note,
      end_at,
      quantity,
      budget_cents,
      use_limit: was.use_limit,
      limit_member: was.limit_member,
      limit_phone: was.limit_phone,
      limit_device: was.limit_device,
      reason: '追加采购',
    }
    const amend = async (more: object) => ({ ...(await held(id)), ...change, ...more })
    expect(await rule(batchEdit.amend, await amend({}))).toBe('no_change')
    expect(await faults(batchEdit.amend, await amend({ quantity: 99, limit_member: 1 }))).toEqual([
      'quantity',
      'limit_member',
    ])
    await done(batchEdit.amend, await amend({ quantity: 150, limit_member: null }))
    expect((await rowOf(id)).quantity).toBe(100)
    expect((await done(calls.detail, { id })).amendment.lines).toEqual([
      '数量：100 → 150',
      '每会员：2 → 不限',
    ])
    expect(await rule(calls.approve, await held(id))).toBe('batch_approve')
    await done(calls.approve, await held(id), auditor)
    expect(await rowOf(id)).toMatchObject({ quantity: 150, limit_member: null, amendment: null })
  })
})

describe('a batch that runs', () => {
  it('is extended, never shortened, and not beyond its coupon', async () => {
    const use_end_at = now + 40 * DAY
    const own = await couponOf(database, { valid_kind: 'fixed', use_end_at })
    const id = await running({ coupon_ids: [own.id] })
    const to = async (days: number) => ({
      ...(await held(id)),
      end_at: now + days * DAY,
      reason: '延期',
    })
    expect(await faults(calls.extend, await to(29))).toEqual(['end_at'])
    expect(await faults(calls.extend, await to(41))).toEqual(['coupon_ids'])
    await done(calls.extend, await to(35))
    expect((await rowOf(id)).end_at).toBe(now + 35 * DAY)
  })
  it('is paused, resumed and ended, and then stays', async () => {
    const id = await running()
    const why = { reason: '核对名单' }
    await done(calls.pause, { ...(await held(id)), ...why })
    expect(await rule(calls.pause, { ...(await held(id)), ...why })).toBe('batch_pause')
    await done(calls.resume, await held(id))
    await done(calls.end, { ...(await held(id)), ...why })
    expect(await rule(calls.resume, await held(id))).toBe('batch_resume')
    expect(await rule(calls.extend, { ...(await held(id)), end_at: now + 99 * DAY, ...why })).toBe(
      'batch_extend',
    )
  })
  it('is changed by whoever holds it as it is', async () => {
    const id = await running()
    const before = await held(id)
    await done(calls.pause, { ...before, reason: '核对名单' })
    const said = await call(calls.end, { ...before, reason: '结束' }, auditor)
    expect(said.status).toBe(409)
    expect(said.data.by.name).toBe(maker!.account)
  })
})

describe('a batch of which most was redeemed', () => {
  it('needs rewards for the rest alone, to be amended', async () => {
    const own = await couponOf(database, { total: 100 })
    const id = await running({ points: 0, coupon_ids: [own.id], budget_cents: 200_000 })
    await database.db
      .update(code_batch)
      .set({ redeemed: 90, generated: 100 })
      .where(eq(code_batch.id, id))
    await database.db.update(coupon).set({ claimed_count: 90 }).where(eq(coupon.id, own.id))
    const { name, note, end_at, budget_cents, use_limit } = await rowOf(id)
    const { limit_member, limit_phone, limit_device } = await rowOf(id)
    const same = {
      name,
      note,
      end_at,
      budget_cents,
      use_limit,
      limit_member,
      limit_phone,
      limit_device,
    }
    const amend = async (quantity: number) => ({
      ...(await held(id)),
      ...same,
      quantity,
      reason: '追加',
    })
    expect(await faults(batchEdit.amend, await amend(101))).toEqual(['coupon_ids'])
    await database.db.update(coupon).set({ total: 101 }).where(eq(coupon.id, own.id))
    await done(batchEdit.amend, await amend(101))
  })
})

describe('a copy', () => {
  it('has a prefix of its own, no codes, and leaves its source alone', async () => {
    const { batch } = await batchOf(database, app, { codes: 3, created_by: maker!.id })
    const sent = { copy_from_id: batch.id, ...formOf({ prefix: batch.prefix }) }
    expect(await faults(batchCopy.saveDraft, sent)).toEqual(['prefix'])
    const { id } = await done(batchCopy.saveDraft, { ...sent, prefix: prefixOf() })
    expect(await rowOf(id)).toMatchObject({ status: 'draft', generated: 0, copy_from_id: batch.id })
    expect(await rowOf(batch.id)).toEqual(batch)
  })
})

describe('the list', () => {
  it('is filtered by what it offers', async () => {
    const partner = '伙伴Q'
    const own = await couponOf(database)
    const soon = await running({ partner, end_at: now + 3 * DAY })
    const given = await running({ partner, points: 0, coupon_ids: [own.id], budget_cents: 100_000 })
    await done(calls.generate, { ...(await held(given)), qty: 100 })
    const ids = async (filter: object) =>
      (await done(calls.lst, { partner, ...filter })).list.map((row: { id: number }) => row.id)
    expect(await ids({})).toEqual([given, soon])
    expect(await ids({ reward: 'coupon' })).toEqual([given])
    expect(await ids({ reward: 'points' })).toEqual([soon])
    expect(await ids({ ending: true })).toEqual([soon])
    expect(await ids({ stock: true })).toEqual([soon])
    expect(await ids({ status: 'paused' })).toEqual([])
    expect(await ids({ keyword: '周三' })).toEqual([given, soon])
  })
})
