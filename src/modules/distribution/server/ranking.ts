import { eq, inArray, sql } from 'drizzle-orm'
import { spanOf } from '#src/areas/log/logs.ts'
import { tooLong } from '#src/areas/log/tooLong.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import {
  grantPrizes,
  rankedSince,
  rankNow,
  rankWithout,
  type Rank,
  type RankAsked,
} from '#src/areas/ranking/ranking.server.ts'
import { dist_rank, dist_rank_prize } from '#src/areas/ranking/ranking.table.ts'
import {
  maskedName,
  measures,
  periodBefore,
  prizesOf,
  RANK_DAYS,
  rankCan,
  ranked,
} from '#src/areas/ranking/ranking.ts'
import { joined, say } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type Staff } from '#src/server/call/implement.ts'
import { equal, faultless, listing, record, unlessTaken } from '#src/server/call/record.ts'
import { ruled } from '#src/server/call/refuse.ts'
import { seesAll } from '#src/server/call/scope.ts'
import { paged } from '#src/server/call/tree.ts'
import { defineExport, startExport } from '#src/server/exports/exports.ts'
import {
  ranking as contract,
  type FrozenRow,
  type LiveRow,
  type RankFilters,
} from '../contract/ranking.ts'

type Seer = Pick<Staff, 'id' | 'scope' | 'lang'>
const USUAL_DAYS = 30
/** Whole days; throws 422 for more than a year. */
const askedOf = (
  { from, to, who = 'expert', measure = 'net', city_id, mid }: RankFilters,
  now: number,
): RankAsked => {
  const span =
    from === undefined && to === undefined
      ? spanOf({}, USUAL_DAYS - 1, now)
      : spanOf({ from, to }, RANK_DAYS, now)
  if (!span) throw tooLong(RANK_DAYS)
  return { who, measure, city_id, mid, from: dayStart(span.from), to: dayStart(span.to) + DAY - 1 }
}
/** The ranking with the places of the period before. */
const rankedLive = async (db: Db, asked: RankAsked, staff: Seer): Promise<LiveRow[]> => {
  const [now, before] = await Promise.all([
    rankNow(db, asked, staff),
    rankNow(db, { ...asked, ...periodBefore(asked) }, staff),
  ])
  const was = new Map(before.map(row => [row.id, row.place]))
  return now.map(row => ({ ...row, view: 'live' as const, place_before: was.get(row.id) ?? null }))
}
const nameOf = (of: Pick<Rank, 'who' | 'measure' | 'from_at' | 'to_at'>, lang: Staff['lang']) =>
  `${say(ranked[of.who], lang)} · ${say(measures[of.measure], lang)} ${dateOf(of.from_at)} – ${dateOf(of.to_at)}`

const rows = record(dist_rank, {
  object: 'dist_rank',
  label: row => nameOf(row, 'zh'),
  keys: ['status', 'reason'],
  places: { city: dist_rank.city_id, mall: dist_rank.mall_id },
})
const shown = async (db: Db, of: Rank[], { staff }: { staff: Seer }): Promise<FrozenRow[]> => {
  if (of.length === 0) return []
  const ids = (key: 'maker_id' | 'city_id' | 'mall_id') => [...new Set(of.map(row => row[key])), 0]
  const [people, cities, malls, prizes] = await Promise.all([
    db
      .select()
      .from(admin)
      .where(inArray(admin.id, ids('maker_id'))),
    db
      .select()
      .from(city)
      .where(inArray(city.id, ids('city_id'))),
    db
      .select()
      .from(mall)
      .where(inArray(mall.id, ids('mall_id'))),
    db
      .select({
        id: dist_rank_prize.rank_id,
        n: sql<number>`count(*)::int`,
        cents: sql<number>`sum(${dist_rank_prize.amount_cents})::float8`,
      })
      .from(dist_rank_prize)
      .where(
        inArray(
          dist_rank_prize.rank_id,
          of.map(row => row.id),
        ),
      )
      .groupBy(dist_rank_prize.rank_id),
  ])
  const named = <T extends { id: number }>(all: T[], id: number) => all.find(one => one.id === id)
  return of.map(row => ({
    id: row.id,
    view: 'lists',
    name: nameOf(row, staff.lang),
    who: row.who,
    measure: row.measure,
    from_at: row.from_at,
    to_at: row.to_at,
    where:
      named(malls, row.mall_id)?.name ??
      named(cities, row.city_id)?.city_name ??
      say(['全部', 'Everywhere'], staff.lang),
    people: row.rows.length,
    excluded: row.excluded.length,
    prizes: named(prizes, row.id)?.n ?? 0,
    prize_cents: named(prizes, row.id)?.cents ?? 0,
    maker: named(people, row.maker_id)?.name ?? '',
    created_at: row.created_at,
    published_at: row.published_at,
    reason: row.reason,
    status: row.status,
    version: row.version,
  }))
}
const list = listing(rows, {
  where: ({ status }: { status?: Rank['status'] | undefined }) => equal(dist_rank, { status }),
  shown,
  by: dist_rank.id,
  down: true,
})
/** Whether a person sees everything that such a list is of. */
const isOwn = ({ scope }: Seer, { city_id, mid }: RankAsked): boolean => {
  const has = (ids: readonly unknown[] | string, id: number | undefined) =>
    id !== undefined && id > 0 && (ids as readonly unknown[]).includes(id)
  return seesAll(scope) || has(scope.cities, city_id) || has(scope.malls, mid)
}
const refusing = (verb: Parameters<typeof rankCan>[0], row: Rank): void => {
  const may = rankCan(verb, row)
  if (may !== true) throw ruled(`rank_${verb}`, may)
}

const handlers = {
  lst: async ({ page, pageSize, ...filters }, { db, staff, now }) =>
    paged(await rankedLive(db, askedOf(filters, now), staff), { page, pageSize }),
  lists: (asked, context) => list.page(asked, context),
  detail: async ({ id }, { db, staff }) => {
    const row = await rows.read(db, staff, id)
    const since = await rankedSince(db, row, staff)
    const prizes = await db.select().from(dist_rank_prize).where(eq(dist_rank_prize.rank_id, id))
    return {
      rows: row.rows.map(one => ({
        ...one,
        masked: row.who === 'product' ? one.name : maskedName(one.name),
        now_cents: since.get(one.id)?.net_cents ?? 0,
        prize_cents:
          prizes.find(
            prize =>
              prize.place === one.place && (row.who === 'group' || prize.distributor_id === one.id),
          )?.amount_cents ?? null,
      })),
      excluded: row.excluded,
    }
  },
  freezeList: async ({ reason, ...filters }, context) => {
    const { tx, staff, now } = context
    const asked = askedOf(filters, now)
    if (!isOwn(staff, asked))
      throw ruled('needs_place', [
        '只能冻结自己数据范围内的榜单，请先选择自己的城市或商场',
        'You freeze lists of your own places: choose your city or mall first',
      ])
    if (asked.to > now)
      throw ruled('not_over', [
        '榜单期间还没有结束，最晚选昨天',
        'The period is not over: its last day is yesterday at the latest',
      ])
    const found = await rankNow(tx, asked, staff)
    if (found.length === 0)
      throw ruled('empty_list', ['期间没有上榜的人，不能冻结', 'Nobody is on that list'])
    return unlessTaken(
      rows.add(context, {
        who: asked.who,
        measure: asked.measure,
        from_at: asked.from,
        to_at: asked.to,
        city_id: asked.city_id ?? 0,
        mall_id: asked.mid ?? 0,
        rows: found,
        maker_id: staff.id,
        reason,
      }),
      () =>
        ruled('frozen_already', [
          '同一口径与期间的榜单已冻结，请在“冻结的榜单”中查看',
          'That list is frozen already: look among the frozen lists',
        ]),
    )
  },
  publish: async (one, context) => {
    const was = await rows.held(context, one)
    refusing('publish', was)
    return rows.save(context, was, { status: 'published', published_at: context.now, reason: '' })
  },
  unpublish: async ({ reason, ...one }, context) => {
    const was = await rows.held(context, one)
    refusing('unpublish', was)
    return rows.save(context, was, { status: 'unpublished', published_at: null, reason }, reason)
  },
  exclude: async ({ place, reason, ...one }, context) => {
    const { staff, now } = context
    const was = await rows.held(context, one)
    refusing('exclude', was)
    const those = was.rows.filter(row => row.place === place)
    faultless(staff, {
      place: those.length === 0 ? ['榜单上没有这个名次', 'Nobody has that place'] : undefined,
    })
    const off = those[0]!
    const set = {
      rows: rankWithout(was, off.id),
      excluded: [...was.excluded, { id: off.id, name: off.name, reason, by: staff.id, at: now }],
    }
    const saved = await rows.set(context, was, set)
    rows.log(context, saved, {
      before: { excluded: was.excluded.map(row => row.name) },
      after: { excluded: set.excluded.map(row => row.name) },
      reason: joined([
        `${off.name}（第 ${place} 名）：${reason}`,
        `${off.name} (place ${place}): ${reason}`,
      ]),
    })
    return saved
  },
  grantPrize: async ({ rule, reason, ...one }, context) => {
    const { tx, staff, now } = context
    const was = await rows.held(context, one)
    refusing('grantPrize', was)
    const prizes = prizesOf(rule)
    if ('fault' in prizes) {
      faultless(staff, { rule: prizes.fault })
      throw new Error('A fault was no fault')
    }
    const saved = await rows.set(context, was, { updated_at: now })
    rows.log(context, saved, { before: null, after: { rule }, reason })
    const given = await grantPrizes(tx, was, { prizes, me: staff.id, now, reason })
    return { id: saved.id, version: saved.version, ...given }
  },
  export: async ({ format, columns, ids, ...filters }, context) => {
    const asked = { ...askedOf(filters, context.now), ids }
    const found = chosenOf(await rankNow(context.tx, asked, context.staff), asked)
    return startExport(context, {
      page: 'distribution.ranking',
      filters: asked,
      filters_text: nameOf({ ...asked, from_at: asked.from, to_at: asked.to }, context.staff.lang),
      rows_expected: found.length,
      format,
      columns,
    })
  },
} satisfies { [K in keyof typeof contract]: Handler<(typeof contract)[K]> }

type FileAsked = RankAsked & { ids?: readonly number[] | undefined }
const chosenOf = <R extends { id: number }>(of: readonly R[], { ids }: FileAsked): R[] =>
  of.filter(row => ids?.includes(row.id) ?? true)
const gmv = { kind: 'money', field: 'stat.gmv_cents' } as const
defineExport('distribution.ranking', {
  title: ['分销排行榜', 'Ranking'],
  permit: contract.export.permit,
  columns: [
    { key: 'place', title: ['名次', 'Place'], kind: 'number' },
    { key: 'name', title: ['名称', 'Name'] },
    { key: 'paid_cents', title: ['销售额', 'Sales'], ...gmv },
    { key: 'net_cents', title: ['净销售额', 'Net sales'], ...gmv },
    { key: 'orders', title: ['订单数', 'Orders'], kind: 'number' },
    { key: 'customers', title: ['新客数', 'New customers'], kind: 'number' },
    {
      key: 'commission_cents',
      title: ['佣金', 'Commission'],
      kind: 'money',
      field: 'product.commission_bp',
    },
    { key: 'place_before', title: ['上期名次', 'Place before'], kind: 'number' },
  ],
  rows: async ({ db, staff, filters, after }) => {
    if (after !== undefined) return { rows: [], next: undefined }
    const asked = filters as FileAsked
    const found = chosenOf(await rankedLive(db, asked, staff), asked)
    return {
      rows: found.map(({ view: _, id: __, ...row }) => ({
        ...row,
        paid_cents: row.paid_cents ?? null,
        net_cents: row.net_cents ?? null,
        commission_cents: row.commission_cents ?? null,
      })),
      next: undefined,
    }
  },
})

export const rankingServer = implement(contract, handlers)
