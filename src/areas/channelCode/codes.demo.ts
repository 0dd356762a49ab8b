import { sql } from 'drizzle-orm'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { SCANNED_CODES } from '#src/areas/wecom/corp.demo.ts'
import { faultOfCode, keptWords } from '#src/areas/wecom/wecomFault.ts'
import { wecom_corp_object } from '#src/areas/wecom/wecomPort.table.ts'
import { DAY, dateOf, dayStart, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import {
  channel_code,
  channel_code_version,
  channel_cost,
  channel_event,
  channel_scan,
} from './channelCode.table.ts'
import type { CodeBody, CodeState } from './channelCode.ts'
import { columnsOf } from './codes.server.ts'
import { refreshCodes } from './duties.server.ts'
import { rebuildDays } from './stat.server.ts'

type Colleague = { id: number; userid: string; able: boolean; left: boolean; mall_ids: number[] }
type Made = {
  id: number
  state_key: string
  body: CodeBody
  status: CodeState
  created_at: number
  fails: boolean
}
const groups = ['门店台卡', '收银小票', '商场入口', '停车场', '品牌快闪', '线上广告', '会员中心']
const spots = [
  '一楼服务台',
  '中庭快闪',
  '收银小票',
  '停车场出口',
  '亲子区立牌',
  '餐饮台卡',
  '影院入口',
]
/** Codes of the demo; those behind the scanned ones show what may be wrong with a code. */
const CODES = 64
const everyDay = [1, 2, 3, 4, 5, 6, 7]

const colleagues = async (db: Db): Promise<Colleague[]> =>
  (
    await db.execute<Colleague>(sql`
      select id, userid, (status = 'active' and is_verified and has_contact_right) able,
        status = 'left' "left", mall_ids from wecom_staff order by id`)
  ).rows
const malls = async (db: Db) =>
  new Map(
    (
      await db.execute<{ id: number; name: string }>(
        sql`select id, name from mall where id in (select unnest(mall_ids) from wecom_staff)`,
      )
    ).rows.map(one => [one.id, one.name]),
  )
const plain: Omit<CodeBody, 'name' | 'group_name' | 'members'> = {
  kind: 'multi',
  mall_id: null,
  store_id: null,
  cost_cents: 0,
  shifts: [],
  backup_userids: [],
  verify_mode: 'skip',
  verify_windows: [],
  tag_ids: [],
  remark_suffix: '',
  welcome_id: null,
  start_at: null,
  end_at: null,
}
const memberOf = (one: Colleague, weight = 1) => ({ userid: one.userid, weight, day_cap: null })
/** How the codes behind the scanned ones stand. */
const oddStatus = (n: number): CodeState => {
  if (n <= 6) return 'expired'
  if (n <= 11) return 'archived'
  if (n <= 13) return 'draft'
  return n <= 15 ? 'paused' : 'enabled'
}
type Cast = {
  able: readonly Colleague[]
  gone: readonly Colleague[]
  all: readonly Colleague[]
  mallNames: ReadonlyMap<number, string>
  now: number
}
/** A code that hangs in a mall: those of its advisers answer it whom the corp's relations tell of. */
const scannedCode = (random: Random, cast: Cast, id: number): Made => {
  const { able, gone, now } = cast
  const mine = able.filter(one => one.id % 9 === (id - 1) % 9)
  const others = able.filter(one => one.id % 9 === id % 9).slice(0, 2)
  const mall_id = mine.find(one => one.mall_ids.length > 0)?.mall_ids[0] ?? null
  const where = cast.mallNames.get(mall_id ?? 0) ?? '总部'
  const nth = Math.floor((id - 1) / 9)
  const body: CodeBody = {
    ...plain,
    name: `${where.slice(0, 10)} ${spots[(id + nth) % spots.length]} ${id}`,
    group_name: groups[id % groups.length]!,
    mall_id,
    cost_cents: id % 3 === 0 ? random.int(80, 600) * 100 : 0,
    members: mine.map((one, at) => memberOf(one, at === 0 && id % 4 === 0 ? 3 : 1)),
    backup_userids: id % 2 === 0 ? others.map(one => one.userid) : [],
    tag_ids: id % 5 === 0 ? [] : [1 + (id % 12)],
    remark_suffix: id % 6 === 0 ? '-活码' : '',
    verify_mode: id % 7 === 0 ? 'need' : 'skip',
  }
  if (id === 9) {
    body.members = able.slice(0, 30).map(one => memberOf(one))
    body.backup_userids = [able[31]!.userid]
    body.shifts = Array.from({ length: 8 }, (_, n) => ({
      weekdays: n < 4 ? [1, 2, 3, 4, 5] : [6, 7],
      from_min: 540 + (n % 4) * 195,
      to_min: 540 + (n % 4) * 195 + 195,
      overnight: false,
      userids: able.slice(n * 3, n * 3 + 6).map(one => one.userid),
    }))
  }
  // Somebody left: the code still works, and says what is to be mended.
  if (id >= 10 && id <= 12) body.members = [...body.members, memberOf(gone[id - 10]!)]
  if (id === 13) {
    body.verify_mode = 'by_time'
    body.verify_windows = [{ weekdays: everyDay, from_min: 600, to_min: 1320 }]
  }
  const created_at = now - random.int(181, 340) * DAY
  const fails = id >= 14 && id <= 16
  return { id, state_key: `store-${id}`, body, status: 'enabled', created_at, fails }
}
const oddCode = (random: Random, cast: Cast, id: number): Made => {
  const n = id - SCANNED_CODES
  const { able, gone, now } = cast
  const status = oddStatus(n)
  const one = able[n % able.length]!
  const isAlone = status === 'enabled' && n <= 18
  const body: CodeBody = {
    ...plain,
    name: `${spots[n % spots.length]} 单人码 ${id}`,
    group_name: groups[n % groups.length]!,
    kind: 'single',
    mall_id: one.mall_ids[0] ?? null,
    members: [memberOf(isAlone ? gone[n % gone.length]! : one)],
    end_at: status === 'expired' ? now - random.int(2, 40) * DAY : null,
  }
  return {
    id,
    state_key: `odd-${id}`,
    body,
    status,
    created_at: now - random.int(60, 300) * DAY,
    fails: false,
  }
}
const configOf = ({ id }: Made): string => `demo-way-${String(id).padStart(4, '0')}`
const pictureOf = (of: Made): string => `https://work.weixin.qq.com/ca/${configOf(of)}`
const seedCodes = async (db: Db, made: readonly Made[], { now }: World) => {
  await insertRows(
    db,
    channel_code,
    made.map(one => {
      const isDraft = one.status === 'draft'
      return {
        id: one.id,
        state_key: one.state_key,
        config_id: isDraft ? null : configOf(one),
        qr_url: isDraft ? '' : pictureOf(one),
        ...columnsOf(one.body),
        body: one.body,
        draft: isDraft ? one.body : null,
        rev: isDraft ? 0 : 1,
        status: one.status,
        reason: one.status === 'archived' ? '点位撤场，物料已回收' : '',
        way_userids: isDraft ? [] : one.body.members.map(each => each.userid),
        way_skip_verify: one.body.verify_mode !== 'need',
        way_state: isDraft ? ('none' as const) : ('done' as const),
        way_errcode: 0,
        way_error: '',
        synced_at: isDraft ? null : now - 5 * HOUR,
        created_at: one.created_at,
        updated_at: one.created_at,
      }
    }),
  )
  const live = made.filter(one => one.status !== 'draft')
  await insertRows(
    db,
    channel_code_version,
    live.map(one => ({
      code_id: one.id,
      rev: 1,
      body: one.body,
      state: 'done' as const,
      by_id: 1,
      created_at: one.created_at,
      live_at: one.created_at,
    })),
  )
  await insertRows(
    db,
    wecom_corp_object,
    live.map(one => ({
      kind: 'contact_way' as const,
      key: configOf(one),
      body: {
        config_id: configOf(one),
        type: 2,
        scene: 2,
        remark: one.body.name.slice(0, 30),
        skip_verify: one.body.verify_mode !== 'need',
        state: one.state_key,
        user: one.body.members.map(each => each.userid),
        qr_code: pictureOf(one),
        create_time: one.created_at,
      },
    })),
  )
}
/** WeCom refused the last change of these. */
const seedFaults = async (db: Db, made: readonly Made[]) => {
  const ids = made.filter(one => one.fails).map(one => one.id)
  await db.execute(sql`
    update channel_code set way_state = 'failed', way_errcode = 41045, health = 'wecom_error',
      way_error = ${keptWords(faultOfCode(41045).text)}
    where id = any(${sql.param(`{${ids.join()}}`)}::int[])`)
}
const busy = [11, 12, 13, 18, 19, 20, 21]
/** Scans of half a year: two for each add at least, an opening day, and a day without any. */
const seedScans = async (db: Db, random: Random, made: readonly Made[], { now, scale }: World) => {
  const days = sized(180, scale, 30)
  const today = dayStart(now)
  const thisHour = now - (now % HOUR)
  const n = new Map<string, number>()
  const put = (code_id: number, at: number, by: number) => {
    const key = `${code_id}:${at}`
    n.set(key, (n.get(key) ?? 0) + by)
  }
  for (const { id, status, created_at } of made) {
    if (status === 'draft' || status === 'archived') continue
    for (let back = 0; back < days; back++) {
      if (back === 24 || today - back * DAY < created_at) continue
      for (let times = id > SCANNED_CODES ? 1 : random.int(1, 3); times > 0; times--) {
        const at = today - back * DAY + random.pick(busy) * HOUR
        if (at <= thisHour) put(id, at, random.int(1, 3) * (back === 25 ? 6 : 1))
      }
    }
  }
  const { rows } = await db.execute<{ code_id: number; at: number; n: number }>(sql`
    select c.id code_id, (f.added_at - f.added_at % ${HOUR})::int at, count(*)::int n
    from wecom_follow f join channel_code c on c.state_key = f.source_state
    where f.added_at >= ${today - days * DAY} group by 1, 2`)
  for (const row of rows) put(row.code_id, row.at, row.n * 2)
  await insertRows(
    db,
    channel_scan,
    [...n].map(([key, count]) => {
      const [code_id, at] = key.split(':').map(Number)
      return { code_id: code_id!, at: at!, n: count }
    }),
  )
}
const seedBeside = async (db: Db, random: Random, { now, people }: World) => {
  const costs = Array.from({ length: 12 }, (_, at) => ({
    code_id: at * 3 + 1,
    day: dateOf(now - (at * 5 + 3) * DAY),
    cost_cents: random.int(100, 900) * 100,
    by_id: people[0]!.id,
    created_at: now - at * DAY,
  }))
  await insertRows(db, channel_cost, costs)
  const notes = ['开业活动加印 500 张台卡', '更换欢迎语', '周末增派两位顾问']
  await insertRows(
    db,
    channel_event,
    notes.map((text, at) => ({
      code_id: 1 + at,
      day: dateOf(now - (25 - at * 8) * DAY),
      kind: 'note' as const,
      text,
      by_id: people[0]!.id,
      created_at: now - (25 - at * 8) * DAY,
    })),
  )
  // Contacts of before have their tags already.
  await db.execute(sql`
    insert into channel_add (follow_id, code_id, at)
    select f.id, c.id, ${now} from wecom_follow f join channel_code c on c.state_key = f.source_state
    where f.added_at >= ${now - 3 * DAY}`)
}
const seed = async (db: Db, random: Random, world: World): Promise<void> => {
  const all = await colleagues(db)
  const cast: Cast = {
    all,
    able: all.filter(one => one.able),
    gone: all.filter(one => one.left),
    mallNames: await malls(db),
    now: world.now,
  }
  const draw = random.branch('codes')
  const made = Array.from({ length: CODES }, (_, at) =>
    at < SCANNED_CODES ? scannedCode(draw, cast, at + 1) : oddCode(draw, cast, at + 1),
  )
  await seedCodes(db, made, world)
  await seedFaults(db, made)
  await seedScans(db, random.branch('scans'), made, world)
  await seedBeside(db, random.branch('beside'), world)
  await refreshCodes(db, world.now)
  const today = dayStart(world.now)
  await rebuildDays(db, { from: today - sized(180, world.scale, 40) * DAY, to: today })
}

/** After WeCom, whose advisers answer the codes. */
export const demo: readonly DemoStep[] = [
  { place: 158, branch: 'channel codes', title: '渠道活码 / live codes', run: seed },
]
