import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  after_sale_config,
  after_sale_reason,
} from '#src/areas/afterSalePolicy/afterSalePolicy.table.ts'
import { policyId } from '#src/areas/afterSalePolicy/policy.ts'
import { e_category, merchant, return_address } from '#src/areas/merchant/merchant.table.ts'
import {
  afterSaleAddresses as addresses,
  afterSaleReasons as reasons,
  afterSales as calls,
  type PolicyRow,
} from '#src/modules/config/contract/afterSales.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
let made = 0
/** A branch of three categories of its own. */
const branch = async (): Promise<{ root: number; middle: number; leaf: number }> => {
  const add = async (level: number, parent_id: number | null) => {
    const [row] = await database.db
      .insert(e_category)
      .values({
        id: 9_000_000 + ++made,
        name: `政策分类${made}`,
        level,
        parent_id,
        commission_min_bp: 0,
        commission_max_bp: 3000,
        floor_bp: 3000,
        need_licenses: [],
      })
      .returning({ id: e_category.id })
    return row!.id
  }
  const root = await add(1, null)
  const middle = await add(2, root)
  return { root, middle, leaf: await add(3, middle) }
}
const rowOf = async (category_id: number): Promise<PolicyRow> => {
  const { list } = (await call(calls.lst, { pageSize: 200, keyword: `政策分类` })).data
  const found = list.find((row: PolicyRow) => row.id === policyId(category_id))
  if (found) return found
  return (await call(calls.lst, { pageSize: 1 })).data.list[0]
}
const fieldsOf = ({
  no_reason_days,
  exempt,
  freight_payer,
  evidence_photos,
  merchant_h,
  platform_h,
  auto_agree_cents,
  late_day_bp,
  late_max_cents,
}: PolicyRow) => ({
  no_reason_days,
  exempt,
  freight_payer,
  evidence_photos,
  merchant_h,
  platform_h,
  auto_agree_cents,
  late_day_bp,
  late_max_cents,
})
/** Saves some fields over what holds for a category now. */
const save = async (category_id: number, some: object, token = me.token) => {
  const row = await rowOf(category_id)
  return call(
    calls.savePolicy,
    { id: row.id, version: row.version, ...fieldsOf(row), ...some, reason: '测试调整' },
    token,
  )
}
const done = async (said: ReturnType<typeof call>) => {
  const { status, message, data } = await said
  expect(status, message).toBe(200)
  return data
}

describe('a policy', () => {
  it('holds for all below its category, as long as they have none of their own', async () => {
    const { root, middle, leaf } = await branch()
    await done(save(root, { no_reason_days: 20 }))
    expect(await rowOf(leaf)).toMatchObject({ no_reason_days: 20, own: false })
    await done(save(middle, { no_reason_days: 12 }))
    expect((await rowOf(leaf)).no_reason_days).toBe(12)
    const { id, version } = await rowOf(middle)
    await done(call(calls.inherit, { id, version, reason: '恢复沿用' }))
    expect(await rowOf(leaf)).toMatchObject({ no_reason_days: 20, own: false })
    const again = await rowOf(middle)
    expect(
      (await call(calls.inherit, { id, version: again.version, reason: '再次沿用' })).data.rule,
    ).toBe('unchanged')
  })
  it.each([
    ['fewer days than the law’s', { no_reason_days: 6 }, 'no_reason_days'],
    ['a merchant slower than the platform', { merchant_h: 96, platform_h: 96 }, 'merchant_h'],
  ])('of %s is refused at the field', async (_, some, field) => {
    const { leaf } = await branch()
    const said = await save(leaf, some)
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [field]])
  })
  it('has more days than 30 for nobody, and fewer than 7 for exempt categories', async () => {
    const { leaf } = await branch()
    expect((await save(leaf, { no_reason_days: 31 })).status).toBe(400)
    await done(save(leaf, { no_reason_days: 0, exempt: true }))
    const said = await save(-1, { no_reason_days: 0, exempt: true })
    expect(Object.keys(said.data.fields).sort()).toEqual(['exempt', 'no_reason_days'])
  })
  it('agrees by itself to no more than whoever saves it might', async () => {
    const { leaf } = await branch()
    const clerk = await addStaff(database, {
      perms: ['config.afterSales.*'],
      role: { refund_limit_cents: 100_00 },
    })
    const said = await save(leaf, { auto_agree_cents: 300_00 }, clerk.token)
    expect(Object.keys(said.data.fields)).toEqual(['auto_agree_cents'])
  })
  it('refunds fast no more than is agreed to by itself', async () => {
    const { leaf } = await branch()
    const row = await rowOf(leaf)
    const fast = (limit_cents: number) =>
      call(calls.setFastRefund, {
        id: row.id,
        version: row.version,
        score: 80,
        limit_cents,
        reason: '好买家',
      })
    expect(Object.keys((await fast(row.auto_agree_cents + 1)).data.fields)).toEqual(['limit_cents'])
    await done(fast(row.auto_agree_cents))
    expect(await rowOf(leaf)).toMatchObject({ fast_limit_cents: row.auto_agree_cents, own: true })
    const lower = await save(leaf, { auto_agree_cents: row.auto_agree_cents - 1 })
    expect(Object.keys(lower.data.fields)).toEqual(['auto_agree_cents'])
  })
  it('is a version that never changes, of which one is in force', async () => {
    const { leaf } = await branch()
    await done(save(leaf, { no_reason_days: 9 }))
    await done(save(leaf, { no_reason_days: 10 }))
    const all = await database.db
      .select()
      .from(after_sale_config)
      .where(eq(after_sale_config.category_id, leaf))
      .orderBy(after_sale_config.version_no)
    expect(all.map(row => [row.version_no, row.state, row.no_reason_days])).toEqual([
      [1, 'old', 9],
      [2, 'current', 10],
    ])
    for (const change of [
      sql`update after_sale_config set no_reason_days = 30 where id = ${all[1]!.id}`,
      sql`update after_sale_config set state = 'current' where id = ${all[0]!.id}`,
      sql`delete from after_sale_config where id = ${all[0]!.id}`,
    ])
      await expect(database.db.execute(change)).rejects.toThrow()
    await expect(
      database.db.insert(after_sale_config).values({ ...all[1]!, id: undefined, version_no: 3 }),
    ).rejects.toThrow()
  })
  it('goes back to an earlier version as a new one, which the history tells', async () => {
    const { leaf } = await branch()
    await done(save(leaf, { no_reason_days: 9 }))
    await done(save(leaf, { no_reason_days: 10, freight_payer: 'by_fault' }))
    const { id, version } = await rowOf(leaf)
    await done(call(calls.rollback, { id, version, to: 1, reason: '改回' }))
    expect(await rowOf(leaf)).toMatchObject({ no_reason_days: 9, version: 3 })
    const { list } = (await call(calls.history, { id })).data
    expect(list.map((one: { version_no: number }) => one.version_no)).toEqual([3, 2, 1])
    expect(list[1].changes.map((one: { after: string[] }) => one.after[0])).toEqual([
      '10 天',
      '按责任承担',
    ])
    expect((await call(calls.rollback, { id, version: 3, to: 9, reason: '没有' })).status).toBe(404)
  })
  it('saved by two at once is saved by one, and the other is told', async () => {
    const { leaf } = await branch()
    const first = await rowOf(leaf)
    const input = (no_reason_days: number) => ({
      id: first.id,
      version: first.version,
      ...fieldsOf(first),
      no_reason_days,
      reason: '同时修改',
    })
    const said = await Promise.all([14, 15, 16].map(n => call(calls.savePolicy, input(n))))
    expect(said.map(one => one.status).sort()).toEqual([200, 409, 409])
    expect(
      await database.db.$count(
        after_sale_config,
        and(eq(after_sale_config.category_id, leaf), eq(after_sale_config.state, 'current')),
      ),
    ).toBe(1)
  })
  it('is changed by whoever sees everything', async () => {
    const { leaf } = await branch()
    const local = await addStaff(database, {
      perms: ['config.afterSales.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    expect((await save(leaf, { no_reason_days: 8 }, local.token)).data.rule).toBe('needs_all')
  })
})

const reasonRow = async (text: string) =>
  (await database.db.select().from(after_sale_reason).where(eq(after_sale_reason.text, text)))[0]!
describe('a reason', () => {
  it('is added, changed and put in its place', async () => {
    const text = `包装破损${++made}`
    const input = { type: 'return', text, need_evidence: true, fault: 'merchant' }
    const { id, version } = await done(call(reasons.addReason, input))
    expect((await call(reasons.addReason, input)).data.fields).toEqual({
      text: '已有相同的原因',
    })
    await done(
      call(reasons.editReason, {
        id,
        version,
        text: `${text}改`,
        need_evidence: false,
        fault: 'none',
      }),
    )
    const { arranged, list_version } = (await call(reasons.lst, { type: 'return' })).data
    const order = arranged.map((one: { id: number }) => one.id).reverse()
    await done(call(reasons.sortReasons, { type: 'return', order, list_version }))
    expect((await call(reasons.lst, { type: 'return' })).data.list[0].text).toBe(`${text}改`)
    expect((await call(reasons.sortReasons, { type: 'return', order, list_version })).status).toBe(
      409,
    )
  })
  it('is switched off and on, but never the last of its kind, even by two at once', async () => {
    await database.db
      .update(after_sale_reason)
      .set({ status: 'off' })
      .where(eq(after_sale_reason.type, 'reject'))
    const last: { id: number; version: number }[] = []
    for (const n of [1, 2]) {
      const text = `最后的原因${++made}${n}`
      last.push(
        await done(
          call(reasons.addReason, { type: 'reject', text, need_evidence: false, fault: 'none' }),
        ),
      )
    }
    const said = await Promise.all(
      last.map(one => call(reasons.disableReason, { ...one, reason: '不再使用' })),
    )
    expect(said.map(one => one.status).sort()).toEqual([200, 422])
    expect(said.find(one => one.status === 422)!.data.rule).toBe('last_one')
    const off = last[said.findIndex(one => one.status === 200)]!
    const { version } = (
      await database.db.select().from(after_sale_reason).where(eq(after_sale_reason.id, off.id))
    )[0]!
    await done(call(reasons.enableReason, { id: off.id, version }))
    expect(await reasonRow('其他')).toBeDefined()
  })
})

const seller = async (): Promise<number> => {
  const { rows } = await database.db.execute<{ id: number }>(
    sql`select id from merchant m where status = 'active' and not exists (select 1 from return_address a where a.merchant_id = m.id) order by id limit 1`,
  )
  return rows[0]!.id
}
const place = { name: '收货员', phone: '13800138000', area: '上海市静安区', address: '仓库路 1 号' }
const addressOf = async (id: number) =>
  (await database.db.select().from(return_address).where(eq(return_address.id, id)))[0]!
describe('a return address', () => {
  it('is the default where it is the first; another takes its place, and it can’t go before', async () => {
    const merchant_id = await seller()
    const first = await done(call(addresses.addAddress, { merchant_id, ...place }))
    const second = await done(
      call(addresses.addAddress, { merchant_id, ...place, address: '仓库路 2 号' }),
    )
    expect((await addressOf(first.id)).is_default).toBe(true)
    expect((await call(addresses.delAddress, first)).data.rule).toBe('is_default')
    await done(call(addresses.setDefaultAddress, second))
    const was = await addressOf(first.id)
    expect([was.is_default, (await addressOf(second.id)).is_default]).toEqual([false, true])
    await done(call(addresses.delAddress, { id: was.id, version: was.version }))
    const { list } = (await call(addresses.lst, { merchant_id })).data
    expect(list.map((row: { id: number }) => row.id)).toEqual([second.id])
  })
  it.each([
    ['a phone that is none', { phone: '12' }, 'phone'],
    ['a place that is none', { area: '某地' }, 'area'],
  ])('with %s is refused at the field', async (_, some, field) => {
    const merchant_id = await seller()
    const said = await call(addresses.addAddress, { merchant_id, ...place, ...some })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [field]])
  })
  it('of a merchant elsewhere is neither seen nor changed', async () => {
    const merchant_id = await seller()
    const { id, version } = await done(call(addresses.addAddress, { merchant_id, ...place }))
    const [owner] = await database.db.select().from(merchant).where(eq(merchant.id, merchant_id))
    const elsewhere = await addStaff(database, {
      perms: ['config.afterSales.*'],
      role: { scope_type: 'city', scope_ids: [owner!.city_id === 1 ? 2 : 1] },
    })
    const { list } = (await call(addresses.lst, { merchant_id }, elsewhere.token)).data
    expect(list).toEqual([])
    expect((await call(addresses.setDefaultAddress, { id, version }, elsewhere.token)).status).toBe(
      404,
    )
  })
})
