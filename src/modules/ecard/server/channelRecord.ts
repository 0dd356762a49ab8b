/** Channels as handlers read, judge and change them. */
import { and, desc, eq, inArray, sql } from 'drizzle-orm'
import { ecard_channel_request } from '#src/areas/ecard/channel.table.ts'
import { channelCan, type ChannelVerb } from '#src/areas/ecard/channel.ts'
import {
  ecard,
  ecard_attr,
  ecard_channel,
  ecard_channel_card,
} from '#src/areas/ecard/ecard.table.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { yuan } from '#src/domain/money.ts'
import type { Db, WriteContext } from '#src/server/call/implement.ts'
import { record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import type { ChannelCard, ChannelRequest, ChannelRow } from '../contract/channel.ts'

export type Channel = typeof ecard_channel.$inferSelect
/** Columns that a form sets, and the log tells. */
export const columns = [
  'name',
  'type',
  'company',
  'tax_no',
  'contact',
  'phone',
  'email',
  'contract',
  'start_at',
  'end_at',
  'settle_type',
  'credit_cents',
  'ip_list',
  'receivers',
] as const satisfies readonly (keyof Channel)[]
export const channels = record(ecard_channel, {
  object: 'ecard_channel',
  label: row => row.name,
  keys: [...columns, 'periods', 'status', 'status_reason'],
  places: 'all',
  // A key's secret stands in no log and no answer.
  told: ({ secret_enc: _, old_secret_enc: __, ...row }) => row,
})

/** Lines of some channels with their faces, as long as they may be had. */
export const cardsOf = async (
  db: Db,
  ids: readonly number[],
): Promise<ReadonlyMap<number, ChannelCard[]>> => {
  const by = new Map<number, ChannelCard[]>(ids.map(id => [id, []]))
  if (ids.length === 0) return by
  const rows = await db
    .select({ line: ecard_channel_card, attr: ecard_attr, card: ecard })
    .from(ecard_channel_card)
    .innerJoin(ecard_attr, eq(ecard_attr.id, ecard_channel_card.attr_id))
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(inArray(ecard_channel_card.channel_id, [...ids]))
    .orderBy(ecard_channel_card.id)
  for (const { line, attr, card } of rows)
    if (line.status === 'on')
      by.get(line.channel_id)!.push({
        ...line,
        card_id: card.id,
        name: faceName(card.name, attr.face_cents),
        face_cents: attr.face_cents,
        price_cents: attr.price_cents,
        sold: attr.status === 'on' && card.state === 'on',
      })
  return by
}
/** The name of a face: `商场礼品卡 ¥500.00`. */
export const faceName = (card: string, face_cents: number): string => `${card} ¥${yuan(face_cents)}`

const maker = sql<string>`(select a.name from ${admin} a where a.id = ${ecard_channel_request.made_by})`
const decider = sql<string>`coalesce((select a.name from ${admin} a where a.id = ${ecard_channel_request.decided_by}), '')`
/** The requests that wait for a second person, and those that were decided, the latest first. */
export const requestsOf = async (
  db: Db,
  ids: readonly number[],
  waiting: boolean,
): Promise<(ChannelRequest & { channel_id: number })[]> => {
  const t = ecard_channel_request
  if (ids.length === 0) return []
  const rows = await db
    .select({ row: t, maker, decider })
    .from(t)
    .where(and(inArray(t.channel_id, [...ids]), waiting ? eq(t.state, 'waiting') : undefined))
    .orderBy(desc(t.id))
    .limit(200)
  return rows.map(({ row, ...names }) => ({ ...row, ...names }))
}
type Figures = {
  id: number
  quota_n: number
  issued_n: number
  activated_n: number
  back_n: number
}
/** The figures of what channels were given and what came of it, each by the index of its channel. */
const figuresOf = async (db: Db, ids: readonly number[]): Promise<Map<number, Figures>> => {
  if (ids.length === 0) return new Map()
  const { rows } = await db.execute<Figures>(sql`
    select c.id, q.quota_n, q.issued_n, a.n activated_n, b.n back_n
    from ecard_channel c
      cross join lateral (select coalesce(sum(quota_n) filter (where status = 'on'), 0)::int quota_n, coalesce(sum(issued_n), 0)::int issued_n from ecard_channel_card where channel_id = c.id) q
      cross join lateral (select count(*)::int n from ecard_code where channel_id = c.id and activated_at is not null) a
      cross join lateral (select count(*)::int n from ecard_code where channel_id = c.id and state = 'refunded') b
    where c.id in ${ids}`)
  return new Map(rows.map(row => [row.id, row]))
}
/** Channels as a list shows them. */
export const shownChannels = async (db: Db, rows: readonly Channel[]): Promise<ChannelRow[]> => {
  const ids = rows.map(row => row.id)
  const cards = await cardsOf(db, ids)
  const figures = await figuresOf(db, ids)
  const waiting = new Map((await requestsOf(db, ids, true)).map(one => [one.channel_id, one]))
  return rows.map(row => ({
    ...row,
    ...figures.get(row.id)!,
    cards: cards.get(row.id)!,
    app_key: row.app_key ?? '',
    status_reason: row.status_reason ?? '',
    request: waiting.get(row.id) ?? null,
  }))
}

/** The request of a channel that waits, held until the transaction ends. */
export const waitingOf = async (tx: Db, channel_id: number) => {
  const t = ecard_channel_request
  const [row] = await tx
    .select()
    .from(t)
    .where(and(eq(t.channel_id, channel_id), eq(t.state, 'waiting')))
    .for('update')
  return row ?? null
}
/** The channel as the person holds it, locked; 422 where it can't have that now. */
export const heldFor = async (
  context: WriteContext,
  verb: ChannelVerb,
  one: { id: number; version: number },
): Promise<Channel> => {
  const row = await channels.heldFast(context, one)
  const request = await waitingOf(context.tx, row.id)
  const may = channelCan(verb, { ...row, request }, { me: context.staff.id, now: context.now })
  if (may !== true) throw ruled(`channel_${verb}`, may)
  return row
}
/** Asks a second person; a channel has one such request at a time. */
export const askSecond = async (
  { tx, staff, now }: WriteContext,
  of: Pick<typeof ecard_channel_request.$inferInsert, 'channel_id' | 'kind' | 'amount_cents'> & {
    proof?: string
    reason?: string
  },
): Promise<void> => {
  await unlessTaken(
    tx
      .insert(ecard_channel_request)
      .values({ ...of, made_by: staff.id, created_at: now, updated_at: now })
      .then(() => undefined),
    () =>
      ruled('request_waits', [
        '已有一笔待复核，请先处理',
        'A request waits already: decide it first',
      ]),
  )
}
