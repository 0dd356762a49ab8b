import { and, eq, sql } from 'drizzle-orm'
import { admin } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record } from '#src/server/call/record.ts'
import { missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import {
  begin,
  bindings,
  changeable,
  ending,
  held,
  told,
  type Binding,
  type HeldSeller,
} from './binding.server.ts'
import { dist_binding_ask } from './binding.table.ts'
import { bindFault, isProtected, mayDecideTransfer } from './binding.ts'

type BindingAsk = typeof dist_binding_ask.$inferSelect
type One = { id: number; version: number }

/** Transfers that wait for a second person, as handlers read, change and log them. */
export const bindingAsks = record(dist_binding_ask, {
  object: 'dist_binding_ask',
  label: row => joined([`转移申请 ${row.id}`, `Transfer ${row.id}`]),
  keys: ['state', 'to_id', 'reason', 'reject_reason'],
  places: { city: dist_binding_ask.city_id, mall: dist_binding_ask.mall_id },
})

/** Why a binding does not go to that seller, beside what forbids a new one. */
const moveFault = (was: Binding, from: HeldSeller, to: HeldSeller): Refusal | undefined => {
  if (to.id === from.id)
    return ruled('same_seller', ['客户已在该分销员名下', 'The customer is theirs already'])
  if (was.role === 'guide' && to.merchant_id !== from.merchant_id)
    return ruled('other_merchant', [
      '导购的客户只能转给同一商户的导购',
      'A guide’s customers go to guides of the same merchant alone',
    ])
  return undefined
}
const move = async (
  context: WriteContext,
  was: Binding,
  { to, reason }: { to: HeldSeller; reason: string },
): Promise<Binding> => {
  const { tx, staff, now } = context
  const after = await ending(context, was, { status: 'transferred', reason, by: staff.id, now })
  const made = await begin(tx, {
    member_id: was.member_id,
    role: was.role,
    source: 'admin',
    to,
    by: staff.id,
    now,
    from_id: was.id,
  })
  told(context, was, { ...after, distributor_id: to.id }, reason)
  return made
}
const asksAlready = async (tx: Db, binding_id: number): Promise<Refusal> => {
  const [there] = await tx
    .select({ by: admin.name, at: dist_binding_ask.created_at })
    .from(dist_binding_ask)
    .innerJoin(admin, eq(admin.id, dist_binding_ask.maker_id))
    .where(and(eq(dist_binding_ask.binding_id, binding_id), eq(dist_binding_ask.state, 'pending')))
  return ruled(
    'asked_already',
    ['{by} 已于 {at} 申请转移该客户，正等待复核', '{by} asked for its transfer at {at}: it waits'],
    { by: there?.by ?? '', at: timeFull(there?.at ?? 0) },
  )
}
const askFor = async (
  context: WriteContext,
  was: Binding,
  of: { to: HeldSeller; reason: string },
): Promise<BindingAsk> => {
  const { tx, staff, now } = context
  const fault = bindFault(was, of.to)
  if (fault) throw ruled('not_bindable', fault)
  const [made] = await tx
    .insert(dist_binding_ask)
    .values({
      binding_id: was.id,
      to_id: of.to.id,
      city_id: was.city_id,
      mall_id: was.mall_id,
      reason: of.reason,
      maker_id: staff.id,
      created_at: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!made) throw await asksAlready(tx, was.id)
  bindingAsks.log(context, made, {
    before: null,
    after: { to_id: made.to_id, state: made.state },
    reason: of.reason,
  })
  return made
}
/**
 * Transfers a customer to another active seller of the same role: one binding ends and another
 * begins, its period anew. Commission of earlier orders stays. Within the protection time it is only
 * asked for (`asked`), and with `alone` refused.
 */
export const transfer = async (
  context: WriteContext,
  one: One,
  of: { to_distributor_id: number; reason: string; alone?: true },
): Promise<{ made: Binding } | { asked: BindingAsk }> => {
  const { was, sellers } = await held(context, one, of.to_distributor_id)
  changeable(was)
  const to = sellers.get(of.to_distributor_id)
  if (!to) throw missing()
  const fault = moveFault(was, sellers.get(was.distributor_id)!, to)
  if (fault) throw fault
  if (!isProtected(was, context.now)) return { made: await move(context, was, { ...of, to }) }
  if (!of.alone) return { asked: await askFor(context, was, { ...of, to }) }
  throw ruled('protected', [
    '客户在保护期内，请单独转移以申请复核',
    'It is protected: transfer it alone, which asks a second person',
  ])
}
/** Decides a transfer as another person than asked for it: one guarded UPDATE. */
const decide = async (
  { tx, staff, now }: WriteContext,
  was: BindingAsk,
  set: Partial<BindingAsk>,
): Promise<BindingAsk | undefined> => {
  const [after] = await tx
    .update(dist_binding_ask)
    .set({ ...set, checker_id: staff.id, decided_at: now, version: was.version + 1 })
    .where(
      and(
        eq(dist_binding_ask.id, was.id),
        eq(dist_binding_ask.version, was.version),
        eq(dist_binding_ask.state, 'pending'),
        sql`${dist_binding_ask.maker_id} <> ${staff.id}`,
      ),
    )
    .returning()
  return after
}
const asked = async (context: WriteContext, one: One): Promise<BindingAsk> => {
  const was = await bindingAsks.held(context, one)
  const may = mayDecideTransfer(was, context.staff.id)
  if (may !== true) throw ruled(was.state === 'pending' ? 'own_ask' : 'not_decidable', may)
  return was
}
const lateAsk = async (context: WriteContext, id: number) =>
  bindingAsks.late(context, await bindingAsks.read(context.tx, context.staff, id))
/** Carries out a transfer that another person asked for. */
export const approveTransfer = async (
  context: WriteContext,
  one: One,
): Promise<{ after: BindingAsk; made: Binding }> => {
  const { tx, staff } = context
  const was = await asked(context, one)
  const at = await bindings.read(tx, staff, was.binding_id)
  const { was: binding, sellers } = await held(context, at, was.to_id)
  const decided = await decide(context, was, { state: 'approved' })
  if (!decided) throw await lateAsk(context, was.id)
  const to = sellers.get(was.to_id)!
  const fault = moveFault(binding, sellers.get(binding.distributor_id)!, to)
  if (fault) throw fault
  const made = await move(context, binding, { to, reason: was.reason })
  const [after] = await tx
    .update(dist_binding_ask)
    .set({ made_id: made.id })
    .where(eq(dist_binding_ask.id, was.id))
    .returning()
  bindingAsks.log(context, after!, {
    before: { state: was.state },
    after: { state: after!.state },
    reason: was.reason,
  })
  return { after: after!, made }
}
/** Turns down a transfer that another person asked for. */
export const rejectTransfer = async (
  context: WriteContext,
  { reason, ...one }: One & { reason: string },
): Promise<BindingAsk> => {
  const was = await asked(context, one)
  const after = await decide(context, was, { state: 'rejected', reject_reason: reason })
  if (!after) throw await lateAsk(context, was.id)
  bindingAsks.log(context, after, {
    before: { state: was.state },
    after: { state: after.state },
    reason,
  })
  return after
}
