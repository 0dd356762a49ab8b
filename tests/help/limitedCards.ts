import { eq } from 'drizzle-orm'
import { expect } from 'vitest'
import { keepingBlocks } from '#src/areas/limit/blocks.server.ts'
import { buy_limit_usage } from '#src/areas/limit/limit.table.ts'
import { Refusal } from '#src/server/call/refuse.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from '../farm.ts'
import { addStaff, openApp, seesNumbers, send } from './app.ts'
import { aSold, orderCards } from './cardOrders.ts'
import { onlyOwnRules, ruleOf } from './limits.ts'

export let database: Database
let app: App
export let me: Awaited<ReturnType<typeof addStaff>>
/** Opens a copy of the demo in which only the rules of a test limit anything. */
export const openLimitedCards = async (): Promise<void> => {
  database = await openCopy()
  app = await openApp(database)
  me = await addStaff(database, {
    perms: ['*'],
    role: { refund_limit_cents: 1_000_000_00, field_rules: seesNumbers },
  })
  await onlyOwnRules(database)
}
export const call = (what: Parameters<typeof send>[1], input: object) =>
  send(app, what, input, { token: me.token })
export const told = async (what: Parameters<typeof send>[1], input: object) => {
  const said = await call(what, input)
  expect(said.status, said.message).toBe(200)
  return said.data
}
export const saidOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'done',
    (error: unknown) => {
      if (error instanceof Refusal) return error.data['rule'] ?? error.status
      throw error
    },
  )
type Ordered = Omit<Parameters<typeof orderCards>[1], 'attr_id'>
/** A card with a rule about it alone; what a rule stops is kept as the shop's server keeps it. */
export const limited = async (of: Parameters<typeof ruleOf>[1] = {}) => {
  const { face, card } = await aSold(database)
  const rule = await ruleOf(database.db, {
    scope_kind: 'product',
    product_kind: 'ecard',
    scope_ids: [card.id],
    ...of,
  })
  const place = (asked: Ordered) =>
    keepingBlocks({ transaction: run => run(database.db) }, () =>
      orderCards(database, { attr_id: face.id, ...asked }),
    )
  return { face, card, rule, place }
}
export const usedOf = async (rule_id: number) =>
  (await database.db.select().from(buy_limit_usage).where(eq(buy_limit_usage.rule_id, rule_id)))
    .map(row => row.qty)
    .toSorted((a, b) => a - b)
/** The person that a purchase of many cards has to name. */
export const identity = { kind: 'person', name: '陈晓', id_no: '11010519491231002X' } as const
