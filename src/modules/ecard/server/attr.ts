import { and, asc, count, eq, inArray, sql } from 'drizzle-orm'
import { faceFaults, marginOf } from '#src/areas/ecard/card.ts'
import { cards, draftOf, isOffered, type CardFaceRow } from '#src/areas/ecard/cards.server.ts'
import { ecard_attr, ecard_channel_card } from '#src/areas/ecard/ecard.table.ts'
import { priceBy } from '#src/areas/ecard/face.ts'
import { FACES_MOST } from '#src/areas/ecard/faceLines.ts'
import {
  disableFace,
  faceFor,
  faceHeld,
  faces,
  facesInOrder,
  lossOf,
  onceFaced,
  saveFace,
  type FaceSet,
} from '#src/areas/ecard/faces.server.ts'
import { systemName } from '#src/areas/log/logs.ts'
import { admin } from '#src/areas/people/people.table.ts'
import type { Result } from '#src/contract/call.ts'
import type { ChangedBy } from '#src/contract/envelope.ts'
import { yuan } from '#src/domain/money.ts'
import { sequenceVersion } from '#src/domain/sequence.ts'
import { joined, say, type Lang, type Text } from '#src/domain/text.ts'
import { tryRows } from '#src/server/call/batch.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import { arrange, faultless } from '#src/server/call/record.ts'
import { ruled, type Refusal } from '#src/server/call/refuse.ts'
import { cardFaces as contract, type FaceEdit, type FaceRow } from '../contract/attr.ts'

const namesOf = async (db: Db, ids: readonly (number | null)[]) => {
  const known = [...new Set(ids)].filter(id => id !== null)
  if (known.length === 0) return new Map<number, string>()
  const rows = await db
    .select({ id: admin.id, name: admin.name })
    .from(admin)
    .where(inArray(admin.id, known))
  return new Map(rows.map(row => [row.id, row.name]))
}
/** The last person who changed each face, by the operation log. */
const changersOf = async (db: Db, ids: readonly number[]): Promise<Map<number, ChangedBy>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<{ id: number; name: string; at: string }>(
    sql`select distinct on (object_id) object_id id, admin_name "name", created_at at from op_log where object_type = 'ecard_attr' and object_id in ${ids} and result = 'ok' order by object_id, op_log.id desc`,
  )
  return new Map(rows.map(({ id, name, at }) => [id, { name: name || systemName, at: Number(at) }]))
}
const FACE_NAME: Text = ['面值 {n} 元', 'Face value ¥{n}']
const shownFaces = async (
  db: Db,
  rows: readonly CardFaceRow[],
  { lang, isOnSale, on }: { lang: Lang; isOnSale: boolean; on: number },
): Promise<FaceRow[]> => {
  const names = await namesOf(
    db,
    rows.flatMap(row => [row.loss_asked_by, row.loss_by]),
  )
  const by = await changersOf(
    db,
    rows.map(row => row.id),
  )
  return rows.map(row => ({
    ...row,
    name: say(FACE_NAME, lang, { n: yuan(row.face_cents).replace(/\.00$/, '') }),
    margin_cents: marginOf(row),
    loss_reason: row.loss_reason ?? '',
    asker_name: names.get(row.loss_asked_by ?? 0) ?? '',
    approver_name: names.get(row.loss_by ?? 0) ?? '',
    last_on: isOnSale && row.status === 'on' && on === 1,
    changed_by: by.get(row.id) ?? null,
  }))
}

type Saved = Result<typeof contract.saveGrid>
const editable = [
  'face_cents',
  'price_cents',
  'bonus_cents',
  'cost_cents',
  'limit_n',
  'stock_alert',
] as const
/** The edit that puts a row back as it was, from the version that it has now. */
const backOf = (was: CardFaceRow, after: CardFaceRow): FaceEdit => ({
  id: after.id,
  version: after.version,
  ...Object.fromEntries(
    editable.filter(key => was[key] !== after[key]).map(key => [key, was[key]]),
  ),
})
const refused = (error: Refusal, lang: Lang) => {
  const { fields, by } = error.dataIn(lang) as { fields?: Record<string, string>; by?: ChangedBy }
  return {
    result: error.status === 409 ? ('conflict' as const) : ('error' as const),
    text: error.in(lang),
    fields: fields ?? {},
    ...(by && { by }),
  }
}
/** Saves rows, each by itself: what came of it, and where it was refused at which of its cells. */
const saveRows = async <One extends { id: number; version: number }>(
  context: WriteContext,
  rows: readonly One[],
  { setOf, reason }: { setOf: (tx: WriteContext, one: One) => Promise<FaceSet>; reason: string },
): Promise<Saved> => {
  const { lang } = context.staff
  const back: FaceEdit[] = []
  const once = [...new Map(rows.map(row => [row.id, row])).values()]
  const tried = await tryRows(context, once, async (inside, one) => {
    const done = await saveFace(inside, one, { set: await setOf(inside, one), reason })
    back.push(backOf(done.was, done.after))
  })
  return {
    back,
    results: tried.map(({ one, error }) => ({
      id: one.id,
      ...(error
        ? refused(error, lang)
        : { result: 'saved' as const, text: say(['已保存', 'Saved'], lang), fields: {} }),
    })),
  }
}
const needNoChannel = async (db: Db, attr_id: number): Promise<void> => {
  const [given] = await db
    .select({ n: count() })
    .from(ecard_channel_card)
    .where(eq(ecard_channel_card.attr_id, attr_id))
  if (given!.n > 0)
    throw ruled('face_in_channel', [
      '渠道正在分销该面值，请先在渠道中移除',
      'A channel sells it on: take it out there first',
    ])
}

const handlers = {
  lst: async ({ card_id, page, pageSize }, { db, staff }) => {
    const card = await cards.read(db, staff, card_id)
    const all = await db
      .select()
      .from(ecard_attr)
      .where(and(eq(ecard_attr.card_id, card_id), isOffered))
      .orderBy(asc(ecard_attr.sort), asc(ecard_attr.id))
    const on = all.filter(row => row.status === 'on').length
    const asked = all.slice((page - 1) * pageSize, page * pageSize)
    return {
      list: await shownFaces(db, asked, { lang: staff.lang, isOnSale: card.state === 'on', on }),
      total: all.length,
      list_version: sequenceVersion(all.map(row => row.id)),
      card,
    }
  },
  add: async ({ card_id, reason, ...face }, context) => {
    const { tx, staff } = context
    const card = await cards.lock(context, card_id)
    const there = await tx.$count(ecard_attr, and(eq(ecard_attr.card_id, card_id), isOffered))
    const isLoss = marginOf(face) < 0
    faultless(staff, {
      ...faceFaults(face, draftOf(card)),
      ...(there >= FACES_MOST && {
        face_cents: [`最多 ${FACES_MOST} 个面值`, `${FACES_MOST} faces at most`] as const,
      }),
      reason:
        isLoss && reason.trim().length < 2
          ? ['低于成本的面值须写明原因', 'Say why it is sold below its cost']
          : undefined,
    })
    return onceFaced(
      context,
      faces.add(context, {
        card_id,
        ...face,
        ...lossOf(face, { id: staff.id, reason }),
        sort: there + 1,
        // A card on sale gets a further face when somebody enables it.
        status: card.state === 'draft' && !isLoss ? 'on' : 'off',
      }),
    )
  },
  saveGrid: ({ rows, reason }, context) =>
    saveRows(context, rows, {
      reason,
      setOf: async (_, { id: __, version: ___, ...set }) => set as FaceSet,
    }),
  batchPrice: ({ rows, reason, ...how }, context) =>
    saveRows(context, rows, {
      reason,
      setOf: async (inside, one) => {
        const { was } = await faceHeld(inside, one)
        return { price_cents: priceBy(was, how) }
      },
    }),
  sort: async ({ card_id, ...asked }, context) => {
    await cards.lock(context, card_id)
    const before = (await facesInOrder(context, card_id)).map(row => row.id)
    const { order, list_version } = await arrange(context.tx, asked, before, {
      sets: ecard_attr.sort,
      by: ecard_attr.id,
    })
    context.log({
      object_type: 'ecard',
      object_id: card_id,
      object_label: joined(['面值顺序', 'Order of faces']),
      before: { order: before },
      after: { order },
    })
    return { list_version }
  },
  enable: async (one, context) => {
    const { card, was } = await faceFor(context, 'enable', one)
    const [wrong] = Object.values(faceFaults(was, draftOf(card))).filter(
      fault => fault !== undefined,
    )
    if (wrong) throw ruled('face_wrong', wrong)
    return faces.save(context, was, { status: 'on' })
  },
  disable: ({ reason, takes_off, ...one }, context) =>
    disableFace(context, one, { reason, takes_off }),
  approveLoss: async (one, context) => {
    const { was } = await faceFor(context, 'approveLoss', one)
    return faces.save(context, was, { loss_by: context.staff.id })
  },
  setStockAlert: async ({ threshold, ...one }, context) => {
    const { was } = await faceHeld(context, one)
    return faces.save(context, was, { stock_alert: threshold })
  },
  del: async (one, context) => {
    const { card, was } = await faceFor(context, 'delete', one)
    await needNoChannel(context.tx, was.id)
    if (was.status === 'on' && card.state === 'on')
      throw ruled('face_on', ['请先停用', 'Disable it first'])
    return faces.remove(context, was)
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }
export const cardFacesServer = implement(contract, handlers)
