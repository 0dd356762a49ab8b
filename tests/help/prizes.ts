import { and, desc, eq, isNull } from 'drizzle-orm'
import { expect } from 'vitest'
import { redeem_code, redeem_log } from '#src/areas/redeemCode/redeemCode.table.ts'
import { codeDesk as calls } from '#src/modules/redeemCode/contract/vertify.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, send } from './app.ts'
import { storeOf } from './bindings.ts'
import { batchOf, membersOf } from './redeem.ts'

type Person = Awaited<ReturnType<typeof addStaff>>
type What = Parameters<typeof send>[1]
/** A desk with two people at it and a store of its own, where codes that give a prize are redeemed. */
export const prizeBench = async () => {
  const database = await openCopy()
  const app = await openApp(database)
  const [clerk, other] = [
    await addStaff(database, { perms: ['redeemCode.*'] }),
    await addStaff(database, { perms: ['redeemCode.*'] }),
  ]
  const shop = await storeOf(database)
  const call = (what: What, input: object, by: Person = clerk) =>
    send(app, what, input, { token: by.token })
  const done = async (what: What, input: object, by: Person = clerk) => {
    const said = await call(what, input, by)
    expect(said.status, said.message + JSON.stringify(said.data)).toBe(200)
    return said.data
  }
  const look = async (secret_code: string, by: Person = clerk) =>
    (await done(calls.lookup, { secret_code }, by)).code
  const codeRow = async (id: number) =>
    (await database.db.select().from(redeem_code).where(eq(redeem_code.id, id)))[0]!
  const success = async (code_id: number) =>
    (
      await database.db
        .select()
        .from(redeem_log)
        .where(
          and(
            eq(redeem_log.code_id, code_id),
            eq(redeem_log.result, 'ok'),
            isNull(redeem_log.revoked_at),
          ),
        )
        .orderBy(desc(redeem_log.id))
    )[0]!
  const redeem = async (id: number, by: Person = clerk) => {
    const { phone } = (await membersOf(database))[0]!
    return done(calls.redeemFor, { id, phone, phone_tail: phone.slice(-4) }, by)
  }
  const batch = (of: Partial<Parameters<typeof batchOf>[2]> = {}) =>
    batchOf(database, app, {
      created_by: clerk.id,
      points: 0,
      goods: '保温杯',
      goods_cents: 68_00,
      ...of,
    })
  /** A redeemed code whose prize waits. */
  const won = async (of: Parameters<typeof batch>[0] = {}) => {
    const { codes, batch: own } = await batch(of)
    const { id } = await look(codes[0]!)
    await redeem(id)
    return { id: id as number, code: codes[0]!, batch: own }
  }
  const handOver = (id: number, by: Person = clerk, store_id = shop.id) =>
    call(calls.handOver, { id, store_id }, by)
  const undo = async (id: number, by: Person = clerk) =>
    call(calls.undo, { id, version: (await codeRow(id)).version, reason: '拿错了' }, by)
  return {
    database,
    clerk,
    other,
    shop,
    call,
    done,
    look,
    success,
    redeem,
    batch,
    won,
    handOver,
    undo,
  }
}
