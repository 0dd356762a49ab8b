import { and, asc, eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { member } from '#src/areas/member/member.table.ts'
import { tryNumber } from '#src/areas/vipCard/codes.server.ts'
import { vipNow } from '#src/areas/vipCard/subscriptions.server.ts'
import { vip_card_code, vip_card_order, vip_code_batch } from '#src/areas/vipCard/vipCard.table.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import { vipApp, vipBatches as calls, vipCodes } from '#src/modules/vip/contract/cardManage.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { onlyOn, openCopy } from '../../farm.ts'
import { addStaff, openApp, send } from '../../help/app.ts'
import { aBuyer } from '../../help/cardOrders.ts'
import { sealerFor } from '../../help/ecardCodes.ts'
import { aPlan } from '../../help/vipCards.ts'

let database: Database
let app: App
let maker: string
let other: string
beforeAll(async () => {
  database = await openCopy({ poolSize: 10 })
  app = await openApp(database)
  maker = (await addStaff(database, { perms: ['vip.card.manage.*'] })).token
  other = (await addStaff(database, { perms: ['vip.card.manage.*'] })).token
})
type Call = Parameters<typeof send>[1]
const ask = (call: Call, input: object, token = maker) => send(app, call, input, { token })
const ruleOf = (said: { status: number; data: { rule?: string } | null }) =>
  said.data?.rule ?? said.status
const batchOf = async (id: number) =>
  (await database.db.select().from(vip_code_batch).where(eq(vip_code_batch.id, id)))[0]!
const one = async (id: number) => ({ id, version: (await batchOf(id)).version })
const codesIn = (batch_id: number) =>
  database.db
    .select()
    .from(vip_card_code)
    .where(eq(vip_card_code.batch_id, batch_id))
    .orderBy(asc(vip_card_code.id))
const make = async (quantity = 4) => {
  const plan = await aPlan(database)
  const { data } = await ask(calls.makeBatch, {
    card_id: plan.id,
    quantity,
    channel: '测试渠道',
    expire_at: unixNow() + 30 * DAY,
    reason: '测试制卡',
  })
  return data as { id: number; waits: boolean }
}
/** A number that was handed out, with its secret. */
const issued = async () => {
  const { id } = await make(1)
  await ask(calls.issue, { ...(await one(id)), channel: '银行' })
  const [code] = await codesIn(id)
  const sealer = await sealerFor(database)
  return { code: code!, secret: sealer.open(code!.secret_sealed, code!.secret_hash) }
}
const tried = (card_no: string, secret: string, phone: string, now = unixNow()) =>
  database.transaction(async tx =>
    tryNumber(tx, await sealerFor({ db: tx }), { card_no, secret, phone, now }),
  )
const codeOf = async (id: number) =>
  (await database.db.select().from(vip_card_code).where(eq(vip_card_code.id, id)))[0]!

describe('a batch', () => {
  it('is made at once up to a thousand, handed out, fetched with a reason and made longer', async () => {
    const { id, waits } = await make(5)
    expect([waits, (await batchOf(id)).status, (await codesIn(id)).length]).toEqual([
      false,
      'ready',
      5,
    ])
    const stored = JSON.stringify(await codesIn(id))
    const file = await ask(calls.exportSecrets, { ...(await one(id)), reason: '交付渠道' })
    expect([file.status, file.data.rows, file.data.left]).toEqual([200, 5, 0])
    expect(stored).not.toContain(file.data.secret_password)
    await ask(calls.exportSecrets, { ...(await one(id)), reason: '渠道重新索取' })
    expect((await batchOf(id)).exports).toBe(2)
    const handed = await ask(calls.issue, { ...(await one(id)), channel: '移动' })
    expect(handed.data.issued).toBe(5)
    expect(ruleOf(await ask(calls.issue, { ...(await one(id)), channel: '移动' }))).toBe(
      'nothing_to_issue',
    )
    const { expire_at } = await batchOf(id)
    const extend = async (to: number) =>
      (await ask(calls.extendBatch, { ...(await one(id)), expire_at: to, reason: '延期' })).status
    expect([await extend(expire_at - 1), await extend(expire_at + DAY)]).toEqual([400, 200])
    expect((await codesIn(id)).every(code => code.expire_at === expire_at + DAY)).toBe(true)
  })
  it('above a thousand waits for somebody else, who agrees or turns it down once', async () => {
    const { id, waits } = await make(1001)
    expect([waits, (await codesIn(id)).length]).toEqual([true, 0])
    expect(ruleOf(await ask(calls.approveBatch, await one(id)))).toBe('batch_approveBatch')
    expect(ruleOf(await ask(calls.issue, { ...(await one(id)), channel: '移' }))).toBe(
      'batch_issue',
    )
    const held = await one(id)
    const both = await Promise.all([
      ask(calls.approveBatch, held, other),
      ask(calls.rejectBatch, { ...held, reason: '渠道未签约' }, other),
    ])
    expect(both.filter(said => said.status === 200)).toHaveLength(1)
    const { maker_id, checker_id } = await batchOf(id)
    expect(checker_id).not.toBe(maker_id)
  })
})
describe('a number', () => {
  it('opens a membership once, for whoever has its secret', async () => {
    const { code, secret } = await issued()
    const buyer = await aBuyer(database)
    const said = await send(app, vipApp.activate, {
      card_no: ` ${code.card_no.slice(0, 8)} ${code.card_no.slice(8)}`,
      secret: secret.toLowerCase(),
      phone: buyer.phone,
    })
    expect(said.data).toEqual({ state: 'active' })
    const sub = await vipNow(database.db, buyer.id, unixNow())
    const [held] = await database.db.select().from(member).where(eq(member.id, buyer.id))
    expect(held!.vip_end_at).toBe(sub!.end_at)
    const other_one = await aBuyer(database)
    expect(await tried(code.card_no, secret, other_one.phone)).toBe('used')
    const { status, member_id } = await codeOf(code.id)
    expect([status, member_id]).toEqual(['activated', buyer.id])
    const held_code = await codeOf(code.id)
    const voided = await ask(vipCodes.voidCodes, { ids: [code.id], reason: '误发' })
    expect([voided.data.ok, voided.data.failed.length]).toEqual([[], 1])
    const bound = { id: code.id, version: held_code.version, member_id: other_one.id }
    expect(ruleOf(await ask(vipCodes.rebind, { ...bound, reason: '换人' }))).toBe('number_rebind')
  })
  it('is locked for a day by five wrong secrets in a row, and told of to nobody', async () => {
    const { code, secret } = await issued()
    const { phone } = await aBuyer(database)
    const now = unixNow()
    for (let n = 0; n < 5; n++) expect(await tried(code.card_no, 'WRONG', phone, now)).toBe('wrong')
    expect(await tried(code.card_no, secret, phone, now + DAY - 1)).toBe('locked')
    expect(await tried('9999999999999999', secret, phone, now)).toBe('wrong')
    expect(await tried(code.card_no, secret, phone, now + DAY)).toBe('active')
  })
  it('is refused frozen, expired, to another than it is bound to, and before it is handed out', async () => {
    const { code, secret } = await issued()
    const [mine, another] = [await aBuyer(database), await aBuyer(database)]
    const version = async () => (await codeOf(code.id)).version
    await ask(vipCodes.freeze, { ids: [code.id], reason: '核实' })
    expect(await tried(code.card_no, secret, mine.phone)).toBe('frozen')
    await ask(vipCodes.unfreeze, { id: code.id, version: await version() })
    const bind = { id: code.id, version: await version(), member_id: mine.id, reason: '客户来电' }
    expect((await ask(vipCodes.rebind, bind)).status).toBe(200)
    expect(await tried(code.card_no, secret, another.phone)).toBe('refused')
    expect(await tried(code.card_no, secret, '13000000000')).toBe('refused')
    expect(await tried(code.card_no, secret, mine.phone, code.expire_at)).toBe('expired')
    expect(await tried(code.card_no, secret, mine.phone)).toBe('active')
    const { id } = await make(1)
    const [fresh] = await codesIn(id)
    const own = (await sealerFor(database)).open(fresh!.secret_sealed, fresh!.secret_hash)
    expect(await tried(fresh!.card_no, own, mine.phone)).toBe('refused')
  })
  it('is seen by nobody who sees a city alone', async () => {
    const { code } = await issued()
    const city = await addStaff(database, {
      perms: ['vip.card.manage.*'],
      role: { scope_type: 'city', scope_ids: [1] },
    })
    const { data } = await ask(vipCodes.lst, { keyword: code.card_no }, city.token)
    expect(data.list).toEqual([])
    const all = await ask(vipCodes.lst, { keyword: code.card_no })
    expect(all.data.list.map((row: { id: number }) => row.id)).toEqual([code.id])
  })
})
onlyOn('postgres')('at the same moment', () => {
  it('two activations of one number open one membership', async () => {
    const { code, secret } = await issued()
    const [a, b] = [await aBuyer(database), await aBuyer(database)]
    const said = await Promise.all([
      tried(code.card_no, secret, a.phone),
      tried(code.card_no, secret, b.phone),
      tried(code.card_no, secret, a.phone),
    ])
    expect(said.toSorted()).toEqual(['active', 'used', 'used'])
    const opened = await database.db
      .select()
      .from(vip_card_order)
      .where(and(eq(vip_card_order.card_id, code.card_id), eq(vip_card_order.kind, 'code')))
    expect(opened).toHaveLength(1)
  })
})
