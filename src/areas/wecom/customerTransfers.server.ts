import { and, eq, inArray } from 'drizzle-orm'
import type { BatchResult } from '#src/contract/shapes.ts'
import { grouped } from '#src/domain/grouped.ts'
import { colon, comma, say, type Text } from '#src/domain/text.ts'
import type { WriteContext } from '#src/server/call/implement.ts'
import { customers, type Customer } from './customers.server.ts'
import { staffSeen } from './staff.server.ts'
import { askTransfers, receiverOf, type Adviser, type Follow } from './transfers.server.ts'
import { wecom_follow, wecom_staff } from './wecom.table.ts'

type Kind = 'on_job' | 'resigned'
type Asked = {
  kind: Kind
  ids: readonly number[]
  to_staff_id: number
  /** The adviser who hands over, where several follow a customer. */
  from_staff_id?: number | undefined
  notice: string
}
type Held = { follow: Follow; adviser: Adviser }
const why = {
  lost: ['没有跟进中的成员', 'Nobody follows them'],
  not_follower: ['该成员当前没有跟进这位客户', 'That colleague does not follow them now'],
  which_follow: ['由 {who} 共同跟进，请指定由谁转出', '{who} follow them: say who hands them over'],
  in_service: ['跟进成员在职，请使用在职转接', 'Their advisers are in service: hand over instead'],
  has_left: ['跟进成员已离职，请使用离职继承', 'Their adviser has left: hand down instead'],
} as const satisfies Record<string, Text>
type Why = keyof typeof why

/** The live relations of customers, of colleagues whom the person sees. */
const heldOf = async ({ tx, staff }: WriteContext, ids: readonly number[]) => {
  const rows = await tx
    .select({ follow: wecom_follow, adviser: wecom_staff })
    .from(wecom_follow)
    .innerJoin(wecom_staff, eq(wecom_staff.id, wecom_follow.staff_id))
    .where(
      and(
        inArray(wecom_follow.customer_id, [0, ...ids]),
        eq(wecom_follow.status, 'following'),
        staffSeen(staff),
      ),
    )
    .orderBy(wecom_follow.added_at, wecom_follow.id)
  return grouped(rows, row => row.follow.customer_id)
}
/** The relation that hands a customer over, or why none can. */
const giverOf = (held: readonly Held[], { kind, from_staff_id }: Asked): Held | Why => {
  if (held.length === 0) return 'lost'
  const fits = held.filter(one => (one.adviser.status === 'left') === (kind === 'resigned'))
  const named =
    from_staff_id === undefined ? held : held.filter(({ adviser }) => adviser.id === from_staff_id)
  if (named.length === 0) return 'not_follower'
  const able = fits.filter(one => named.includes(one))
  if (able.length === 0) return kind === 'resigned' ? 'in_service' : 'has_left'
  return able.length === 1 ? able[0]! : 'which_follow'
}
/**
 * Asks for customers to be handed to a colleague, each by the one who follows them: those that may
 * be go on their way to WeCom, each of the others tells why not. Throws 422 where the colleague can
 * take over nobody.
 */
export const transferCustomers = async (
  context: WriteContext,
  asked: Asked,
): Promise<BatchResult> => {
  const { tx, staff } = context
  const to = await receiverOf(context, { id: asked.from_staff_id ?? 0 }, asked.to_staff_id)
  const rows = await tx
    .select()
    .from(customers.table)
    .where(and(inArray(customers.table.id, [0, ...asked.ids]), customers.seen(staff)))
    .orderBy(customers.table.id)
  const held = await heldOf(
    context,
    rows.map(row => row.id),
  )
  const failed: BatchResult['failed'] = []
  const fit: (Held & { customer: Customer })[] = []
  for (const customer of rows) {
    const own = held.get(customer.id) ?? []
    const giver = giverOf(own, asked)
    if (typeof giver !== 'string') fit.push({ ...giver, customer })
    else
      failed.push({
        id: customer.id,
        code: giver,
        msg: `${customer.name}${say(colon, staff.lang)}${say(why[giver], staff.lang, {
          who: own.map(one => one.adviser.name).join(say(comma, staff.lang)),
        })}`,
      })
  }
  const ok: number[] = []
  for (const some of grouped(fit, one => one.adviser.id).values()) {
    const from = some[0]!.adviser
    const told = await askTransfers(context, {
      from,
      // What was taken of others a moment ago counts towards the cap.
      to: { ...to, customer_count: to.customer_count + ok.length },
      follows: some.map(one => one.follow),
      kind: asked.kind,
      reason: '',
      notice: asked.notice,
    })
    ok.push(...told.ok)
    failed.push(...told.failed)
    for (const { customer } of some.filter(one => told.ok.includes(one.customer.id))) {
      customers.log(context, customer, { before: { adviser: from.name }, after: { to: to.name } })
      await customers.set(context, customer, {})
    }
  }
  return { ok, failed }
}
