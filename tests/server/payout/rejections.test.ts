import { eq } from 'drizzle-orm'
import { beforeAll, beforeEach, expect, it, vi } from 'vitest'
import { distributor } from '#src/areas/distribution/sellers.table.ts'
import { member } from '#src/areas/member/member.table.ts'
import { merchant } from '#src/areas/merchant/merchant.table.ts'
import { tellRejections } from '#src/areas/payout/rejections.server.ts'
import { withdrawal } from '#src/areas/payout/withdrawal.table.ts'
import { rejectWithdrawal } from '#src/areas/payout/withdrawals.server.ts'
import { DAY, unixNow } from '#src/domain/time.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff } from '../../help/app.ts'
import { applied, merchantWith, stepOf } from '../../help/payouts.ts'

const gateway = 'https://sms.test/send'
const install = { gateways: { sms: gateway } } as never
let database: Database
let by: number
let heard: { to: string[]; text: string }[] = []
let answer: () => Response
beforeAll(async () => {
  database = await openCopy()
  by = (await addStaff(database, { perms: ['settle.withdraw.*'] })).id
}, 120_000)
beforeEach(async () => {
  heard = []
  answer = () => new Response('ok')
  vi.stubGlobal('fetch', async (_: string, of: { body: string }) => {
    heard.push(JSON.parse(of.body))
    return answer()
  })
  await database.db.update(withdrawal).set({ tell_state: 'none' })
  return () => vi.unstubAllGlobals()
})
const rejected = async (now = unixNow()) => {
  const owner = await merchantWith(database, 50_000)
  const row = await applied(database, owner, 20_000)
  await database.transaction(tx =>
    rejectWithdrawal(tx, {
      ...stepOf(row, by),
      now,
      reason_code: 'account',
      reason: '收款账户与营业执照不符',
    }),
  )
  return { owner, id: row.id }
}
const read = async (id: number) =>
  (await database.db.select().from(withdrawal).where(eq(withdrawal.id, id)))[0]!
const tell = (now = unixNow()) => tellRejections(database.db, install, now)

it('tells the merchant’s contact why, once', async () => {
  const { owner, id } = await rejected()
  expect((await read(id)).tell_state).toBe('queued')
  expect(await tell()).toBe(1)
  const [{ phone }] = (await database.db
    .select({ phone: merchant.contact_phone })
    .from(merchant)
    .where(eq(merchant.id, owner.id))) as [{ phone: string }]
  expect(heard).toEqual([{ to: [phone], text: expect.stringContaining('收款账户与营业执照不符') }])
  expect(heard[0]!.text).toContain('200.00')
  expect(await read(id)).toMatchObject({ tell_state: 'sent', tell_tries: 1 })
  expect(await tell()).toBe(0)
  expect(heard).toHaveLength(1)
})
it('is sent by what the last try says: three refusals have failed, an answer in between is sent', async () => {
  answer = () => new Response('busy', { status: 503 })
  const [first, second] = [await rejected(), await rejected()]
  await tell()
  expect(await read(first.id)).toMatchObject({ tell_state: 'queued', tell_answer: 'busy' })
  await tell()
  answer = () => new Response('taken')
  await database.db
    .update(withdrawal)
    .set({ tell_state: 'none' })
    .where(eq(withdrawal.id, second.id))
  await tell()
  expect(await read(first.id)).toMatchObject({ tell_state: 'sent', tell_tries: 3 })
  await database.db
    .update(withdrawal)
    .set({ tell_state: 'queued' })
    .where(eq(withdrawal.id, second.id))
  answer = () => new Response('busy', { status: 503 })
  await tell()
  expect(await read(second.id)).toMatchObject({ tell_state: 'failed', tell_tries: 3 })
  expect(heard).toHaveLength(6)
})
it('counts no try of what the gateway can’t have heard', async () => {
  const { id } = await rejected()
  answer = () => {
    throw Object.assign(new TypeError('fetch failed'), { cause: { code: 'ECONNREFUSED' } })
  }
  for (let n = 0; n < 4; n++) await tell()
  expect(await read(id)).toMatchObject({ tell_state: 'queued', tell_tries: 0 })
})
it('waits a day without a gateway, and then has failed', async () => {
  const now = unixNow()
  const { id } = await rejected(now)
  const none = { gateways: {} } as never
  expect(await tellRejections(database.db, none, now + DAY - 1)).toBe(0)
  expect(await tellRejections(database.db, none, now + DAY)).toBe(1)
  expect(await read(id)).toMatchObject({
    tell_state: 'failed',
    tell_answer: expect.stringContaining('超过一天'),
  })
})
it('tells sellers and members, and says so where there is no phone', async () => {
  const [seller] = await database.db.select().from(distributor).limit(1)
  const [buyer] = await database.db.select().from(member).limit(1)
  const each = [await rejected(), await rejected(), await rejected()]
  const owners = [
    { owner_kind: 'distributor' as const, owner_id: seller!.id },
    { owner_kind: 'member' as const, owner_id: buyer!.id },
    { owner_kind: 'member' as const, owner_id: 2_000_000_000 },
  ]
  for (const [at, { id }] of each.entries())
    await database.db.update(withdrawal).set(owners[at]!).where(eq(withdrawal.id, id))
  expect(await tell()).toBe(3)
  expect(heard.map(one => one.to)).toEqual([[seller!.phone], [buyer!.phone]])
  expect(await read(each[2]!.id)).toMatchObject({
    tell_state: 'failed',
    tell_answer: expect.stringContaining('没有登记手机号'),
  })
})
it('is told once, though two servers ask at once', async () => {
  await rejected()
  const told = await Promise.all([tell(), tell()])
  expect(told.toSorted()).toEqual([0, 1])
  expect(heard).toHaveLength(1)
})
