import { createHash } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { faultOfCode, keptWords } from '#src/areas/wecom/wecomFault.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import { facilityIcon } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import type { Hours } from './hours.ts'
import { winningWelcome } from './resolving.ts'
import { departmentsOf, rulesOf } from './rules.server.ts'
import {
  wecom_welcome,
  wecom_welcome_content,
  wecom_welcome_send,
  wecom_welcome_trial,
} from './welcome.table.ts'
import { cutOffWords, type SendOutcome, WELCOME_S } from './welcome.ts'

type Written = Omit<typeof wecom_welcome.$inferInsert, 'name' | 'scope'> & {
  name: string
  scope: (typeof wecom_welcome.$inferInsert)['scope']
}
const night: Hours = { weekdays: [1, 2, 3, 4, 5, 6, 7], from_min: 22 * 60, to_min: 9 * 60 }
const weekend: Hours = { weekdays: [6, 7], from_min: 10 * 60, to_min: 22 * 60 }
const lunch: Hours = { weekdays: [1, 2, 3, 4, 5], from_min: 11 * 60 + 30, to_min: 14 * 60 }
const link = (title: string, path: string) => ({
  kind: 'link' as const,
  title,
  desc: '点开查看本周活动与停车优惠',
  url: `https://m.mallet.example/${path}`,
})
const mini = {
  kind: 'miniprogram' as const,
  title: '会员中心',
  appid: 'wx0123456789abcdef',
  page: 'pages/member/index',
  key: facilityIcon('service'),
}
const parking = { kind: 'image' as const, key: facilityIcon('parking') }

type Around = {
  malls: number[]
  departments: number[]
  staff: number[]
  left: number | undefined
  given: number | null
  ended: number | null
}
const around = async (db: Db, now: number): Promise<Around> => {
  const ids = async (query: ReturnType<typeof sql>) =>
    (await db.execute<{ id: number }>(query)).rows.map(row => row.id)
  const able = sql`status = 'active' and has_contact_right`
  return {
    malls: await ids(sql`select distinct mall_id id from wecom_department_mall order by 1 limit 4`),
    departments: await ids(sql`
      select id from wecom_department where not is_deleted order by id limit 2`),
    staff: await ids(sql`select id from wecom_staff where ${able} order by id limit 6`),
    left: (await ids(sql`select id from wecom_staff where status = 'left' order by id limit 1`))[0],
    given:
      (
        await ids(sql`select id from coupon where status = 'active'
          and claim_end_at > ${now + 30 * DAY} and not vip_only and not new_only
          and level_ids = '[]'::jsonb and total - claimed_count > 200 order by id desc limit 1`)
      )[0] ?? null,
    ended:
      (await ids(sql`select id from coupon where status = 'ended' order by id limit 1`))[0] ?? null,
  }
}
const house: readonly Written[] = [
  {
    name: '默认欢迎语',
    scope: 'default',
    is_default: true,
    text: '{客户昵称}您好，我是{员工姓名}，很高兴为您服务。到店、停车、会员权益都可以直接问我。',
  },
  {
    name: '夜间留言',
    scope: 'default',
    base_id: 1,
    hours: [night],
    text: '{客户昵称}您好，现在是休息时间，您的留言我已收到，明早 9 点后第一时间回复您。',
  },
  {
    name: '开业活码专属礼',
    scope: 'code',
    text: '欢迎扫码加入{门店名}会员群，凭此消息到服务台领取开业礼。',
    attachments: [mini],
  },
]
const ofMalls = ({ malls, departments, given, ended }: Around): Written[] => [
  {
    name: '到店礼',
    scope: 'department',
    mall_id: malls[0]!,
    text: '{客户昵称}您好，欢迎来到{门店名}！送您一张到店礼券，7 天内可用。',
    attachments: [link('本周活动一览', 'events')],
    coupon_id: given,
  },
  {
    name: '周末亲子活动',
    scope: 'department',
    mall_id: malls[0]!,
    priority: 50,
    hours: [weekend],
    text: '{客户昵称}您好，这个周末{门店名}三楼有亲子手作，凭会员码免费参加。',
    attachments: [parking],
  },
  {
    name: '停车指引',
    scope: 'department',
    mall_id: malls[1]!,
    text: '{客户昵称}您好，{门店名}会员每天免费停车 2 小时，离场前出示会员码即可。',
    attachments: [parking, link('停车缴费', 'parking')],
  },
  {
    name: '换季礼券',
    scope: 'department',
    mall_id: malls[2] ?? malls[0]!,
    priority: 120,
    text: '{客户昵称}您好，换季礼券已备好，到店出示即可使用。',
    coupon_id: ended,
  },
  {
    name: '总部通用',
    scope: 'department',
    department_ids: departments.slice(0, 1),
    priority: 300,
    text: '{客户昵称}您好，我是{员工姓名}，有任何需要随时联系我。',
  },
  {
    name: '新店预热',
    scope: 'department',
    mall_id: malls[3] ?? malls[1]!,
    priority: 150,
    status: 'draft',
    text: '{客户昵称}您好，{门店名}即将开业，加我为好友，开业当天优先入场。',
  },
]
const ofStaff = ({ staff, left }: Around): Written[] => [
  {
    name: '会员顾问开场白',
    scope: 'staff',
    staff_ids: staff.slice(0, 3),
    text: '{客户昵称}您好，我是您的专属会员顾问{员工姓名}，积分兑换、生日礼都由我跟进。',
    attachments: [mini],
  },
  {
    name: '午间值班',
    scope: 'staff',
    priority: 50,
    staff_ids: staff.slice(0, 1),
    hours: [lunch],
    text: '{客户昵称}您好，午间由我值班，回复可能稍慢，急事请致电服务台。',
  },
  {
    name: '活动咨询专员',
    scope: 'staff',
    staff_ids: staff.slice(3, 5),
    status: 'disabled',
    off_reason: '活动已结束',
    text: '{客户昵称}您好，想了解哪一场活动？我把报名链接发给您。',
    attachments: [link('活动报名', 'signup')],
  },
  {
    name: '前台迎宾',
    scope: 'staff',
    staff_ids: [left ?? staff[5]!],
    text: '您好，欢迎光临{门店名}。',
  },
]
/** Every row says every column: rows are written in one piece. */
const nothing = {
  status: 'enabled' as const,
  is_default: false,
  base_id: null,
  mall_id: null,
  department_ids: [],
  staff_ids: [],
  priority: 100,
  hours: [],
  attachments: [],
  coupon_id: null,
  off_reason: '',
}
const seedRules = async (db: Db, { now, people }: World) => {
  const of = await around(db, now)
  const written = [...house, ...ofMalls(of), ...ofStaff(of)]
  const rows = written.map((one, at) => ({
    ...nothing,
    ...one,
    id: at + 1,
    created_at: now - (90 - at) * DAY,
    updated_at: now - (20 + at) * DAY,
  }))
  await insertRows(db, wecom_welcome, rows)
  await insertRows(
    db,
    wecom_welcome_content,
    rows.map(({ id, text = '', attachments, coupon_id, created_at }) => ({
      welcome_id: id,
      n: 1,
      text,
      attachments,
      coupon_id,
      created_at,
      created_by: people[0]!.id,
    })),
  )
}

type Friend = {
  at: number
  userid: string
  staff_id: number
  numbers: number[]
  external_userid: string
}
/** What became of most sends: a few came late, or another app was quicker. */
const outcomeOf = (random: Random): SendOutcome =>
  random.weighted({ sent: 940, missed: 30, taken: 20, refused: 8, unknown: 2 })
const faults: Partial<Record<SendOutcome, { errcode: number; error: string }>> = {
  taken: { errcode: 41051, error: keptWords(faultOfCode(41051).text) },
  refused: { errcode: 45002, error: keptWords(faultOfCode(45002).text) },
  unknown: { errcode: 0, error: keptWords(cutOffWords) },
}
const seedSends = async (db: Db, random: Random, { now, scale }: World) => {
  const { rows } = await db.execute<Friend>(sql`
    select f.added_at::int at, s.userid, s.id staff_id, s.department_ids numbers,
      c.external_userid
    from wecom_follow f join wecom_staff s on s.id = f.staff_id
      join wecom_customer c on c.id = f.customer_id
    where f.added_at <= ${now} order by f.added_at desc, f.id
    limit ${Math.ceil(4000 * Math.min(1, scale))}`)
  const rules = await rulesOf(db)
  const above = new Map<string, number[]>()
  const sends: (typeof wecom_welcome_send.$inferInsert)[] = []
  for (const [at, friend] of rows.entries()) {
    const key = friend.numbers.join()
    if (!above.has(key)) above.set(key, await departmentsOf(db, friend.numbers))
    const { winner } = winningWelcome(rules, {
      code: null,
      userid: friend.userid,
      departments: above.get(key)!,
      at: friend.at,
    })
    const outcome = winner ? outcomeOf(random) : 'none'
    const late = outcome === 'missed'
    sends.push({
      code_digest: createHash('sha256').update(`demo-welcome-${at}`).digest('hex'),
      welcome_id: winner?.id ?? null,
      content_n: winner ? 1 : null,
      userid: friend.userid,
      staff_id: friend.staff_id,
      external_userid: friend.external_userid,
      happened_at: friend.at,
      claimed_at: friend.at + (late ? WELCOME_S + random.int(2, 60) : random.int(1, 3)),
      cost_ms: late ? random.int(22_000, 80_000) : random.int(900, 4200),
      outcome,
      ...(faults[outcome] ?? { errcode: 0, error: '' }),
    })
  }
  await insertRows(db, wecom_welcome_send, sends)
}

/** Some codes in use name the message of codes, in what is published and in what is written. */
const bindCodes = async (db: Db) => {
  const bound = sql`select id from channel_code where status = 'enabled' and welcome_id is null
    order by id limit 2`
  await db.execute(sql`
    with code as (update channel_code set welcome_id = 3,
        body = jsonb_set(body, '{welcome_id}', '3') where id in (${bound}) returning id)
    update channel_code_version v set body = jsonb_set(v.body, '{welcome_id}', '3')
    from code where v.code_id = code.id`)
}
/** Messages that people sent to themselves: one that came, one that did not. */
const seedTrials = async (db: Db, { now }: World) => {
  const { rows } = await db.execute<{ id: number; admin_id: number }>(sql`
    select id, admin_id from wecom_staff where admin_id is not null and status = 'active'
    order by id limit 2`)
  const states = [
    { state: 'sent' as const, errcode: 0 },
    { state: 'failed' as const, errcode: 81013 },
  ]
  await insertRows(
    db,
    wecom_welcome_trial,
    rows.map(({ id, admin_id }, at) => ({
      ...states[at]!,
      welcome_id: 1,
      content_n: 1,
      asked_by: admin_id,
      staff_id: id,
      asked_at: now - (at + 2) * DAY,
      taken_at: now - (at + 2) * DAY + 2,
      done_at: now - (at + 2) * DAY + 4,
    })),
  )
}

/** After advisers, customers and coupons: who wins is asked of the rules themselves. */
export const demo: readonly DemoStep[] = [
  {
    place: 158,
    branch: 'welcome',
    run: async (db, random, world) => {
      await seedRules(db, world)
      await seedSends(db, random, world)
      await seedTrials(db, world)
    },
  },
  { place: 159, branch: 'welcome codes', run: db => bindCodes(db) },
]
