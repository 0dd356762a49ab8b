import { and, eq, sql } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { application } from '#src/areas/application/application.table.ts'
import { brand_authorisation } from '#src/areas/brand/authorisation.table.ts'
import { brand } from '#src/areas/brand/brand.table.ts'
import { op_log } from '#src/areas/log/log.table.ts'
import { message } from '#src/areas/message/message.table.ts'
import { unixNow } from '#src/domain/time.ts'
import { brandAudit as calls } from '#src/modules/brand/contract/audit.ts'
import { brands } from '#src/modules/brand/contract/index.ts'
import { shopCate } from '#src/modules/shop/contract/cate.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { freshMerchant } from '../../help/merchants.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
let database: Database
let app: App
let bd: Person
let anna: Person
let ben: Person
let category_id: number
const DAY = 86_400
const now = unixNow()
const call = (what: Parameters<typeof send>[1], input: object, who: Person) =>
  send(app, what, input, { token: who.token })
const done = async (what: Parameters<typeof send>[1], input: object, who: Person) => {
  const said = await call(what, input, who)
  expect(said.status, said.message).toBe(200)
  return said.data
}
let made = 0
const addCategory = async (classes: number[], parent_id: number | null = null) => {
  const { rows } = await database.db.execute<{ id: number }>(
    sql`insert into shop_category (level, parent_id, name, commission_min_bp, commission_max_bp, floor_bp, need_licenses, trademark_classes) values (${parent_id ? 2 : 1}, ${parent_id}, ${`品牌类目${++made}`}, 0, 5000, 1000, '[]', ${JSON.stringify(classes)}::jsonb) returning id`,
  )
  return rows[0]!.id
}
beforeAll(async () => {
  database = await openCopy({ poolSize: 20 })
  app = await openApp(database)
  bd = await addStaff(database, { perms: ['*'] })
  anna = await addStaff(database, { perms: ['*'] })
  ben = await addStaff(database, { perms: ['*'] })
  // Its own classes are those of the one above.
  category_id = await addCategory([], await addCategory([43]))
})
const letters = '甲乙丙丁戊己庚辛壬癸'
/** A name that no other is like. */
const freshName = () => {
  const digits = String(++made).padStart(4, '0')
  return [...digits].map(digit => letters[Number(digit)]!.repeat(2)).join('')
}
const trading = () => freshMerchant(database, { bd_admin_id: bd.id })
const bodyFor = (own: { name: string }, more: object = {}) => ({
  name: freshName(),
  category_id,
  company: own.name,
  trademark_no: String(30_000_000 + ++made),
  trademark_classes: [43],
  trademark_end_at: now + 900 * DAY,
  trademark_image: 'demo/licence.webp',
  ...more,
})
const rowOf = async (id: number) =>
  (await database.db.select().from(application).where(eq(application.id, id)))[0]!
/** A merchant, and its application for a brand in the queue. */
const applied = async (more: object = {}, own?: Awaited<ReturnType<typeof trading>>) => {
  const of = own ?? (await trading())
  const body = bodyFor(of, more)
  const { id } = await done(calls.submit, { merchant_id: of.id, ...body }, bd)
  return { own: of, body, task: await rowOf(id) }
}
const one = ({ id, version }: { id: number; version: number }) => ({ id, version })
const why = { reason_code: 'trademark', reason: '注册证照片模糊' }
const brandNamed = async (name: string) =>
  (await database.db.select().from(brand).where(eq(brand.name, name)))[0]
const leaveOf = (brand_id: number) =>
  database.db.select().from(brand_authorisation).where(eq(brand_authorisation.brand_id, brand_id))
/** A brand in use. */
const standing = async (more: Partial<typeof brand.$inferInsert> = {}) => {
  const [row] = await database.db
    .insert(brand)
    .values({ name: freshName(), initial: 'J', category_id, state: 'on', ...more })
    .returning()
  return row!
}

describe('an application', () => {
  it('is checked at its fields before anybody looks at it', async () => {
    const own = await trading()
    const fields = async (more: object) => {
      const said = await call(calls.submit, { merchant_id: own.id, ...bodyFor(own, more) }, bd)
      expect(said.status).toBe(400)
      return Object.keys(said.data.fields)
    }
    for (const trademark_no of ['1234', '12345678901', 'X1234567', '一二三四五'])
      expect(await fields({ trademark_no })).toEqual(['trademark_no'])
    expect(await fields({ trademark_classes: [46] })).toEqual(['trademark_classes.0'])
    expect(await fields({ trademark_end_at: now - 1 })).toEqual(['trademark_end_at'])
    expect(await fields({ auth_end_at: now - 1 })).toEqual(['auth_end_at'])
    expect(await fields({ auth_end_at: now + 901 * DAY })).toEqual(['auth_end_at'])
    const { task } = await applied({ trademark_no: 'g1234567' })
    expect(task.snapshot.brand!.trademark_no).toBe('G1234567')
  })
  it('is one a brand for each merchant, until it is decided', async () => {
    const { own, body } = await applied()
    const again = {
      merchant_id: own.id,
      ...bodyFor(own, { name: `${body.name.slice(0, 2)} ${body.name.slice(2)}` }),
    }
    const twice = await call(calls.submit, { ...again, name: body.name }, bd)
    expect([twice.status, twice.data.rule]).toEqual([422, 'in_audit'])
    await done(calls.submit, { ...again, name: freshName() }, bd)
  })
})

describe('an approval', () => {
  it('makes the brand and the merchant’s leave at once, with a line in both logs', async () => {
    const { own, body, task } = await applied({ auth_end_at: now + 100 * DAY })
    await done(calls.claim, { id: task.id }, anna)
    const said = await done(calls.approve, one(await rowOf(task.id)), anna)
    expect(said.state).toBe('approved')
    const row = (await brandNamed(body.name))!
    expect(row).toMatchObject({
      state: 'on',
      trademark_no: body.trademark_no,
      trademark_classes: [43],
      auth_category_ids: [category_id],
      auth_end_at: now + 100 * DAY,
    })
    expect(await leaveOf(row.id)).toEqual([
      expect.objectContaining({
        merchant_id: own.id,
        application_id: task.id,
        end_at: now + 100 * DAY,
      }),
    ])
    const lines = await database.db
      .select({ type: op_log.object_type, of: op_log.object_id })
      .from(op_log)
      .where(and(eq(op_log.admin_id, anna.id), eq(op_log.action, 'brand.audit.approve')))
    expect(lines).toEqual(
      expect.arrayContaining([
        { type: 'application', of: task.id },
        { type: 'brand', of: row.id },
      ]),
    )
  })
  it('is refused where the trademark, its class or the authorisation does not hold', async () => {
    const other = await addCategory([25])
    const own = await trading()
    const paper = 'demo/licence.webp'
    const cases: [object, string][] = [
      [{ category_id: other }, 'class_gap'],
      [{ company: '别家公司' }, 'chain_broken'],
      [{ company: '别家公司', chain: [{ name: own.name, image: '' }] }, 'chain_proof'],
      [{ company: '别家公司', chain: [{ name: '中间商', image: paper }] }, 'chain_broken'],
    ]
    for (const [more, rule] of cases) {
      const { task } = await applied(more, own)
      const said = await call(calls.approve, one(task), anna)
      expect([said.status, said.data.rule]).toEqual([422, rule])
    }
    const { task } = await applied({}, own)
    const { brand: asked } = task.snapshot
    await database.db
      .update(application)
      .set({ snapshot: { brand: { ...asked!, trademark_end_at: now - 1 } } })
      .where(eq(application.id, task.id))
    const over = await call(calls.approve, one(task), anna)
    expect([over.status, over.data.rule]).toEqual([422, 'trademark_over'])
    expect(await brandNamed(task.title)).toBeUndefined()
  })
  it('asks for the classes that were set for its category', async () => {
    const of = await addCategory([])
    const { task } = await applied({ category_id: of })
    await done(shopCate.setLicense, { id: of, version: 0, list: [], classes: [25, 18] }, anna)
    expect((await done(calls.detail, { id: task.id }, anna)).needed).toEqual([25, 18])
    expect((await call(calls.approve, one(task), anna)).data.rule).toBe('class_gap')
  })
  it('of a category that names no classes is only warned of', async () => {
    const { task, body } = await applied({ category_id: await addCategory([]) })
    const { findings } = await done(calls.detail, { id: task.id }, anna)
    expect(findings.map((line: { rule: string }) => line.rule)).toEqual(['class_unknown'])
    await done(calls.approve, one(task), anna)
    expect(await brandNamed(body.name)).toBeDefined()
  })
  it('is not its BD’s, nor another’s who holds none, nor of an old version, nor twice', async () => {
    const { task } = await applied()
    expect((await call(calls.approve, one(task), bd)).status).toBe(422)
    expect((await call(calls.claim, { id: task.id }, bd)).message).toMatch(/自己/)
    await done(calls.claim, { id: task.id }, anna)
    const foreign = await call(calls.approve, one(await rowOf(task.id)), ben)
    expect([foreign.status, foreign.data.rule]).toEqual([422, 'claimed'])
    expect((await call(calls.approve, one(task), anna)).status).toBe(409)
    await done(calls.approve, one(await rowOf(task.id)), anna)
    const twice = await call(calls.reject, { ...one(await rowOf(task.id)), ...why }, ben)
    expect([twice.status, twice.data.rule]).toEqual([422, 'decided'])
    expect(twice.message).toContain(anna.account)
  })
  it('is taken back while nothing was built on it', async () => {
    const { task, body } = await applied()
    await done(calls.approve, one(task), anna)
    expect((await done(calls.undo, { ids: [task.id] }, ben)).failed).toHaveLength(1)
    expect((await done(calls.undo, { ids: [task.id] }, anna)).ok).toEqual([task.id])
    expect(await brandNamed(body.name)).toBeUndefined()
    expect(await rowOf(task.id)).toMatchObject({ state: 'claimed', claimed_by: anna.id })
    await done(calls.approve, one(await rowOf(task.id)), anna)
    const row = (await brandNamed(body.name))!
    await done(brands.setRecommend, one(row), anna)
    const late = await done(calls.undo, { ids: [task.id] }, anna)
    expect(late.failed[0].code).toBe('changed')
  })
})

describe('where one like it exists', () => {
  it('the same name must be joined, or told apart by another one', async () => {
    const there = await standing()
    const { task } = await applied({ name: ` ${there.name}` })
    const plain = await call(calls.approve, one(task), anna)
    expect([plain.status, plain.data.rule]).toEqual([422, 'same_name'])
    const same = { ...one(task), name: there.name, reason: '两家公司的不同品牌' }
    const taken = await call(calls.approveApart, same, anna)
    expect([taken.status, taken.data.rule]).toEqual([422, 'name_exists'])
    await done(calls.approveApart, { ...same, name: `${there.name}（餐饮）` }, anna)
    expect(await rowOf(task.id)).toMatchObject({ state: 'approved', reason: same.reason })
    expect(await brandNamed(`${there.name}（餐饮）`)).toBeDefined()
  })
  it('names alike and a trademark in use are told of, with how alike they are', async () => {
    const there = await standing({ trademark_no: '7654321' })
    const { task } = await applied({ name: `${there.name} 旗舰店`, trademark_no: '7654321' })
    expect(task.flags).toEqual(['alike', 'trademark_taken'])
    const of = await done(calls.detail, { id: task.id }, anna)
    expect(of.task.alike[0]).toEqual({ id: there.id, name: there.name, percent: 100 })
    const { list } = await done(calls.brands, { id: task.id }, anna)
    expect(list[0]).toMatchObject({ id: there.id, percent: 100 })
    const beside = await done(calls.compare, { id: task.id, brand_id: there.id }, anna)
    expect(beside).toMatchObject({ name: there.name, trademark_no: '7654321', stores: 0 })
  })
  it('joining gives the merchant leave to use it, and takes that back', async () => {
    const there = await standing({ auth_category_ids: [1], auth_end_at: now + 10 * DAY })
    const { own, task } = await applied({ name: there.name, auth_end_at: now + 50 * DAY })
    await done(calls.approveAsExisting, { ...one(task), brand_id: there.id }, anna)
    expect(await brandNamed(there.name)).toMatchObject({
      auth_category_ids: [1, category_id],
      auth_end_at: now + 50 * DAY,
    })
    expect(await leaveOf(there.id)).toEqual([
      expect.objectContaining({ merchant_id: own.id, end_at: now + 50 * DAY }),
    ])
    expect((await done(calls.undo, { ids: [task.id] }, anna)).ok).toEqual([task.id])
    expect(await leaveOf(there.id)).toEqual([])
    expect(await brandNamed(there.name)).toMatchObject({
      auth_category_ids: [1],
      auth_end_at: now + 10 * DAY,
    })
  })
  it('a merged or disabled one can’t be joined', async () => {
    const there = await standing({ state: 'off' })
    const { task } = await applied()
    const said = await call(calls.approveAsExisting, { ...one(task), brand_id: there.id }, anna)
    expect([said.status, said.data.rule]).toEqual([422, 'disabled'])
  })
})

describe('what is sent back', () => {
  it('reaches whoever submitted it, and comes again with what is otherwise', async () => {
    const { body, task } = await applied()
    await done(calls.reject, { ...one(task), ...why }, anna)
    const [told] = await database.db
      .select()
      .from(message)
      .where(and(eq(message.admin_id, bd.id), eq(message.kind, 'applied_refused')))
    expect(JSON.stringify(told!.facts)).toContain(why.reason)
    const sent = { ...body, trademark_no: '88888888' }
    await done(calls.resubmit, { ...one(await rowOf(task.id)), ...sent }, bd)
    const { list } = await done(calls.lst, { keyword: body.name }, anna)
    expect(list).toHaveLength(1)
    expect(list[0]).toMatchObject({ round: 2, state: 'pending' })
    const of = await done(calls.detail, { id: list[0].id }, anna)
    expect(of.last).toEqual({ trademark_no: body.trademark_no })
    expect(of.rounds[0]).toMatchObject({ state: 'rejected', reason: why.reason })
  })
  it('for more comes again as the same one; nothing else is submitted again', async () => {
    const { body, task } = await applied()
    const early = await call(calls.resubmit, { ...one(task), ...body }, bd)
    expect([early.status, early.data.rule]).toEqual([422, 'wrong_state'])
    expect((await call(calls.askMore, { ...one(task), reason: '' }, anna)).status).toBe(400)
    await done(calls.askMore, { ...one(task), reason: '请补注册证' }, anna)
    expect((await call(calls.resubmit, { ...one(task), ...body }, bd)).status).toBe(409)
    await done(calls.resubmit, { ...one(await rowOf(task.id)), ...body }, bd)
    expect(await rowOf(task.id)).toMatchObject({ state: 'pending', round: 2, reason: null })
  })
  it('wants a code and words, also of several at once', async () => {
    const [a, b] = [await applied(), await applied()]
    expect((await call(calls.reject, { ...one(a.task), reason: '模糊' }, anna)).status).toBe(400)
    await done(calls.claim, { id: b.task.id }, ben)
    const tasks = [one(a.task), one(await rowOf(b.task.id))]
    const said = await done(calls.batchReject, { tasks, ...why }, anna)
    expect([said.ok, said.failed[0].code]).toEqual([[a.task.id], 'claimed'])
  })
})

describe('a change of a brand', () => {
  it('leaves it as it is until it is approved', async () => {
    const there = await standing({ company: '旧公司', auth_category_ids: [category_id] })
    const more = { name: there.name, brand_id: there.id }
    const { own, task } = await applied(more)
    expect(task).toMatchObject({ kind: 'brand_change', flags: [] })
    expect(await brandNamed(there.name)).toMatchObject({ company: '旧公司' })
    const { live } = await done(calls.detail, { id: task.id }, anna)
    expect(live).toMatchObject({ company: '旧公司', trademark_no: '' })
    await done(calls.approve, one(task), anna)
    expect(await brandNamed(there.name)).toMatchObject({ company: own.name })
    expect((await done(calls.detail, { id: task.id }, anna)).live).toEqual(live)
  })
})

describe('the queue', () => {
  it('counts each tab, kind and age as it lists them, and no merchants', async () => {
    await applied()
    const counts = await done(calls.counts, {}, anna)
    const total = async (input: object) => (await done(calls.lst, input, anna)).total
    expect(counts.open).toBe(await total({}))
    expect(counts.kind_brand).toBe(await total({ kind: 'brand' }))
    expect(counts.kind_merchant).toBeUndefined()
    expect((await call(calls.lst, { kind: 'merchant' }, anna)).status).toBe(400)
  })
  it('hands one on to a colleague who may decide it, not to its BD', async () => {
    const { task } = await applied()
    const reason = '请帮忙核实'
    const own = await call(calls.transfer, { ...one(task), admin_id: bd.id, reason }, anna)
    expect([own.status, own.data.rule]).toEqual([422, 'not_theirs'])
    await done(calls.transfer, { ...one(task), admin_id: ben.id, reason }, anna)
    expect(await rowOf(task.id)).toMatchObject({ claimed_by: ben.id })
  })
})

onlyOn('postgres')('two auditors at the same moment', () => {
  it('make one brand of two applications for the same name', async () => {
    for (let round = 0; round < 5; round++) {
      const name = freshName()
      const tasks = [(await applied({ name })).task, (await applied({ name })).task]
      const both = await Promise.all([
        call(calls.approve, one(tasks[0]!), anna),
        call(calls.approve, one(tasks[1]!), ben),
      ])
      expect(both.filter(said => said.status === 200)).toHaveLength(1)
      const lost = both.find(said => said.status !== 200)!
      expect(['same_name', 'name_exists']).toContain(lost.data.rule)
    }
  })
  it('decide one application once', async () => {
    const { task } = await applied()
    const both = await Promise.all([
      call(calls.approve, one(task), anna),
      call(calls.reject, { ...one(task), ...why }, ben),
    ])
    expect(both.map(said => said.status).toSorted()).toEqual([200, 422])
  })
})
