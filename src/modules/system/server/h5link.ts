import { randomInt } from 'node:crypto'
import { and, asc, desc, eq, gt, ilike, inArray, lte, ne, or, sql, type SQL } from 'drizzle-orm'
import { page_link, type LinkParams } from '#src/areas/content/content.table.ts'
import {
  BATCH_ROWS_AT_ONCE,
  batchFault,
  batchRows,
  channelFault,
  expiryFault,
  h5Can,
  h5State,
  h5States,
  renewsItself,
  type BatchRow,
  type H5State,
  type H5Verb,
} from '#src/areas/link/h5Link.ts'
import { wechatDays } from '#src/areas/link/h5Links.server.ts'
import { healthOf, pickLink } from '#src/areas/link/links.server.ts'
import { h5_link } from '#src/areas/merchant/texts.table.ts'
import { clause, say, type Text } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { eachRow } from '#src/server/call/batch.ts'
import {
  implement,
  type Db,
  type Handler,
  type Staff,
  type WriteContext,
} from '#src/server/call/implement.ts'
import { invalid, missing, ruled } from '#src/server/call/refuse.ts'
import { defineRevertBy, way } from '#src/server/call/reverts.ts'
import { within } from '#src/server/call/scope.ts'
import { difference, rowSaver, staleRow } from '#src/server/call/versions.ts'
import { like } from '#src/server/db/like.ts'
import { isNamed } from '#src/server/db/names.ts'
import { countOf, exactCount, listed } from '#src/server/db/paging.ts'
import { defineExport, startExport, chosenRows, type Chosen } from '#src/server/exports/exports.ts'
import { defineRowJob, startRowJob } from '#src/server/jobs/rowJobs.ts'
import { h5link as contract } from '../contract/h5link.ts'

type Row = typeof h5_link.$inferSelect
const saveLink = rowSaver(h5_link, 'h5_link')
type Filters = {
  keyword?: string | undefined
  channel?: string | undefined
  status?: H5State | undefined
  page_link_id?: number | undefined
}
const stateIs = (state: H5State, now: number): SQL | undefined => {
  if (state === 'stopped') return eq(h5_link.status, 'stopped')
  const inTime = state === 'on' ? gt(h5_link.expire_at, now) : lte(h5_link.expire_at, now)
  return and(eq(h5_link.status, 'on'), inTime)
}
const listWhere = (
  { keyword, channel, status, page_link_id, ids }: Filters & Chosen,
  now: number,
): SQL | undefined =>
  and(
    chosenRows(h5_link.id, { ids }),
    keyword ? or(ilike(h5_link.name, like(keyword)), eq(h5_link.code, keyword)) : undefined,
    channel ? eq(h5_link.channel, channel) : undefined,
    page_link_id === undefined ? undefined : eq(h5_link.page_link_id, page_link_id),
    status && stateIs(status, now),
  )
const NEW_S = 7 * DAY
/** A link is everybody's; of the orders it brought (`o`) a person sees those in their data. */
const ordersWithin = (scope: Staff['scope']): SQL =>
  within(scope, { city: sql`o.city_id`, mall: sql`o.mall_id` }) ?? sql`true`
/**
 * What each link brought: visits (a device once a day), paid orders, their worth less refunds, and
 * buyers who signed up within 7 days before.
 */
const broughtBy = async (db: Db, ids: readonly number[], { scope }: Pick<Staff, 'scope'>) => {
  if (ids.length === 0)
    return new Map<
      number,
      { visits: number; orders: number; new_members: number; gmv_cents: number }
    >()
  const { rows } = await db.execute<{
    id: number
    visits: number
    orders: number
    new_members: number
    gmv: string
  }>(sql`
    select l.id, (select count(*)::int from h5_visit v where v.h5_link_id = l.id) visits, coalesce(o.orders, 0)::int orders, coalesce(o.fresh, 0)::int new_members, coalesce(o.gmv, 0)::bigint gmv
    from h5_link l left join lateral (select count(*) orders, sum(o.paid_cents - o.refunded_cents) gmv, count(distinct o.member_id) filter (where m.register_at > o.created_at - ${NEW_S}) fresh from "order" o left join member m on m.id = o.member_id where o.h5_link_id = l.id and o.paid_at is not null and ${ordersWithin(scope)}) o on true
    where l.id in ${ids}`)
  return new Map(
    rows.map(row => [
      row.id,
      {
        visits: row.visits,
        orders: row.orders,
        new_members: row.new_members,
        gmv_cents: Number(row.gmv),
      },
    ]),
  )
}
const shown = async (db: Db, rows: readonly Row[], now: number, staff: Staff) => {
  const links = new Map(
    rows.length === 0
      ? []
      : (
          await db
            .select()
            .from(page_link)
            .where(inArray(page_link.id, [...new Set(rows.map(row => row.page_link_id))]))
        ).map(link => [link.id, link]),
  )
  const health = await healthOf(
    db,
    rows.map(row => ({ link: links.get(row.page_link_id)!, params: row.params })),
    now,
  )
  const brought = await broughtBy(
    db,
    rows.map(row => row.id),
    staff,
  )
  const days = await wechatDays(db)
  return rows.map(({ params, updated_at: _, ...row }, at) => ({
    ...row,
    link_params: params,
    status: h5State(row, now),
    link_name: links.get(row.page_link_id)!.name,
    link_ok: health[at]!.health === 'ok',
    link_note: say(health[at]!.note, staff.lang),
    renews: renewsItself(
      {
        type: links.get(row.page_link_id)!.type,
        expire_at: row.expire_at,
        created_at: row.created_at,
      },
      days,
    ),
    ...brought.get(row.id)!,
  }))
}
const readRow = async (db: Db, id: number): Promise<Row> => {
  const [row] = await db.select().from(h5_link).where(eq(h5_link.id, id))
  if (!row) throw missing()
  return row
}
const label = (row: Pick<Row, 'name' | 'code'>) => `${row.name} ${row.code}`
const keys = ['name', 'channel', 'expire_at', 'status', 'stop_reason'] as const
/** Without 0, O, I and l: people read codes from posters. */
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
const newCode = () => Array.from({ length: 7 }, () => LETTERS[randomInt(LETTERS.length)]).join('')

const faulty = (
  { staff }: Pick<WriteContext, 'staff'>,
  faults: Record<string, Text | undefined>,
) => {
  const found = Object.entries(faults).filter((one): one is [string, Text] => one[1] !== undefined)
  if (found.length > 0)
    throw invalid(Object.fromEntries(found.map(([key, text]) => [key, say(text, staff.lang)])))
}
const nameTaken: Text = ['同一渠道已有同名短链', 'The channel has a link of that name']
const freeName = async (
  context: WriteContext,
  of: { name: string; channel: string },
  own?: number,
) => {
  const [taken] = await context.tx
    .select({ id: h5_link.id })
    .from(h5_link)
    .where(
      and(
        isNamed(h5_link.name, of.name),
        eq(h5_link.channel, of.channel),
        own === undefined ? undefined : ne(h5_link.id, own),
      ),
    )
  faulty(context, { name: taken && nameTaken })
}
type Made = {
  name: string
  page_link_id: number
  params: LinkParams
  channel: string
  expire_at: number
  again: boolean
}
const make = async (context: WriteContext, { again, ...of }: Made): Promise<Row> => {
  const { tx, now, log } = context
  faulty(context, { channel: channelFault(of.channel), expire_at: expiryFault(of.expire_at, now) })
  await pickLink(tx, of, now)
  await freeName(context, of)
  const [same] = again
    ? []
    : await tx
        .select()
        .from(h5_link)
        .where(
          and(
            eq(h5_link.page_link_id, of.page_link_id),
            eq(h5_link.channel, of.channel),
            sql`${h5_link.params} = ${JSON.stringify(of.params)}::jsonb`,
            eq(h5_link.status, 'on'),
            gt(h5_link.expire_at, now),
          ),
        )
        .limit(1)
  if (same)
    throw ruled(
      'same_target',
      [
        '渠道 {channel} 已有指向同一目标的短链「{name}」（{code}），可直接使用；确需再建请勾选“仍然生成”',
        'The channel {channel} has {name} ({code}) to the same target: use that one, or tick “make it all the same”',
      ],
      { channel: of.channel, name: same.name, code: same.code },
      { existing: { id: same.id, name: same.name, code: same.code } },
    )
  for (let tried = 0; tried < 5; tried++) {
    const [made] = await tx
      .insert(h5_link)
      .values({ ...of, code: newCode() })
      .onConflictDoNothing()
      .returning()
    if (made) {
      log({
        object_type: 'h5_link',
        object_id: made.id,
        object_label: label(made),
        after: { ...of, code: made.code },
      })
      return made
    }
    // Either the code is taken, which another one mends, or somebody was quicker with the name.
    await freeName(context, of)
  }
  throw new Error('No free code was found')
}
/** A line of a table. */
const makeLine = (
  context: WriteContext,
  { line: _, ...of }: BatchRow,
  { again }: { again: boolean },
) => make(context, { ...of, again })
const manyLinks = defineRowJob(contract.batchCreate, makeLine)
const change = async (
  context: WriteContext,
  { id, version }: { id: number; version: number },
  set: Partial<Row>,
  { verb, reason }: { verb?: H5Verb; reason?: string } = {},
) => {
  const row = await readRow(context.tx, id)
  if (row.version !== version) throw await staleRow(context.tx, 'h5_link', row)
  const may = verb ? h5Can(verb, h5State(row, context.now)) : true
  if (may !== true) throw ruled('wrong_state', may)
  const after = await saveLink(context.tx, row, set)
  context.log({
    object_type: 'h5_link',
    object_id: id,
    object_label: label(after),
    ...difference(row, after, keys),
    ...(reason && { reason }),
  })
  return { id, version: after.version }
}

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, now, staff }) => {
    const where = listWhere(filters, now)
    const rows = await db
      .select()
      .from(h5_link)
      .where(where)
      .orderBy(desc(h5_link.id))
      .limit(pageSize)
      .offset((page - 1) * pageSize)
    return listed({ page, pageSize }, rows, shown(db, rows, now, staff), () =>
      countOf(db, h5_link, where),
    )
  },
  create: async (of, context) => {
    const { id, version, code } = await make(context, of)
    return { id, version, code }
  },
  batchCreate: async ({ file, again }, context) => {
    const read = batchRows(file)
    const fault = batchFault(read)
    if ('bad' in read || fault) throw invalid({ file: say(fault!, context.staff.lang) })
    if (read.rows.length > BATCH_ROWS_AT_ONCE)
      return startRowJob(context, manyLinks, { rows: read.rows, same: { again } })
    const rows = new Map(read.rows.map(row => [row.line, row]))
    return eachRow(context, [...rows.keys()], (one, line) =>
      makeLine(one, rows.get(line)!, { again }),
    )
  },
  edit: async ({ id, version, name, channel }, context) => {
    faulty(context, { channel: channelFault(channel) })
    await readRow(context.tx, id)
    await freeName(context, { name, channel }, id)
    return change(context, { id, version }, { name, channel })
  },
  stop: async ({ id, version, reason }, context) =>
    change(
      context,
      { id, version },
      { status: 'stopped', stop_reason: reason },
      { verb: 'stop', reason },
    ),
  renew: async ({ id, version, expire_at }, context) => {
    const row = await readRow(context.tx, id)
    faulty(context, {
      expire_at:
        expiryFault(expire_at, context.now) ??
        (expire_at <= row.expire_at
          ? ['须晚于现在的到期时间', 'It must be later than the present one']
          : undefined),
    })
    return change(context, { id, version }, { expire_at }, { verb: 'renew' })
  },
  stat: async ({ id }, { db, staff, now }) => {
    await readRow(db, id)
    const from = dayStart(now) - 29 * DAY
    const { rows: visits } = await db.execute<{ day: string; n: number }>(
      sql`select day, count(*)::int n from h5_visit where h5_link_id = ${id} and day >= ${dateOf(from)} group by 1`,
    )
    const { rows: orders } = await db.execute<{ at: number; n: number; gmv: string }>(
      sql`select (paid_at - ${from}) / ${DAY} as at, count(*)::int n, sum(paid_cents - refunded_cents)::bigint gmv from "order" o where h5_link_id = ${id} and paid_at >= ${from} and ${ordersWithin(staff.scope)} group by 1`,
    )
    const {
      rows: [all],
    } = await db.execute<{ n: number }>(
      sql`select count(distinct device)::int n from h5_visit where h5_link_id = ${id}`,
    )
    const [seen, sold] = [
      new Map(visits.map(row => [row.day, row.n])),
      new Map(orders.map(row => [Number(row.at), row])),
    ]
    return {
      days: Array.from({ length: 30 }, (_, at) => {
        const day = dateOf(from + at * DAY)
        return {
          day,
          visits: seen.get(day) ?? 0,
          orders: sold.get(at)?.n ?? 0,
          gmv_cents: Number(sold.get(at)?.gmv ?? 0),
        }
      }),
      devices: all!.n,
      ...(await broughtBy(db, [id], staff)).get(id)!,
    }
  },
  export: async ({ format, columns, ...filters }, context) => {
    const rows_expected = await exactCount(
      context.tx,
      h5_link,
      listWhere(filters, context.now),
      1_000_000,
    )
    return startExport(context, {
      page: 'system.h5link',
      filters,
      filters_text: [
        filters.status && say(h5States[filters.status], context.staff.lang),
        filters.channel,
        filters.keyword,
      ]
        .filter(Boolean)
        .join(say(clause, context.staff.lang)),
      rows_expected,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

defineExport('system.h5link', {
  title: ['推广短链数据', 'Short links'],
  permit: 'system.h5link.export',
  filters: () => ({
    status: { title: ['状态', 'State'], kind: 'enum', options: h5States },
    channel: { title: ['渠道', 'Channel'] },
  }),
  columns: [
    { key: 'id', title: ['编号', 'ID'], kind: 'number' },
    { key: 'name', title: ['名称', 'Name'] },
    { key: 'path', title: ['短链', 'Short link'] },
    { key: 'channel', title: ['渠道', 'Channel'] },
    { key: 'link_name', title: ['目标', 'Target'] },
    { key: 'status', title: ['状态', 'State'] },
    { key: 'expire_at', title: ['到期时间', 'Until'], kind: 'time' },
    { key: 'visits', title: ['访问', 'Visits'], kind: 'number' },
    { key: 'new_members', title: ['新会员', 'New members'], kind: 'number' },
    { key: 'orders', title: ['支付订单', 'Paid orders'], kind: 'number' },
    { key: 'gmv_cents', title: ['成交额', 'GMV'], kind: 'money', field: 'stat.amount_cents' },
  ],
  rows: async ({ db, staff, filters, now, after, limit }) => {
    const rows = await db
      .select()
      .from(h5_link)
      .where(
        and(
          listWhere(filters as Filters, now),
          after === undefined ? undefined : sql`${h5_link.id} > ${after}`,
        ),
      )
      .orderBy(asc(h5_link.id))
      .limit(limit)
    return {
      rows: (await shown(db, rows, now, staff)).map(row => ({
        ...row,
        path: `/l/${row.code}`,
        status: say(h5States[row.status], staff.lang),
      })),
      next: rows.length < limit ? undefined : rows.at(-1)?.id,
    }
  },
})

// Its end may only be put off, and a stopped code is in people's hands: neither is taken back.
defineRevertBy('h5_link', (db, _, id) => readRow(db, id), [
  way(contract.edit, handlers.edit, ['name', 'channel'], ({ id, version, name, channel }) => ({
    id,
    version,
    name,
    channel,
  })),
])

export const h5linkServer = implement(contract, handlers)
