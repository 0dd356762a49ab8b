import { and, asc, eq, isNull, sql } from 'drizzle-orm'
import { order, order_item } from '#src/areas/order/order.table.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { drawCodes, sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { grouped } from '#src/domain/grouped.ts'
import { joined } from '#src/domain/text.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { ecard_gift, ecard_request } from './cardOrder.table.ts'
import { placeSome } from './cardOrderCases.demo.ts'
import { ecard, ecard_attr, ecard_code, ecard_ledger } from './ecard.table.ts'
import { notTaken } from './gifts.server.ts'
import { issuedText, pendingText, shortText } from './supplier.channel.ts'

type Face = { face: typeof ecard_attr.$inferSelect; card: typeof ecard.$inferSelect }
type Bought = { row: typeof order.$inferSelect; item: typeof order_item.$inferSelect }
type Code = typeof ecard_code.$inferInsert
type Made = { of: Bought; face: Face; at: number; code: Code }

const BATCH = 'DEMO-ORDERS'
const isPaid = ({ row }: Bought) => row.pay_state === 'paid'
/** The face that costs about what was paid; what a supplier has not issued is a supplier's. */
const faceFor = (faces: readonly Face[], { item }: Bought, at: number): Face => {
  const supplied = item.issue_state === 'issuing' || item.issue_state === 'failed' || at % 6 === 5
  const own = faces.filter(({ card }) => (card.source === 'api') === supplied)
  const near = [...own].sort(
    (a, b) =>
      Math.abs(a.face.price_cents - item.price_cents) -
      Math.abs(b.face.price_cents - item.price_cents),
  )
  return near[at % Math.min(6, near.length)]!
}
/** What becomes of issued cards, in turn. */
const lifeOf = (of: Bought, { face, card }: Face, at: number, now: number): Partial<Code> => {
  const { row } = of
  const good = face.face_cents + face.bonus_cents
  if (row.refund_state === 'refunded') return { state: 'refunded' }
  const paid = row.paid_at!
  const holder_id = row.member_id
  const later = Math.min(now - 600, paid + 2 * HOUR)
  const active = { holder_id, activated_at: later }
  switch (row.refund_state === 'none' ? at % 10 : 0) {
    case 3:
    case 4:
      return { ...active, state: 'active', balance_cents: good - Math.floor(good / 3) }
    case 5:
      return { ...active, state: 'used_up', balance_cents: 0 }
    case 6:
      return { state: 'sold', shown_at: later }
    case 7:
      return card.gift
        ? {
            state: 'active',
            balance_cents: good,
            activated_at: later,
            holder_id: holder_id === 1 ? 2 : 1,
            gift_state: 'received',
          }
        : { state: 'sold' }
    case 8:
      return card.gift ? { state: 'sold', gift_state: 'returned' } : { state: 'sold' }
    case 9:
      return {
        ...active,
        state: 'frozen',
        before_freeze: 'active',
        balance_cents: good,
        frozen_by: 3,
        frozen_at: Math.min(now - 60, later + DAY),
        reason: '持卡人报失，核实中',
      }
    default:
      return { state: 'sold' }
  }
}
/** How many codes an order has: none where its last issue failed, none while a supplier is asked. */
const issuedOf = (of: Bought): number => {
  if (!isPaid(of)) return 0
  if (of.item.issue_state === 'issued') return of.item.qty
  return of.item.issue_state === 'failed' ? of.item.qty - 1 : 0
}
const codesFor = (
  sealer: Sealer,
  bought: readonly (Bought & { face: Face })[],
  now: number,
): Made[] => {
  let turn = 0
  const made: Made[] = bought.flatMap(of =>
    Array.from({ length: issuedOf(of) }, (_, at) => ({
      of,
      face: of.face,
      at,
      code: {
        card_id: of.face.card.id,
        attr_id: of.face.face.id,
        batch_no: BATCH,
        order_id: of.row.id,
        face_cents: of.face.face.face_cents + of.face.face.bonus_cents,
        balance_cents: 0,
        sold_at: of.row.paid_at,
        shown_at: null,
        activated_at: null,
        holder_id: null,
        gift_state: 'none' as const,
        before_freeze: null,
        frozen_by: null,
        frozen_at: null,
        reason: null,
        valid_until: of.row.paid_at! + 1095 * DAY,
        created_at: of.row.paid_at!,
        updated_at: of.row.paid_at!,
        ...lifeOf(of, of.face, turn++, now),
      } as Code,
    })),
  )
  const numbers = drawCodes({ alphabet: 'digits', length: 20, prefix: '' }, made.length)
  const secrets = drawCodes({ alphabet: 'mixed', length: 16, prefix: '' }, made.length)
  for (const [at, { code }] of made.entries()) {
    const hash = sealer.hash(secrets[at]!)
    Object.assign(code, {
      card_no: numbers[at],
      secret_hash: hash,
      secret_enc: sealer.seal(secrets[at]!, hash),
    })
  }
  return made
}
/**
 * The moves of the money of cards that were activated: all that is not left was spent, in two
 * parts.
 */
const movesOf = (code: Code & { id: number }): (typeof ecard_ledger.$inferInsert)[] => {
  if (code.activated_at == null) return []
  const spent = code.face_cents - code.balance_cents!
  const parts = spent === 0 ? [] : [Math.ceil(spent / 2), Math.floor(spent / 2)].filter(Boolean)
  let left = code.face_cents
  const row = (type: 'activate' | 'spend', amount_cents: number, at: number) => ({
    created_at: at,
    owner: 'code' as const,
    code_id: code.id,
    type,
    amount_cents,
    balance_after_cents: left,
    ref_type: type === 'spend' ? 'demo' : '',
    ref_id: type === 'spend' ? at : 0,
  })
  return [
    row('activate', left, code.activated_at),
    ...parts.map((cents, nth) => {
      left -= cents
      return row('spend', -cents, code.activated_at! + 60 * (nth + 1))
    }),
  ]
}
const giftOf = ({ of }: Made, code: Code & { id: number }) => ({
  order_id: of.row.id,
  ordered_at: of.row.created_at,
  code_id: code.id,
  token: `demo${String(code.id).padStart(12, '0')}`,
  from_id: of.row.member_id!,
  to_id: code.gift_state === 'received' ? code.holder_id! : null,
  greeting: '生日快乐，天天开心！',
  state: code.gift_state as 'received' | 'returned',
  sent_at: of.row.paid_at! + 600,
  received_at: code.gift_state === 'received' ? code.activated_at! : null,
  returned_at: code.gift_state === 'returned' ? of.row.paid_at! + 600 + DAY : null,
  returned_by: code.gift_state === 'returned' ? ('timeout' as const) : null,
  reason: code.gift_state === 'returned' ? notTaken : null,
  created_at: of.row.paid_at! + 600,
  updated_at: of.row.paid_at! + 600,
})
const toldOf = {
  pending: { state: 'pending', answer: joined(pendingText) },
  success: { state: 'success', answer: joined(issuedText) },
  failed: { state: 'failed', answer: joined(shortText) },
} as const
/** The requests to a supplier for an order, unit by unit. */
const requestsOf = (
  of: Bought & { face: Face },
  codes: readonly { id: number }[],
  now: number,
): (typeof ecard_request.$inferInsert)[] => {
  if (of.face.card.source !== 'api' || !isPaid(of)) return []
  return Array.from({ length: of.item.qty }, (_, at) => {
    const code_id = codes[at]?.id ?? null
    const waits = of.item.issue_state === 'issuing'
    const told = code_id ? toldOf.success : toldOf.failed
    const { state, answer } = waits ? toldOf.pending : told
    return {
      order_id: of.row.id,
      item_id: of.item.id,
      unit: at + 1,
      out_no: `EC${of.row.id}-${of.item.id}-${at + 1}-1`,
      supplier: of.face.card.supplier,
      state,
      answer,
      supplier_no: code_id ? `SP${String(code_id * 7919).padStart(16, '0')}` : null,
      code_id,
      tries: 1,
      ask_at: waits ? now + HOUR : null,
      answered_at: waits ? null : of.row.paid_at! + 5,
      created_at: of.row.paid_at!,
      updated_at: of.row.paid_at!,
    }
  })
}
/** Makes the orders those of cards: they sold a face, and are its issuer's. */
const sellFaces = async (db: Db, bought: readonly (Bought & { face: Face })[]): Promise<void> => {
  for (const { row, item, face } of bought) {
    const { card, face: attr } = face
    await db.execute(
      sql`update order_item set product_id = null, sku_id = null, policy_id = null, ecard_attr_id = ${attr.id}, issue_note = case when issue_note is not null then ${toldOf.failed.answer} end, title = ${card.name}, store_id = ${card.store_id}, snapshot = ${JSON.stringify(
        {
          title: card.name,
          card_face_cents: attr.face_cents,
          bonus_cents: attr.bonus_cents,
          price_cents: item.price_cents,
          commission_bp: 0,
          refund_rule: card.refund_rule,
          images: [card.cover],
        },
      )}::jsonb where id = ${item.id}`,
    )
    const place = sql`merchant_id = ${card.merchant_id}, city_id = ${card.city_id}, mall_id = ${card.mall_id}`
    await db.execute(
      sql`update "order" set ${place}, store_id = ${card.store_id}, sub_kind = 'virtual', face_cents = null, tags = '[]' where id = ${row.id}`,
    )
    await db.execute(sql`update refund set ${place} where order_id = ${row.id}`)
  }
}
/** Counts faces and cards by their codes. */
const recountFaces = (db: Db) =>
  db.execute(sql`
    with n as (select attr_id, count(*) filter (where state = 'free') free_n, count(*) filter (where state = 'held') held_n, count(*) filter (where state in ('void', 'refunded') or before_freeze = 'free') void_n, count(*) n from ecard_code group by 1),
      faces as (update ecard_attr a set free_n = n.free_n, held_n = n.held_n, void_n = n.void_n, sold_n = n.n - n.free_n - n.held_n - n.void_n from n where n.attr_id = a.id returning a.card_id, a.sold_n)
    update ecard c set sold = s.n from (select card_id, sum(sold_n)::int n from faces group by 1) s where s.card_id = c.id`)

/** Orders of e-cards are of cards with codes, in every state; and some stand before somebody's work. */
const seedCardOrders = async (db: Db, _: Random, world: World): Promise<void> => {
  const { now, codeKeys } = world
  if (!codeKeys) return
  const sealer = await sealerOf(openKeyFile(codeKeys), db)
  const faces: Face[] = await db
    .select({ face: ecard_attr, card: ecard })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(and(eq(ecard.state, 'on'), eq(ecard_attr.status, 'on'), eq(ecard.named, false)))
    .orderBy(asc(ecard_attr.id))
  const orders: Bought[] = await db
    .select({ row: order, item: order_item })
    .from(order)
    .innerJoin(order_item, eq(order_item.order_id, order.id))
    .where(and(eq(order.kind, 'ecard'), isNull(order_item.ecard_attr_id)))
    .orderBy(asc(order.id))
  const bought = orders.map((of, at) => ({ ...of, face: faceFor(faces, of, at) }))
  await sellFaces(db, bought)
  const made = codesFor(sealer, bought, now)
  await insertRows(
    db,
    ecard_code,
    made.map(one => one.code),
  )
  await afterIds(db)
  const ids = new Map(
    (
      await db
        .select({ id: ecard_code.id, card_no: ecard_code.card_no })
        .from(ecard_code)
        .where(eq(ecard_code.batch_no, BATCH))
    ).map(one => [one.card_no, one.id]),
  )
  const codes = made.map(one => ({ ...one, code: { ...one.code, id: ids.get(one.code.card_no)! } }))
  await insertRows(
    db,
    ecard_ledger,
    codes.flatMap(({ code }) => movesOf(code)),
  )
  await insertRows(
    db,
    ecard_gift,
    codes.filter(({ code }) => code.gift_state !== 'none').map(one => giftOf(one, one.code)),
  )
  const own = grouped(codes, one => one.of.row.id)
  await insertRows(
    db,
    ecard_request,
    bought.flatMap(of =>
      requestsOf(
        of,
        (own.get(of.row.id) ?? []).map(one => one.code),
        now,
      ),
    ),
  )
  for (const { row } of bought.filter(one => one.row.refund_state === 'refunded')) {
    const back = (own.get(row.id) ?? []).map(one => one.code.id)
    await db.execute(
      sql`update refund_item i set card_ids = ${JSON.stringify(back)}::jsonb from refund r where r.id = i.refund_id and r.order_id = ${row.id}`,
    )
  }
  await recountFaces(db)
  await afterIds(db)
  await placeSome(db, sealer, { faces, world })
  await recountFaces(db)
}
export const demo: readonly DemoStep[] = [
  { place: 98, branch: 'e-card orders', run: seedCardOrders },
]
