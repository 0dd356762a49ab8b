import { and, eq } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { noteOrder } from '#src/areas/order/orderFacts.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { joined } from '#src/domain/text.ts'
import { timeFull } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { conflict, missing, ruled, type Refusal } from '#src/server/call/refuse.ts'
import { ecard_move } from './cardOrder.table.ts'
import { moveHolder } from './codeLife.server.ts'
import { codeCan } from './codeLife.ts'
import { ecard_code } from './ecard.table.ts'

type Move = typeof ecard_move.$inferSelect
const ofCard = (card_no: string, reason: string): string =>
  joined([`尾号 ${card_no.slice(-4)}：${reason}`, `Card …${card_no.slice(-4)}: ${reason}`])
const phoneOf = async (tx: Db, id: number): Promise<string> => {
  const [row] = await tx.select({ phone: member.phone }).from(member).where(eq(member.id, id))
  if (!row) throw missing()
  if (!row.phone)
    throw ruled('no_phone', [
      '双方都须登记手机号才能变更',
      'Both must have a phone on record for a change',
    ])
  return row.phone
}
/**
 * Asks that another member has a card from now on, which another person of staff agrees to; both
 * phones are noted as they are now. Throws 404 for a card that the order does not have.
 */
export const askMove = async (
  tx: Db,
  of: {
    order_id: number
    code_id: number
    to_id: number
    admin_id: number
    reason: string
    now: number
  },
): Promise<Move> => {
  const { now } = of
  const [code] = await tx
    .select()
    .from(ecard_code)
    .where(and(eq(ecard_code.id, of.code_id), eq(ecard_code.order_id, of.order_id)))
    .for('update')
  if (!code) throw missing()
  const may = codeCan('move', code, now)
  if (may !== true) throw ruled('code_move', may)
  if (code.holder_id === of.to_id)
    throw ruled('same_holder', ['该会员已是持卡人', 'That member holds it already'])
  const [made] = await tx
    .insert(ecard_move)
    .values({
      order_id: of.order_id,
      code_id: code.id,
      from_id: code.holder_id!,
      to_id: of.to_id,
      from_phone: await phoneOf(tx, code.holder_id!),
      to_phone: await phoneOf(tx, of.to_id),
      state: 'asked',
      first_by: of.admin_id,
      reason: of.reason,
      created_at: now,
      updated_at: now,
    })
    .onConflictDoNothing()
    .returning()
  if (!made)
    throw ruled('move_asked', [
      '该卡已有待复核的变更，请先处理',
      'A change of its holder waits for a word already',
    ])
  await noteOrder(tx, {
    order_id: of.order_id,
    event: 'holder_ask',
    actor: { type: 'staff', id: of.admin_id },
    at: now,
    memo: ofCard(code.card_no, of.reason),
  })
  return made
}
/** Tells who came second who decided, and when. */
const decided = async (tx: Db, row: Move): Promise<Refusal> => {
  const [by] = await tx
    .select({ name: admin.name })
    .from(admin)
    .where(eq(admin.id, row.second_by ?? 0))
  return conflict(
    ['{who} 已于 {at} 处理，请刷新', '{who} decided it at {at}: look again'],
    { who: by?.name ?? '—', at: timeFull(row.decided_at ?? row.updated_at).slice(0, 16) },
    row,
  )
}
/** Another person agrees to a change of holder, or refuses it. Throws 409 for who came second. */
export const decideMove = async (
  tx: Db,
  of: {
    order_id: number
    move_id: number
    agree: boolean
    admin_id: number
    reason: string
    now: number
  },
): Promise<Move> => {
  const { now } = of
  const [asked] = await tx
    .select()
    .from(ecard_move)
    .where(and(eq(ecard_move.id, of.move_id), eq(ecard_move.order_id, of.order_id)))
    .for('update')
  if (!asked) throw missing()
  if (asked.state !== 'asked') throw await decided(tx, asked)
  if (asked.first_by === of.admin_id)
    throw ruled('second_person', [
      '须由另一人复核，不能复核自己的申请',
      'Another person decides: not whoever asked for it',
    ])
  const [after] = await tx
    .update(ecard_move)
    .set({
      state: of.agree ? 'done' : 'refused',
      second_by: of.admin_id,
      second_reason: of.reason,
      decided_at: now,
      updated_at: now,
    })
    .where(eq(ecard_move.id, asked.id))
    .returning()
  if (of.agree)
    await moveHolder(tx, { code_id: asked.code_id, from: asked.from_id, to: asked.to_id, now })
  const [code] = await tx.select().from(ecard_code).where(eq(ecard_code.id, asked.code_id))
  await noteOrder(tx, {
    order_id: of.order_id,
    event: of.agree ? 'holder_move' : 'holder_refuse',
    actor: { type: 'staff', id: of.admin_id },
    at: now,
    memo: ofCard(code!.card_no, of.reason),
  })
  return after!
}
