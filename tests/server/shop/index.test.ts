import { and, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { audit_task } from '#src/areas/audit/audit.table.ts'
import { order_code } from '#src/areas/code/code.table.ts'
import { lineOf, merchants, ours } from '#src/areas/ledger/ledger.ts'
import { post } from '#src/areas/ledger/post.server.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant, store } from '#src/areas/merchant/merchant.table.ts'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { product } from '#src/areas/product/product.table.ts'
import { refund } from '#src/areas/refund/refund.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { shopIndex as calls } from '#src/modules/shop/contract/index.ts'
import { shopIndexServer } from '#src/modules/shop/server/index.ts'
import { everything } from '#src/server/call/scope.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { plansOf, seqScans } from '../../bench/plans.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { fill } from '../../help/fill.ts'
import { freshCredit, freshMerchant, freshOffer } from '../../help/merchants.ts'
import { freshTask } from '../../help/trade.ts'

let database: Database
let app: App
let me: Awaited<ReturnType<typeof addStaff>>
let orders = 0
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, { perms: ['*'] })
})
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object = {}, token = me.token) =>
  send(app, what, input, { token })
const held = async (id: number) => {
  const [row] = await database.db.select().from(merchant).where(eq(merchant.id, id))
  return { id, version: row!.version }
}
const rowOf = async (id: number) =>
  (await database.db.select().from(merchant).where(eq(merchant.id, id)))[0]!
const stateOf = async (id: number) =>
  (await database.db.select().from(product).where(eq(product.id, id)))[0]!.state
const freeze = async (id: number, reason = '资质造假调查') =>
  call(calls.freeze, { ...(await held(id)), reason })
const linesOf = async (id: number) =>
  database.db
    .select()
    .from(op_log)
    .where(and(eq(op_log.object_type, 'merchant'), eq(op_log.object_id, id)))

describe('terminating a merchant', () => {
  /** An order of the merchant’s, as one of the demo’s, paid. */
  const orderOf = async (own: { id: number; store_id: number }, more: object = {}) => {
    const [like] = await database.db
      .select()
      .from(order)
      .where(and(eq(order.kind, 'bulks'), eq(order.pay_state, 'paid')))
      .limit(1)
    const { id: _, ...columns } = like!
    const [one] = await database.db
      .insert(order)
      .values({
        ...columns,
        order_no: `T${own.id}-${++orders}`,
        merchant_id: own.id,
        refund_state: 'none',
        fulfil_state: 'finished',
        ...more,
      })
      .returning()
    return { order: one!, like: like! }
  }
  const terminate = async (id: number) =>
    call(calls.terminate, { ...(await held(id)), reason: '双方协议终止' })
  it('is refused with counts while a paid code is unredeemed', async () => {
    const own = await freshMerchant(database)
    const offer = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
    const { order: bought, like } = await orderOf(own)
    const [code] = await database.db
      .select()
      .from(order_code)
      .innerJoin(order_item, eq(order_item.id, order_code.item_id))
      .where(eq(order_code.order_id, like.id))
      .limit(1)
    const { id: _, ...columns } = code!.order_code
    await database.db.insert(order_code).values({
      ...columns,
      order_id: bought.id,
      product_id: offer.id,
      code: `T${own.id}`,
      state: 'unused',
      times_used: 0,
      times_refunded: 0,
      times_refunding: 0,
      left_times: 1,
    })
    const said = await terminate(own.id)
    expect(said.status).toBe(422)
    expect(said.message).toContain('未核销券码 1 张')
    expect((await rowOf(own.id)).status).toBe('active')
    expect(await stateOf(offer.id)).toBe('on_sale')
  })
  it('is refused while goods are to be sent, a case is open or money is left', async () => {
    const own = await freshMerchant(database)
    const { order: bought } = await orderOf(own, { fulfil_state: 'waiting_ship' })
    expect((await terminate(own.id)).message).toContain('未完成订单 1 个')
    await database.db.update(order).set({ fulfil_state: 'finished' }).where(eq(order.id, bought.id))
    const [some] = await database.db.select().from(refund).limit(1)
    const { id: _, ...columns } = some!
    const [open] = await database.db
      .insert(refund)
      .values({
        ...columns,
        refund_no: `T${own.id}`,
        order_id: bought.id,
        merchant_id: own.id,
        state: 'applied',
      })
      .returning()
    expect((await terminate(own.id)).message).toContain('售后 1 个')
    await database.db.update(refund).set({ state: 'closed' }).where(eq(refund.id, open!.id))
    await database.transaction(tx =>
      post(tx, {
        biz: 'charge_in',
        biz_id: own.id,
        biz_no: `T${own.id}`,
        idem_key: `test:terminate:${own.id}`,
        at: unixNow(),
        lines: [
          ...lineOf(ours('bank_cash'), 4_50),
          ...lineOf(merchants('merchant_balance', own.id), -4_50),
        ],
      }),
    )
    expect((await terminate(own.id)).message).toContain('未提现 4.50 元')
  })
  it('ends what it sells for good, and closes its stores', async () => {
    const own = await freshMerchant(database)
    const offer = await freshOffer(database, { merchant_id: own.id, store_id: own.store_id })
    expect((await terminate(own.id)).status).toBe(200)
    expect((await rowOf(own.id)).status).toBe('terminated')
    expect(await stateOf(offer.id)).toBe('off_sale')
    const [shop] = await database.db.select().from(store).where(eq(store.id, own.store_id))
    expect(shop!.status).toBe('closed')
    expect((await freeze(own.id)).status).toBe(422)
    const again = { name: '新主体', license_no: own.license_no, legal_name: '王大明' }
    const contact = { contact_name: '李小红', contact_phone: '13900001111', city_id: 1 }
    expect((await call(calls.create, { ...again, ...contact })).status).toBe(200)
  })
})

describe('a merchant', () => {
  const fields = () => ({
    name: '测试餐饮有限公司',
    license_no: freshCredit(),
    legal_name: '王大明',
    contact_name: '李小红',
    contact_phone: '13900001111',
    city_id: 1,
  })
  it('is made as a draft of whoever makes it, once for a credit code', async () => {
    const of = fields()
    const made = await call(calls.create, of)
    expect(made.status, made.message).toBe(200)
    expect(await rowOf(made.data.id)).toMatchObject({ status: 'draft', bd_admin_id: me.id })
    const second = await call(calls.create, { ...of, license_no: of.license_no.toLowerCase() })
    expect(second.status).toBe(422)
    expect(second.data.fields.license_no).toContain(me.account)
  })
  it.each([
    [
      'a credit code whose check digit is wrong',
      { license_no: '91350100M000100Y44' },
      'license_no',
    ],
    ['a phone that is none', { contact_phone: '123' }, 'contact_phone'],
    ['no name', { name: ' ' }, 'name'],
  ])('with %s is refused at the field', async (_, more, at) => {
    const said = await call(calls.create, { ...fields(), ...more })
    expect([said.status, Object.keys(said.data.fields)]).toEqual([400, [at]])
  })
  it('that is frozen changes its contact alone', async () => {
    const own = await freshMerchant(database, { status: 'frozen' })
    const edit = async (more: object) => call(calls.edit, { ...(await held(own.id)), ...more })
    expect((await edit({ name: '另一个名称' })).data.rule).toBe('frozen')
    expect((await edit({ contact_phone: '13900002222' })).status).toBe(200)
    expect(await rowOf(own.id)).toMatchObject({ name: own.name, contact_phone: '13900002222' })
  })
  it('goes to another BD with what of it is still to be audited', async () => {
    const task = await freshTask(database)
    const to = await addStaff(database, { perms: ['*'] })
    const change = async (admin_id: number) =>
      call(calls.changeBd, { ...(await held(task.merchant_id)), admin_id, reason: '片区调整' })
    expect((await change(to.id)).status).toBe(200)
    expect((await rowOf(task.merchant_id)).bd_admin_id).toBe(to.id)
    const [after] = await database.db.select().from(audit_task).where(eq(audit_task.id, task.id))
    expect(after!.owner_id).toBe(to.id)
    expect(Object.keys((await change(to.id)).data.fields)).toEqual(['admin_id'])
    expect((await change(2_000_000_000)).status).toBe(400)
  })
  it('gets a new password of its app, told once and kept as a hash', async () => {
    const own = await freshMerchant(database)
    const reset = await call(calls.resetPassword, {
      ...(await held(own.id)),
      reason: '店长忘记密码',
    })
    expect(reset.data.initial_password).toMatch(/^\w{12}$/)
    const row = await rowOf(own.id)
    expect(row.app_password_hash).not.toContain(reset.data.initial_password)
    expect(row.app_must_change).toBe(true)
    const late = await call(calls.freeze, { id: own.id, version: 0, reason: '过期的版本' })
    expect(late.status).toBe(409)
    expect(late.text).not.toContain(row.app_password_hash)
  })
  it('shows its account masked to everybody; in clear with a reason, which is logged', async () => {
    const own = await freshMerchant(database, {
      bank_kind: 'company',
      bank_name: '招商银行',
      bank_holder: '测试商户',
      bank_no: '6225880012345678',
    })
    const [row] = (await call(calls.lst, { keyword: own.license_no })).data.list
    expect(row.bank_no).toBe('6225********5678')
    const stale = await call(calls.freeze, { id: own.id, version: 99, reason: '过期的版本' })
    expect(stale.text).not.toContain('6225880012345678')
    const seen = await call(calls.revealBank, { id: own.id, reason: '核对打款' })
    expect(seen.data).toMatchObject({ bank_no: '6225880012345678', holder: '测试商户' })
    const line = (await linesOf(own.id)).find(one => one.action === 'reveal')
    expect(line).toMatchObject({ reason: '核对打款', after: { field: 'merchant.bank_no' } })
    const bare = await freshMerchant(database)
    expect((await call(calls.revealBank, { id: bare.id, reason: '核对' })).status).toBe(422)
  })
  it('is found by each filter, by whoever has its city or owns it, and by nobody else', async () => {
    const bd = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [2] },
    })
    const own = await freshMerchant(database, {
      city_id: 2,
      bd_admin_id: bd.id,
      contract_end_at: now + 5 * DAY,
      license_expire_at: now + 5 * DAY,
    })
    const finds = async (filter: object, token = me.token) =>
      (await call(calls.lst, { keyword: own.license_no, ...filter }, token)).data.list.length
    for (const filter of [
      { status: 'active' },
      { city_id: 2 },
      { bd_admin_id: bd.id },
      { contract_ending: true },
      { license_expiring: true },
      { no_bank: true },
    ])
      expect([filter, await finds(filter)]).toEqual([filter, 1])
    for (const filter of [{ status: 'frozen' }, { city_id: 3 }, { bd_admin_id: 0 }])
      expect([filter, await finds(filter)]).toEqual([filter, 0])
    expect(await finds({}, bd.token)).toBe(1)
    const other = await addStaff(database, {
      perms: ['*'],
      role: { scope_type: 'city', scope_ids: [3] },
    })
    expect(await finds({}, other.token)).toBe(0)
    const far = await call(calls.freeze, { ...(await held(own.id)), reason: '越权' }, other.token)
    expect(far.status).toBe(404)
  })
})

describe('on a large table', () => {
  it('every filter of the list is served by an index', async () => {
    await fill(
      database.pool,
      `insert into merchant (merchant_no, name, license_no, license_image, legal_name, contact_name, contact_phone, licenses, city_id, bd_admin_id, contract_end_at, license_expire_at, bank_no, status)
        select 'G' || n, '大表商户' || n, 'G' || n, '', '王', '李', '', '[]', 1 + n % 6, 1 + n % 40, ${now} + (n % 1000) * 86400, ${now} + (n % 1500) * 86400, case when n % 50 > 0 then '6222' end, (array['active','active','active','active','frozen','draft','auditing','terminated'])[1 + n % 8] from generate_series(1, 60000) n`,
    )
    await database.pool.query('analyze merchant')
    const staff = { id: me.id, scope: everything, lang: 'zh' as const }
    const scanned: string[] = []
    for (const filter of [
      { status: 'frozen' as const },
      { city_id: 3 },
      { bd_admin_id: 7 },
      { bd_admin_id: 0 },
      { contract_ending: true },
      { license_expiring: true },
      { no_bank: true },
    ]) {
      const plans = await plansOf(database.pool, db =>
        shopIndexServer.handlers.lst({ page: 1, pageSize: 50, ...filter }, {
          db,
          staff,
          now,
        } as never),
      )
      const pages = plans.filter(({ text }) => text.includes('limit'))
      expect(pages.length).toBeGreaterThan(0)
      if (seqScans(pages, 'merchant').length > 0) scanned.push(JSON.stringify(filter))
    }
    expect(scanned).toEqual([])
  }, 60_000)
})
