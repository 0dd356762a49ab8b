import { and, eq, gte, ilike, inArray, lte, sql, type SQL } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { pickMembers } from '#src/areas/member/picking.server.ts'
import { admin } from '#src/areas/people/people.table.ts'
import { city, mall } from '#src/areas/place/place.table.ts'
import { issuedByRule } from '#src/areas/points/byRule.server.ts'
import { ladderFault, type ClockedConfig } from '#src/areas/pointsRule/earning.ts'
import { points_rule } from '#src/areas/pointsRule/rule.table.ts'
import {
  heldRule,
  refuseOverlap,
  ruleRecord,
  turnRuleOff,
  turnRuleOn,
} from '#src/areas/pointsRule/ruleRecord.server.ts'
import { ruleRows } from '#src/areas/pointsRule/ruleRows.server.ts'
import { membersOnDevices, onSharedDevice, signFigures } from '#src/areas/signIn/figures.server.ts'
import { checkin_spot, sign_record as t } from '#src/areas/signIn/signIn.table.ts'
import { oddities, openingFault, SHARED_DEVICE, signKinds } from '#src/areas/signIn/signIn.ts'
import { makeUpDay, voidSign, type SignRecord } from '#src/areas/signIn/signing.server.ts'
import { comma, joined, saidInBoth, say } from '#src/domain/text.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { implement, type Db, type Handler, type WriteContext } from '#src/server/call/implement.ts'
import {
  equal,
  exporting,
  faultless,
  listing,
  record,
  turning,
  unlessTaken,
} from '#src/server/call/record.ts'
import { missing, ruled } from '#src/server/call/refuse.ts'
import { within } from '#src/server/call/scope.ts'
import { begins, like } from '#src/server/db/like.ts'
import {
  checkinSpots,
  clockedRules,
  signRecords,
  type SignFilters,
  type SignRow,
} from '../contract/scoreClocked.ts'

const cityOf = sql`(select m.city_id from member m where m.id = ${t.member_id})`
const records = record(t, {
  object: 'sign_record',
  label: row => saidInBoth(lang => `${say(signKinds[row.kind], lang)} ${dateOf(row.day)}`),
  keys: ['is_void', 'void_reason'],
  places: ({ scope }) => within(scope, { city: cityOf }),
})
const spots = record(checkin_spot, {
  object: 'checkin_spot',
  label: row => joined([`打卡商场 ${row.id}`, `Place to sign in ${row.id}`]),
  keys: ['mall_id', 'radius_m', 'points', 'open_from', 'open_to', 'status'],
  places: {
    city: sql`(select m.city_id from mall m where m.id = ${checkin_spot.mall_id})`,
    mall: checkin_spot.mall_id,
  },
})
const heldClocked = (context: WriteContext, one: { id: number; version: number }) =>
  heldRule(context, one, ['clocked'])

const ruleHandlers = {
  lst: async (asked, { db, now }) => {
    const { list, ...told } = await ruleRows(db, 'clocked', asked, await issuedByRule(db, now))
    return { list: list.map(row => ({ ...row, ...(row.config as ClockedConfig) })), ...told }
  },
  today: (_, { db, staff, now }) => signFigures(db, records.seen(staff), now),
  save: async ({ id, version, ladder, month_bonus, ...span }, context) => {
    const was = await heldClocked(context, { id, version })
    faultless(context.staff, { ladder: ladderFault(ladder) })
    await refuseOverlap(context, was, { ...span, mids: was.mids })
    const config: ClockedConfig = { ladder: ladder.map(step => step.points), month_bonus }
    return ruleRecord.save(context, was, { ...span, config })
  },
  enable: async (one, context) => turnRuleOn(context, await heldClocked(context, one)),
  disable: async ({ reason, ...one }, context) =>
    turnRuleOff(context, await heldClocked(context, one), reason),
} satisfies { [K in keyof typeof clockedRules]: Handler<(typeof clockedRules)[K]> }

type SpotFilters = { keyword?: string; city_id?: number; status?: 'on' | 'off' }
const spotList = listing(spots, {
  by: checkin_spot.id,
  down: true,
  where: ({ keyword, city_id, status }: SpotFilters) =>
    and(
      equal(checkin_spot, { status }),
      keyword || city_id
        ? inArray(
            checkin_spot.mall_id,
            sql`(select ${mall.id} from ${mall} where ${and(
              keyword ? ilike(mall.name, like(keyword)) : undefined,
              city_id ? eq(mall.city_id, city_id) : undefined,
            )})`,
          )
        : undefined,
    ),
  shown: async (db, rows, { now }) => {
    const ids = rows.map(row => row.id)
    if (ids.length === 0) return []
    const named = await db
      .select({ id: mall.id, mall_name: mall.name, city_name: city.city_name })
      .from(mall)
      .innerJoin(city, eq(city.id, mall.city_id))
      .where(
        inArray(
          mall.id,
          rows.map(row => row.mall_id),
        ),
      )
    const visits = await db
      .select({
        id: t.spot_id,
        visits: sql<number>`count(*)::int`,
        visitors: sql<number>`count(distinct ${t.member_id})::int`,
      })
      .from(t)
      .where(and(inArray(t.spot_id, ids), gte(t.at, now - 30 * DAY), eq(t.is_void, false)))
      .groupBy(t.spot_id)
    const of = new Map(named.map(({ id, ...one }) => [id, one]))
    const byId = new Map(visits.map(({ id, ...one }) => [id, one]))
    return rows.map(row => ({
      ...row,
      ...of.get(row.mall_id)!,
      ...(byId.get(row.id) ?? { visits: 0, visitors: 0 }),
    }))
  },
})
const spotHandlers = {
  lst: (asked, context) => spotList.page(asked as never, context),
  addSpot: async ({ mid, ...fields }, context) => {
    const { tx, staff } = context
    faultless(staff, { open_from: openingFault(fields) })
    const [at] = await tx.select().from(mall).where(eq(mall.id, mid)).for('share')
    if (!at) throw missing()
    if (at.lng_e6 === null || at.lat_e6 === null)
      throw ruled(
        'no_pin',
        ['「{name}」还没有地图定位，请先在商场资料中标注', '{name} has no pin on the map yet'],
        { name: at.name },
      )
    if (at.status !== 'online')
      throw ruled('mall_offline', ['商场未上线，不能打卡', 'The mall is not online'])
    return unlessTaken(spots.add(context, { mall_id: mid, ...fields }), () =>
      ruled('spot_there', ['该商场已是打卡商场', 'The mall is a check-in spot already']),
    )
  },
  removeSpot: async (one, context) => {
    const was = await turning(spots.heldFast(context, one), 'off', {
      rule: 'removed',
      on: ['已启用', 'Already on'],
      off: ['已移除', 'It was removed already'],
    })
    return spots.save(context, was, { status: 'off' })
  },
} satisfies { [K in keyof typeof checkinSpots]: Handler<(typeof checkinSpots)[K]> }

const where = (
  { keyword, odd, from, to, ...same }: SignFilters,
  { now }: { now: number },
): SQL | undefined =>
  and(
    equal(t, same),
    keyword
      ? sql`${t.member_id} in (select m.id from member m
        where m.uid = ${keyword} or m.nickname like ${begins(keyword)})`
      : undefined,
    odd === 'travel' ? eq(t.rushed, true) : undefined,
    odd === 'device' ? onSharedDevice(now) : undefined,
    from === undefined ? undefined : gte(t.at, from),
    to === undefined ? undefined : lte(t.at, to),
  )
const besideRows = async (db: Db, rows: readonly SignRecord[]) => {
  const ids = rows.map(row => row.id)
  const found = await db
    .select({
      id: t.id,
      nickname: member.nickname,
      uid: member.uid,
      rule_name: points_rule.name,
      mall_name: mall.name,
      radius_m: checkin_spot.radius_m,
      operator: admin.name,
    })
    .from(t)
    .innerJoin(member, eq(member.id, t.member_id))
    .innerJoin(points_rule, eq(points_rule.id, t.rule_id))
    .leftJoin(checkin_spot, eq(checkin_spot.id, t.spot_id))
    .leftJoin(mall, eq(mall.id, checkin_spot.mall_id))
    .leftJoin(admin, eq(admin.id, t.operator_id))
    .where(inArray(t.id, ids))
  return new Map(found.map(({ id, ...one }) => [id, one]))
}
const shown = async (db: Db, rows: SignRecord[], { now }: { now: number }): Promise<SignRow[]> => {
  if (rows.length === 0) return []
  const beside = await besideRows(db, rows)
  const devices = await membersOnDevices(
    db,
    rows.map(row => row.device),
    now,
  )
  return rows.map(row => {
    const of = beside.get(row.id)!
    const device_members = devices.get(row.device) ?? 0
    return {
      ...row,
      ...of,
      mall_name: of.mall_name ?? '',
      operator: of.operator ?? '',
      device_members,
      odd: [
        ...(device_members >= SHARED_DEVICE ? ['device' as const] : []),
        ...(row.rushed ? ['travel' as const] : []),
      ],
    }
  })
}
const list = listing(records, { by: t.id, down: true, where, shown })
const signHandlers = {
  lst: (asked, context) => list.page(asked as never, context),
  members: pickMembers,
  makeUp: async ({ member_id, date, reason }, context) => {
    const { tx, staff, now } = context
    const row = await makeUpDay(tx, {
      member_id,
      day: dayStart(Date.parse(`${date}T12:00:00+08:00`) / 1000),
      reason,
      operator_id: staff.id,
      now,
    })
    const { day, streak, points } = row
    records.log(context, row, { before: null, after: { member_id, day, streak, points }, reason })
    return row
  },
  voidRecord: async ({ id, reason }, context) => {
    const { tx, staff, now } = context
    const was = await records.read(tx, staff, id)
    const taken = await voidSign(tx, { id, reason, operator_id: staff.id, now })
    if (taken === undefined) {
      const after = await records.read(tx, staff, id)
      const [by] = await tx
        .select({ name: admin.name })
        .from(admin)
        .where(eq(admin.id, after.operator_id ?? 0))
      throw ruled('void', ['已由 {who} 作废', '{who} voided it already'], { who: by?.name ?? '' })
    }
    records.log(context, was, {
      before: { is_void: false },
      after: { is_void: true, void_reason: reason, taken },
      reason,
    })
    return { id, taken }
  },
  export: exporting(list, {
    page: 'vip.score.clocked',
    title: ['签到打卡记录', 'Sign-in records'],
    permit: signRecords.export.permit,
    columns: [
      { key: 'id', title: ['编号', 'No.'] },
      { key: 'at', title: ['时间', 'Time'], kind: 'time' },
      { key: 'kind', title: ['类型', 'Kind'] },
      { key: 'uid', title: ['会员号', 'Member no.'] },
      { key: 'nickname', title: ['昵称', 'Nickname'] },
      { key: 'streak', title: ['连续天数', 'Streak days'], kind: 'number' },
      { key: 'points', title: ['积分', 'Points'], kind: 'number' },
      { key: 'month_bonus', title: ['满月奖励', 'Month bonus'], kind: 'number' },
      { key: 'mall_name', title: ['商场', 'Mall'] },
      { key: 'distance_m', title: ['距离（米）', 'Distance (m)'], kind: 'number' },
      { key: 'device', title: ['设备', 'Device'] },
      { key: 'odd', title: ['异常', 'Suspicious'] },
      { key: 'is_void', title: ['作废', 'Void'] },
      { key: 'void_reason', title: ['作废原因', 'Reason voided'] },
      { key: 'operator', title: ['操作人', 'By'] },
    ],
    words: ({ member_id, keyword, kind, odd, is_void, device }, lang) => [
      member_id !== undefined && `#${member_id}`,
      keyword,
      kind && say(signKinds[kind], lang),
      odd && say(oddities[odd], lang),
      is_void && say(['已作废', 'Void'], lang),
      device,
    ],
    cells: (row, { lang }) => ({
      ...row,
      kind: say(signKinds[row.kind], lang),
      odd: row.odd.map(one => say(oddities[one], lang)).join(say(comma, lang)),
      is_void: row.is_void ? say(['是', 'Yes'], lang) : '',
    }),
  }),
} satisfies { [K in keyof typeof signRecords]: Handler<(typeof signRecords)[K]> }

export const clockedRuleServer = implement(clockedRules, ruleHandlers)
export const checkinSpotServer = implement(checkinSpots, spotHandlers)
export const signRecordServer = implement(signRecords, signHandlers)
