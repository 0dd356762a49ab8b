import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { coupon_grant } from '#src/areas/coupon/coupon.table.ts'
import { redeem_block, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { WRONG_MAX } from '#src/areas/redeemCode/redeemCode.ts'
import type { Result } from '#src/contract/call.ts'
import { redeemApp as calls } from '#src/modules/redeemCode/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../../farm.ts'
import { addStaff, send } from '../../help/app.ts'
import { openMiniProgram } from '../../help/miniProgram.ts'
import { batchOf, couponOf, membersOf } from '../../help/redeem.ts'

let database: Database
let phone: Awaited<ReturnType<typeof openMiniProgram>>
let created_by: number
beforeAll(async () => {
  database = await openCopy()
  phone = await openMiniProgram(database)
  created_by = (await addStaff(database)).id
})
const ask = async (input: object) => {
  const said = await send(phone.app, calls.redeem, input)
  expect(said.status, said.message).toBe(200)
  return said.data as Result<typeof calls.redeem>
}
const someone = async () => {
  const { id } = (await membersOf(database))[0]!
  return { id, ticket: await phone.enter(id) }
}

describe('a member redeems a code at their phone', () => {
  it('once, as it was typed; the next is told no name', async () => {
    const own = await couponOf(database)
    const { codes } = await batchOf(database, phone.app, { created_by, coupon_ids: [own.id] })
    const [first, second] = [await someone(), await someone()]
    const typed = ` ${codes[0]!.toLowerCase()} `
    expect(await ask({ ticket: first.ticket, secret_code: typed })).toEqual({
      state: 'ok',
      why: '',
    })
    const grants = await database.db
      .select()
      .from(coupon_grant)
      .where(eq(coupon_grant.coupon_id, own.id))
    expect(grants.map(one => one.member_id)).toEqual([first.id])
    expect(await ask({ ticket: second.ticket, secret_code: codes[0]! })).toEqual({
      state: 'used',
      why: '已使用',
    })
  })
  it('and who guesses is locked, by the device too', async () => {
    const { ticket, id } = await someone()
    const device = `device-of-a-test-${id}`
    const wrong = { ticket, secret_code: 'NOBODYHASTHIS', device }
    for (let n = 0; n < WRONG_MAX; n++) expect((await ask(wrong)).state).toBe('unknown')
    expect(await ask(wrong)).toMatchObject({
      state: 'locked',
      why: expect.stringMatching(/20\d\d-/),
    })
    const tries = await database.db.select().from(redeem_log).where(eq(redeem_log.member_id, id))
    expect(new Set(tries.map(one => one.channel))).toEqual(new Set(['mini']))
    expect(tries).toHaveLength(WRONG_MAX + 1)
    await database.db.delete(redeem_block)
  })
  it('with a ticket alone, and nothing is recorded without', async () => {
    const before = await database.db.$count(redeem_log)
    expect(await ask({ ticket: 'x.y.z', secret_code: 'NOBODYHASTHIS' })).toEqual({
      state: 'none',
      why: '',
    })
    expect(await database.db.$count(redeem_log)).toBe(before)
  })
})
