import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { order } from '#src/areas/order/order.table.ts'
import { payOrder } from '#src/areas/payment/payments.server.ts'
import type { Result } from '#src/contract/call.ts'
import { unixNow } from '#src/domain/time.ts'
import { cardApp as calls } from '#src/modules/ecard/contract/app.ts'
import type { Database } from '#src/server/db/database.ts'
import { openCopy } from '../farm.ts'
import { send } from './app.ts'
import { codesOf } from './cardOrders.ts'
import { onlyOwnRules } from './limits.ts'
import { freshMember } from './members.ts'
import { openMiniProgram } from './miniProgram.ts'

type Call = (typeof calls)[keyof typeof calls]
let numbers = 0
/** A purchase number of a test's own. */
export const aNumber = () => `buy-of-a-test-${++numbers}`
/** The mini-program's e-cards over a copy of the demo in which only the rules of a test limit anything. */
export const cardPhone = async () => {
  const database: Database = await openCopy()
  const phone = await openMiniProgram(database)
  await onlyOwnRules(database)
  const said = async <C extends Call>(call: C, input: object): Promise<Result<C>> => {
    const answer = await send(phone.app, call, input)
    expect(answer.status, answer.message).toBe(200)
    return answer.data as Result<C>
  }
  const orderIdOf = async (order_no: string) =>
    (await database.db.select({ id: order.id }).from(order).where(eq(order.order_no, order_no)))[0]!
      .id
  /** A member of a test's own at their phone; nobody is signed in. */
  const atPhone = async () => {
    const row = await freshMember(database)
    const ticket = await phone.enter(row.id)
    const ask = <C extends Call>(call: C, input: object) => said(call, { ticket, ...input })
    const buy = (input: object) => ask(calls.buy, { buy_no: aNumber(), n: 1, ...input })
    /** Buys and pays, and answers the cards by number. */
    const bought = async (input: object) => {
      const placed = await buy(input)
      expect(placed.state, placed.why).toBe('unpaid')
      const id = await orderIdOf(placed.order_no)
      await database.transaction(tx => payOrder(tx, id, unixNow()))
      return { ...placed, id, ids: (await codesOf(database, id)).map(one => one.id) }
    }
    return { ...row, ticket, ask, buy, bought, mine: () => ask(calls.mine, {}) }
  }
  return { database, said, orderIdOf, atPhone }
}
