import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { application } from '#src/areas/application/application.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { risk_list } from '#src/areas/risk/risk.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { shopAdd } from '#src/modules/shop/contract/add.ts'
import { shopAudit as calls } from '#src/modules/shop/contract/audit.ts'
import { shopIndex } from '#src/modules/shop/contract/index.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshCredit, freshMerchant } from '../../help/merchants.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let bd: Person
let anna: Person
let ben: Person
beforeAll(async () => {
  database = await openCopy({ poolSize: 20 })
  app = await openApp(database)
  bd = await addStaff(database, { perms: ['*'] })
  anna = await addStaff(database, { perms: ['*'] })
  ben = await addStaff(database, { perms: ['*'] })
})
const DAY = 86_400
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, who: Person) =>
  send(app, what, input, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person) => {
  const said = await call(what, input, who)
  expect(said.status, said.message).toBe(200)
  return said.data
}
const merchantOf = async (id: number) =>
  (await database.db.select().from(merchant).where(eq(merchant.id, id)))[0]!
/** What a merchant applied for last. */
const appliedBy = async (merchant_id: number) =>
  (await database.db.select().from(application).where(eq(application.merchant_id, merchant_id))).at(
    -1,
  )!
let phones = 0
const freshPhone = () => `1381234${String(1000 + ++phones)}`
const freshAccount = () => `62258800${String(10_000_000 + ++phones)}`
const whole = () => ({
  name: `测试入驻${++phones}有限公司`,
  license_no: freshCredit(),
  license_image: 'demo/licence.webp',
  license_expire_at: now + 900 * DAY,
  legal_name: '王大明',
  legal_id_no: '11010519491231002X',
  contact_name: '李小红',
  contact_phone: freshPhone(),
  city_id: 1,
  category_ids: [] as number[],
  bank_kind: 'company',
  bank_name: '招商银行',
  bank_no: freshAccount(),
  contract_no: 'HT2026001',
  contract_start_at: now,
  contract_end_at: now + 365 * DAY,
  commission_bp: 1000,
})
const draft = async (more: object = {}) => {
  const { rows } = await database.db.execute<{ id: number }>(
    sql`insert into shop_category (level, name, commission_min_bp, commission_max_bp, floor_bp, need_licenses) values (2, ${`无证类目${++phones}`}, 0, 5000, 1000, '[]') returning id`,
  )
  const of = { ...whole(), category_ids: [rows[0]!.id], ...more }
  return { ...of, bank_holder: of.name }
}
/** A new merchant in audit, and its application. */
const applied = async (more: object = {}) => {
  const { id } = await done(shopAdd.submit, await draft(more), bd)
  return { id: id as number, task: await appliedBy(id) }
}
/** The fields of a merchant that trades, as the form sends them, with some otherwise. */
const changed = async (own: Awaited<ReturnType<typeof freshMerchant>>, more: object) => ({
  id: own.id,
  version: own.version,
  name: own.name,
  license_no: own.license_no,
  license_image: own.license_image,
  license_expire_at: own.license_expire_at,
  legal_name: own.legal_name,
  city_id: own.city_id,
  contract_start_at: own.contract_start_at,
  contract_end_at: own.contract_end_at,
  ...more,
})
const trading = () =>
  freshMerchant(database, {
    bd_admin_id: bd.id,
    contact_phone: freshPhone(),
    license_image: 'demo/licence.webp',
  })
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const why = { reason_code: 'licence', reason: '执照照片模糊' }

describe('a draft', () => {
  it('is in audit once it is submitted, and waits 24 hours for its decision', async () => {
    const { id, task } = await applied()
    expect(await merchantOf(id)).toMatchObject({ status: 'auditing', bd_admin_id: bd.id })
    expect(task).toMatchObject({ kind: 'merchant', state: 'pending', round: 1, flags: [] })
    expect(task.sla_at - task.submitted_at).toBe(24 * 3600)
    expect(JSON.stringify(task.snapshot)).toContain('王大明')
  })
  it('is submitted from the list too, complete alone', async () => {
    const bare = { name: '新商户', license_no: freshCredit(), legal_name: '王大明', city_id: 1 }
    const made = await done(shopAdd.saveDraft, bare, bd)
    const said = await call(shopIndex.submit, made, bd)
    expect([said.status, said.data.rule]).toEqual([422, 'incomplete'])
    expect(said.message).toContain('营业执照照片')
    const full = await done(shopAdd.saveDraft, await draft(), bd)
    await done(shopIndex.submit, full, bd)
    expect((await merchantOf(full.id)).status).toBe('auditing')
  })
  it('is taken back while nobody has decided it, and its decision is refused with when', async () => {
    const { id, task } = await applied()
    await done(calls.claim, { id: task.id }, anna)
    await done(shopIndex.withdraw, one(await merchantOf(id)), bd)
    expect((await merchantOf(id)).status).toBe('draft')
    const said = await call(calls.approve, one(task), anna)
    expect([said.status, said.data.rule]).toEqual([422, 'withdrawn'])
  })
})

describe('an approval', () => {
  it('makes the merchant active, with a line in the log of both', async () => {
    const { id, task } = await applied()
    const claimed = await done(calls.claim, { id: task.id }, anna)
    const said = await done(calls.approve, one({ ...claimed, id: task.id }), anna)
    expect(said.state).toBe('approved')
    expect((await merchantOf(id)).status).toBe('active')
    const lines = await database.db
      .select({ type: op_log.object_type, of: op_log.object_id })
      .from(op_log)
      .where(and(eq(op_log.admin_id, anna.id), eq(op_log.action, 'shop.audit.approve')))
    expect(lines).toEqual(
      expect.arrayContaining([
        { type: 'application', of: task.id },
        { type: 'merchant', of: id },
      ]),
    )
  })
  it('is not its BD’s, nor that of whoever submitted it', async () => {
    const { task } = await applied()
    for (const said of [
      await call(calls.claim, { id: task.id }, bd),
      await call(calls.approve, one(task), bd),
    ]) {
      expect(said.status).toBe(422)
      expect(said.message).toMatch(/自己/)
    }
    const own = await trading()
    const other = { ...(await changed(own, { contact_name: '赵四' })) }
    await done(shopAdd.submit, other, ben)
    const said = await call(calls.approve, one(await appliedBy(own.id)), ben)
    expect(said.message).toContain('不能审核自己提交的内容')
    expect((await call(calls.claimNext, { keyword: own.name }, ben)).data.tasks).toEqual([])
    expect((await call(calls.claimNext, { keyword: own.name }, bd)).data.tasks).toEqual([])
  })
  it('looks at the licence and the credit code once more, as they are then', async () => {
    const { id, task } = await applied()
    await database.db
      .update(application)
      .set({ snapshot: { ...task.snapshot, license_expire_at: now - DAY } })
      .where(eq(application.id, task.id))
    const over = await call(calls.approve, one(task), anna)
    expect([over.status, over.data.rule]).toEqual([422, 'licence_expired'])
    const own = await trading()
    await database.db
      .update(application)
      .set({ snapshot: { ...task.snapshot, license_no: own.license_no } })
      .where(eq(application.id, task.id))
    const taken = await call(calls.approve, one(task), anna)
    expect([taken.status, taken.data.rule]).toEqual([422, 'credit_taken'])
    expect(taken.message).toContain(own.name)
    expect((await merchantOf(id)).status).toBe('auditing')
  })
  it('of one that another holds is refused, with who holds it', async () => {
    const { task } = await applied()
    await done(calls.claim, { id: task.id }, anna)
    const said = await call(calls.approve, one({ ...task, version: task.version + 1 }), ben)
    expect([said.status, said.data.rule]).toEqual([422, 'claimed'])
    expect(said.message).toContain(anna.account)
  })
  it('is taken back while nothing was built on it', async () => {
    const { id, task } = await applied()
    await done(calls.approve, one(task), anna)
    expect((await done(calls.undo, { ids: [task.id] }, ben)).failed).toHaveLength(1)
    expect((await done(calls.undo, { ids: [task.id] }, anna)).ok).toEqual([task.id])
    expect((await merchantOf(id)).status).toBe('auditing')
    expect(await appliedBy(id)).toMatchObject({ state: 'claimed', claimed_by: anna.id })
    await done(calls.approve, one(await appliedBy(id)), anna)
    await done(shopIndex.edit, { ...one(await merchantOf(id)), contact_name: '赵四' }, bd)
    const late = await done(calls.undo, { ids: [task.id] }, anna)
    expect(late.failed[0].code).toBe('changed')
  })
})

describe('a refusal', () => {
  it('wants a code and words, and makes the merchant a draft that says why', async () => {
    const { id, task } = await applied()
    expect((await call(calls.reject, { ...one(task), reason: '模糊' }, anna)).status).toBe(400)
    expect((await call(calls.reject, { ...one(task), ...why, reason: '' }, anna)).status).toBe(400)
    await done(calls.reject, { ...one(task), ...why }, anna)
    expect(await merchantOf(id)).toMatchObject({ status: 'draft', status_reason: why.reason })
  })
  it('is followed by a submission that shows what is otherwise', async () => {
    const { id, task } = await applied()
    await done(calls.reject, { ...one(task), ...why }, anna)
    const row = await merchantOf(id)
    await done(
      shopAdd.submit,
      { ...(await draft()), ...task.snapshot, ...one(row), contact_name: '赵四' },
      bd,
    )
    const again = await appliedBy(id)
    expect(again).toMatchObject({ round: 2, state: 'pending' })
    const { last, rounds } = await done(calls.detail, { id: again.id }, anna)
    expect(last).toEqual({ contact_name: '李小红' })
    expect(rounds[0]).toMatchObject({ state: 'rejected', reason: why.reason })
  })
  it('puts a fraud on the black list, and takes that back with itself', async () => {
    const { id, task } = await applied()
    const { license_no } = await merchantOf(id)
    await done(calls.blacklist, { ...one(task), reason: '冒用他人执照' }, anna)
    const listed = () =>
      database.db
        .select()
        .from(risk_list)
        .where(and(eq(risk_list.value, license_no), eq(risk_list.status, 'on')))
    expect(await listed()).toHaveLength(1)
    await done(calls.undo, { ids: [task.id] }, anna)
    expect(await listed()).toEqual([])
    await done(calls.blacklist, { ...one(await appliedBy(id)), reason: '冒用他人执照' }, anna)
    const row = await merchantOf(id)
    await done(shopIndex.submit, one(row), bd)
    const again = await appliedBy(id)
    expect(again.flags).toEqual(expect.arrayContaining(['black_licence', 'black_phone']))
    expect((await call(calls.approve, one(again), anna)).data.rule).toBe('black_licence')
  })
})

describe('what is asked for besides', () => {
  it('goes back to the one who submitted, and comes again as the next round', async () => {
    const { id, task } = await applied()
    const asked = { items: ['license_image', 'contract'], reason: '请补盖章合同' }
    expect((await call(calls.askMore, { ...one(task), ...asked, items: [] }, anna)).status).toBe(
      400,
    )
    await done(calls.askMore, { ...one(task), ...asked }, anna)
    const form = await done(shopAdd.detail, { id }, bd)
    expect(form.application).toMatchObject({ state: 'need_more', asked: asked.items })
    await done(shopIndex.submit, one(await merchantOf(id)), bd)
    expect(await appliedBy(id)).toMatchObject({ id: task.id, state: 'pending', round: 2 })
  })
})

describe('a change of a merchant that trades', () => {
  it('leaves what is live as it is until it is approved', async () => {
    const own = await trading()
    const name = `${own.name}（新）`
    await done(shopAdd.submit, await changed(own, { name }), bd)
    const task = await appliedBy(own.id)
    expect(task).toMatchObject({ kind: 'licence', changed: ['name'], snapshot: { name } })
    expect((await merchantOf(own.id)).name).toBe(own.name)
    const { body, live } = await done(calls.detail, { id: task.id }, anna)
    expect(live).toEqual({ name: own.name })
    expect(body).toMatchObject({ name, legal_name: own.legal_name })
    await done(calls.approve, one(task), anna)
    expect((await merchantOf(own.id)).name).toBe(name)
    expect((await done(calls.detail, { id: task.id }, anna)).live).toEqual({ name: own.name })
  })
  it('is of the gravest kind of what it changes', async () => {
    const own = await trading()
    const bank = { bank_kind: 'personal', bank_holder: own.legal_name, bank_name: '招商银行' }
    const next = { ...bank, bank_no: freshAccount(), contact_name: '赵四' }
    await done(shopAdd.submit, await changed(own, next), bd)
    expect((await appliedBy(own.id)).kind).toBe('bank')
    const twice = await call(shopAdd.submit, await changed(own, { contact_name: '钱五' }), bd)
    expect([twice.status, twice.data.rule]).toEqual([422, 'in_audit'])
  })
  it('keeps what was asked for and comes masked, when it comes again', async () => {
    const own = await trading()
    const bank_no = freshAccount()
    const bank = { bank_kind: 'personal', bank_holder: own.legal_name, bank_name: '招商银行' }
    await done(shopAdd.submit, await changed(own, { ...bank, bank_no }), bd)
    const task = await appliedBy(own.id)
    const asked = { items: ['bank'], reason: '请补开户许可' }
    await done(calls.askMore, { ...one(task), ...asked }, anna)
    expect((await done(shopAdd.detail, { id: own.id }, bd)).bank_name).toBe('招商银行')
    await done(shopAdd.submit, await changed(own, { ...bank, bank_name: '工商银行' }), bd)
    const again = await appliedBy(own.id)
    expect(again).toMatchObject({ id: task.id, round: 2, snapshot: { bank_no } })
    const { last } = await done(calls.detail, { id: task.id }, anna)
    expect(last).toEqual({ bank_name: '招商银行' })
  })
  it('is none of what was agreed, and not nothing', async () => {
    const own = await trading()
    const rate = await call(shopAdd.submit, await changed(own, { commission_bp: 500 }), bd)
    expect([rate.status, Object.keys(rate.data.fields)]).toEqual([400, ['commission_bp']])
    expect((await call(shopAdd.submit, await changed(own, {}), bd)).status).toBe(400)
  })
  it('alone is decided in a batch, and only a small one without a flag', async () => {
    const small = await trading()
    await done(shopAdd.submit, await changed(small, { contact_name: '赵四' }), bd)
    const flagged = await trading()
    const { contact_phone } = await trading()
    await done(shopAdd.submit, await changed(flagged, { contact_phone }), bd)
    const grave = await applied()
    const tasks = [await appliedBy(small.id), await appliedBy(flagged.id), grave.task]
    const said = await done(calls.batchApprove, { tasks: tasks.map(one) }, anna)
    expect(said.ok).toEqual([tasks[0]!.id])
    expect(said.failed.map((line: { code: string }) => line.code)).toEqual(['flagged', 'by_itself'])
    const refused = await done(calls.batchReject, { tasks: tasks.slice(1).map(one), ...why }, anna)
    expect([refused.ok, refused.failed.length]).toEqual([[tasks[1]!.id], 1])
  })
})

describe('the queue', () => {
  it('counts each tab, kind and age as it lists them', async () => {
    const { task } = await applied()
    await database.db
      .update(application)
      .set({ sla_at: now - 60 })
      .where(eq(application.id, task.id))
    const counts = await done(calls.counts, {}, anna)
    const total = async (input: object) => (await done(calls.lst, input, anna)).total
    expect(counts.open).toBe(await total({}))
    expect(counts.kind_merchant).toBe(await total({ kind: 'merchant' }))
    expect(counts.wait_late).toBe(await total({ wait: 'late' }))
    expect(counts.approved).toBe(await total({ state: 'approved' }))
    expect(counts.wait_fresh + counts.wait_pressing + counts.wait_late).toBe(counts.open)
  })
  it('hands one on to a colleague who may decide it, not to its BD', async () => {
    const { task } = await applied()
    const reason = '请帮忙核实'
    const own = await call(calls.transfer, { ...one(task), admin_id: bd.id, reason }, anna)
    expect([own.status, own.data.rule]).toEqual([422, 'not_theirs'])
    await done(calls.transfer, { ...one(task), admin_id: ben.id, reason }, anna)
    expect(await appliedBy(task.merchant_id)).toMatchObject({ claimed_by: ben.id })
  })
  it('tells of others with the same name, phone or account', async () => {
    const own = await trading()
    const { task } = await applied({ contact_phone: own.contact_phone })
    const { twins, findings } = await done(calls.detail, { id: task.id }, anna)
    expect(twins).toEqual([expect.objectContaining({ id: own.id, by: ['phone'] })])
    expect(findings.map((line: { rule: string }) => line.rule)).toContain('same_phone')
  })
  it('hides what a role may not see, in every version of it', async () => {
    const { task } = await applied()
    const blind = await addStaff(database, {
      perms: ['*'],
      role: { field_rules: { 'merchant.legal_id_no': 'hide', 'merchant.contact_phone': 'hide' } },
    })
    const { text } = await call(calls.detail, { id: task.id }, blind)
    expect(text).toContain('王大明')
    for (const hidden of ['11010519491231002X', task.snapshot.contact_phone!])
      expect(text).not.toContain(hidden)
  })
  it('never shows an account in clear', async () => {
    const { id, task } = await applied()
    const said = await call(calls.detail, { id: task.id }, anna)
    expect(said.text).not.toContain((await merchantOf(id)).bank_no!)
  })
})

onlyOn('postgres')('two auditors at the same moment', () => {
  it('decide one application once: the loser is told who won and when', async () => {
    for (let round = 0; round < 5; round++) {
      const { id, task } = await applied()
      const both = await Promise.all([
        call(calls.approve, one(task), anna),
        call(calls.reject, { ...one(task), ...why }, ben),
      ])
      const won = both.findIndex(said => said.status === 200)
      const lost = both[1 - won]!
      expect([won >= 0, lost.status, lost.data.rule]).toEqual([true, 422, 'decided'])
      expect(lost.message).toContain([anna, ben][won]!.account)
      expect((await merchantOf(id)).status).toBe(won === 0 ? 'active' : 'draft')
    }
  })
  it('never claim the same one', async () => {
    const name = `并发${++phones}`
    const made = [await applied({ name }), await applied({ name }), await applied({ name })]
    const taken = await Promise.all(
      [anna, ben, anna, ben].map(who => call(calls.claimNext, { keyword: name }, who)),
    )
    const ids = taken.flatMap(said => said.data.tasks.map((task: { id: number }) => task.id))
    expect(ids.toSorted()).toEqual(made.map(({ task }) => task.id).toSorted())
  })
  it('do not let a withdrawal and an approval both happen', async () => {
    const { id, task } = await applied()
    const row = await merchantOf(id)
    const both = await Promise.all([
      call(calls.approve, one(task), anna),
      call(shopIndex.withdraw, one(row), bd),
    ])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    const { state } = await appliedBy(id)
    expect((await merchantOf(id)).status).toBe(state === 'approved' ? 'active' : 'draft')
  })
})
