import { type Placeholder, and, desc, eq } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { order_bind, order_message } from '#src/areas/order/trail.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Db } from '#src/server/call/implement.ts'
import { oneOf } from '#src/server/db/oneOf.ts'
import type { Answers } from '#src/server/db/together.ts'
import type { OrderRow } from '../contract/orderRow.ts'
import type { Listed } from './listed.ts'

/** Reads what rows of visitors show beside, where there are some. */
export const visitorReads = (db: Db, visitors: Placeholder | undefined) => ({
  sent:
    visitors &&
    db
      .selectDistinctOn([order_message.order_id], {
        order_id: order_message.order_id,
        state: order_message.state,
      })
      .from(order_message)
      .where(and(oneOf(order_message.order_id, visitors), eq(order_message.kind, 'code')))
      .orderBy(order_message.order_id, desc(order_message.id)),
  binds:
    visitors &&
    db
      .select({
        order_id: order_bind.order_id,
        member_id: order_bind.member_id,
        name: member.nickname,
        first_by: order_bind.first_by,
        first_name: admin.name,
        reason: order_bind.reason,
        at: order_bind.created_at,
      })
      .from(order_bind)
      .innerJoin(member, eq(member.id, order_bind.member_id))
      .innerJoin(admin, eq(admin.id, order_bind.first_by))
      .where(and(oneOf(order_bind.order_id, visitors), eq(order_bind.state, 'asked'))),
})
/** Answers what rows of visitors show, from what was read. */
export const visitorsFrom = ({
  sent,
  binds,
}: Answers<ReturnType<typeof visitorReads>>): ((
  row: Listed,
) => NonNullable<OrderRow['visitor']>) => {
  const [smsOf, bindOf] = [
    new Map(sent.map(one => [one.order_id, one.state])),
    new Map(binds.map(one => [one.order_id, one])),
  ]
  return row => {
    const { order_id: _, ...bind } = bindOf.get(row.id) ?? {}
    return {
      ...(row.visitor_phone && { phone: row.visitor_phone }),
      ...(row.visitor_openid && { openid: row.visitor_openid }),
      sms: smsOf.get(row.id) ?? 'none',
      bind: 'member_id' in bind ? bind : null,
    }
  }
}
