import { sql } from 'drizzle-orm'
import { rejectCodes } from '#src/areas/audit/audit.ts'
import type { Offered } from '#src/areas/audit/audits.demo.ts'
import { export_job } from '#src/areas/export/job.table.ts'
import { buy_limit_log } from '#src/areas/limit/limit.table.ts'
import { boughtOf, type Bought, type LimitRule } from '#src/areas/limit/limits.ts'
import type { ClickEntry, ClickType } from '#src/areas/link/clicks.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import type { OrderStatus } from '#src/areas/order/order.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { DAY, HOUR, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { login_log, op_log } from './log.table.ts'
import { click_log, ip_ban } from './trace.table.ts'

/** An address of the range kept for examples. */
const BANNED_IP = '198.51.100.251'

/** A line of the log by whoever did it, and whatever else its row holds. */
type Entry = Partial<LogRow> & {
  who: Person
  at: number
  action: string
  object_type: string
  object: { id: number | null; label: string }
  before: object | null
  after: object | null
}
type Of = {
  people: readonly Person[]
  offers: readonly Offered[]
  memberCount: number
  now: number
  scale: number
}
type LogRow = Omit<typeof op_log.$inferInsert, 'id'>

/** A moment of office work in the last `days`: weekdays, from nine to seven. */
const atWork = (random: Random, now: number, days: number): number => {
  for (;;) {
    const day = dayStart(now - random.int(0, days - 1) * DAY)
    const weekday = new Date((day + 8 * HOUR) * 1000).getUTCDay()
    const at = day + 9 * HOUR + random.int(0, 10 * HOUR)
    if (at < now - 60 && ((weekday > 0 && weekday < 6) || random.chance(0.25))) return at
  }
}
const addressOf = (person: Pick<Person, 'id'>) =>
  `10.2.${person.id % 10}.${2 + ((person.id * 37) % 240)}`
const trace = (random: Random) =>
  Array.from({ length: 4 }, () => random.int(0x1000_0000, 0x7fff_ffff).toString(16)).join('')

const refusals = [
  '没有权限进行此操作',
  '该任务已由其他同事领取',
  '内容已被修改，请刷新后重试',
  '提交的内容有误，请检查标出的项目',
  '核销结束不能早于售卖结束',
] as const
const reasons = [
  '商户申请',
  '内容与实际不符',
  '节日活动调整',
  '核对合同后更正',
  '投诉核实',
  '城市运营要求',
  '价格写错',
] as const

/**
 * The operation log of 90 days: what people did to what is there, refused and failed tries, and
 * batches with their rows. The newest changes of some products can be taken back.
 */
const seedOpLog = async (
  db: Db,
  random: Random,
  { people, offers, now, scale }: Of,
): Promise<void> => {
  const total = sized(40_000, scale, 700)
  const batches = sized(200, scale, 6)
  const of = (...roles: string[]) => people.filter(person => roles.includes(person.role))
  const auditors = of('auditor', 'senior_auditor')
  const managers = of('ops_director', 'city_manager', 'senior_auditor')
  const admins = of('super_admin', 'ops_director')
  const tasks = (
    await db.execute<{ id: number; queue: string; title: string }>(
      sql`select id, queue, title from audit_task order by id limit 4000`,
    )
  ).rows
  const places = {
    cities: (
      await db.execute<{ id: number; name: string }>(
        sql`select id, city_name as name from city order by id`,
      )
    ).rows,
    malls: (
      await db.execute<{ id: number; name: string }>(sql`select id, name from mall order by id`)
    ).rows,
    roles: (
      await db.execute<{ id: number; name: string }>(sql`select id, name from role order by id`)
    ).rows,
    fields: (
      await db.execute<{ id: number; name: string }>(
        sql`select id, title as name from field_key order by id`,
      )
    ).rows,
    departments: (
      await db.execute<{ id: number; name: string }>(
        sql`select id, name from department order by id`,
      )
    ).rows,
  }
  const seen: Readonly<Record<string, { id: number; name: string }[]>> = {
    merchant: (
      await db.execute<{ id: number; name: string }>(
        sql`select id, name from merchant order by id limit 40`,
      )
    ).rows,
    member: (
      await db.execute<{ id: number; name: string }>(
        sql`select id, nickname as name from member order by id limit 40`,
      )
    ).rows,
    order: (
      await db.execute<{ id: number; name: string }>(
        sql`select id, order_no as name from "order" order by id limit 40`,
      )
    ).rows,
  }
  const row = ({
    who,
    at,
    action,
    object_type,
    object,
    before,
    after,
    ...more
  }: Entry): LogRow => ({
    admin_id: who.id,
    admin_name: who.name,
    module: action.split('.')[0]!,
    action,
    object_type,
    object_id: object.id,
    object_label: [...object.label].slice(0, 60).join(''),
    before,
    after,
    reason: null,
    result: 'ok',
    error: null,
    ip: addressOf(who),
    trace_id: trace(random),
    batch_id: null,
    created_at: at,
    updated_at: at,
    ...more,
  })
  const labelled = ({ id, name }: { id: number; name: string }) => ({ id, label: name })
  const sold = offers.filter(one => one.lives.length > 0)
  const window = (one: Offered) => {
    const { sale_start_at, sale_end_at, check_start_at, check_end_at } = one.row
    return { sale_start_at, sale_end_at, check_start_at, check_end_at }
  }
  const kinds: Readonly<Record<string, () => LogRow>> = {
    reveal: () => {
      const person = random.pick(people)
      const field = random.pick([
        'admin.phone',
        'admin.phone',
        'merchant.contact_phone',
        'member.phone',
        'order.receiver_phone',
        'merchant.bank_no',
      ] as const)
      const [type] = field.split('.')
      return row({
        who: random.pick(admins),
        at: atWork(random, now, 90),
        action: 'reveal',
        object_type: type!,
        object:
          type === 'admin'
            ? { id: person.id, label: person.name }
            : labelled(random.pick(seen[type!]!)),
        before: null,
        after: { field },
        module: 'system',
        reason: random.pick([
          '联系本人核实',
          '配送异常联系收货人',
          '结算账户核对',
          '投诉回访',
        ] as const),
      })
    },
    approve: () => {
      const task = random.pick(tasks)
      const who = random.pick(auditors)
      return row({
        who,
        at: atWork(random, now, 90),
        action: `audit.${task.queue}.approve`,
        object_type: 'audit_task',
        object: { id: task.id, label: task.title },
        before: { state: 'claimed', decided_by: null },
        after: { state: 'approved', decided_by: who.id },
      })
    },
    reject: () => {
      const task = random.pick(tasks)
      const who = random.pick(auditors)
      const code = random.pick(Object.keys(rejectCodes))
      return row({
        who,
        at: atWork(random, now, 90),
        action: `audit.${task.queue}.reject`,
        object_type: 'audit_task',
        object: { id: task.id, label: task.title },
        before: { state: 'claimed', decided_by: null, reason_code: null },
        after: { state: 'rejected', decided_by: who.id, reason_code: code },
        reason: random.pick(reasons),
      })
    },
    claim: () => {
      const task = random.pick(tasks)
      const who = random.pick(auditors)
      return row({
        who,
        at: atWork(random, now, 90),
        action: `audit.${task.queue}.claimNext`,
        object_type: 'audit_task',
        object: { id: task.id, label: task.title },
        before: null,
        after: { claimed_by: who.id },
      })
    },
    times: () => {
      const one = random.pick(sold)
      const shift = random.pick([7, 14, 30]) * DAY
      const after = window(one)
      const at = atWork(random, now, 90)
      return row({
        who: random.pick(managers),
        at,
        action: 'tuan.batchUpdateStartAndCheckTime',
        object_type: 'product',
        object: { id: one.row.id!, label: one.row.title },
        before: {
          ...after,
          sale_end_at: after.sale_end_at - 2 * shift,
          check_end_at: after.check_end_at - 2 * shift,
        },
        after: {
          ...after,
          sale_end_at: after.sale_end_at - shift,
          check_end_at: after.check_end_at - shift,
        },
        reason: random.pick(reasons),
      })
    },
    price: () => {
      const one = random.pick(sold)
      const { price_cents, settle_price_cents, commission_bp, title } = one.row
      const was = price_cents + random.int(2, 30) * 100
      return row({
        who: random.pick(managers),
        at: atWork(random, now, 90),
        action: 'audit.product.approveWithEdit',
        object_type: 'product',
        object: { id: one.row.id!, label: title },
        before: {
          price_cents: was,
          settle_price_cents: Math.round(was * 0.88),
          commission_bp: commission_bp + 50,
        },
        after: { price_cents, settle_price_cents, commission_bp },
        reason: random.pick(reasons),
      })
    },
    off: () => {
      const one = random.pick(sold)
      return row({
        who: random.pick(managers),
        at: atWork(random, now, 90),
        action: 'audit.product.offShelf',
        object_type: 'product',
        object: { id: one.row.id!, label: one.row.title },
        before: { state: 'on_sale' },
        after: { state: 'off_sale' },
        reason: '多次投诉份量不符',
      })
    },
    city: () => {
      const one = random.pick(places.cities)
      const n = random.int(1, 40)
      return row({
        who: random.pick(admins),
        at: atWork(random, now, 90),
        action: 'city.edit',
        object_type: 'city',
        object: { id: one.id, label: one.name },
        before: { sort: n },
        after: { sort: n + random.int(1, 9) },
      })
    },
    mall: () => {
      const one = random.pick(places.malls)
      return row({
        who: random.pick(managers),
        at: atWork(random, now, 90),
        action: 'mall.setMallOptions',
        object_type: 'mall',
        object: { id: one.id, label: one.name },
        before: { is_hot: random.chance(0.5), open_hours: '10:00-22:00' },
        after: { is_hot: true, open_hours: random.pick(['09:30-22:00', '10:00-22:30', '全天']) },
      })
    },
    role: () => {
      const one = random.pick(places.roles)
      const more = random.pick([
        'audit.bulks.export',
        'audit.card.transfer',
        'audit.voucher.transfer',
      ])
      return row({
        who: random.pick(admins),
        at: atWork(random, now, 90),
        action: 'system.role.setPerms',
        object_type: 'role',
        object: { id: one.id, label: one.name },
        before: { perms: ['audit.bulks.view', 'audit.card.view'] },
        after: { perms: ['audit.bulks.view', 'audit.card.view', more] },
        reason: '岗位调整',
      })
    },
    staff: () => {
      const who = random.pick(people)
      const to = random.pick(places.departments).id
      return row({
        who: random.pick(admins),
        at: atWork(random, now, 90),
        action: 'system.staff.edit',
        object_type: 'admin',
        object: { id: who.id, label: who.name },
        before: {
          department_id: random.pick(places.departments).id,
          phone: `139${random.int(10_000_000, 99_999_999)}`,
        },
        after: { department_id: to, phone: `138${random.int(10_000_000, 99_999_999)}` },
      })
    },
    field: () => {
      const one = random.pick(places.fields)
      return row({
        who: random.pick(admins),
        at: atWork(random, now, 90),
        action: 'system.menuKey.setDefault',
        object_type: 'field_key',
        object: { id: one.id, label: one.name },
        before: { default_mode: 'show' },
        after: { default_mode: 'mask' },
        reason: '个人信息保护检查',
      })
    },
    refused: () => {
      const task = random.pick(tasks)
      const who = random.pick(people)
      return row({
        who,
        at: atWork(random, now, 90),
        action: `audit.${task.queue}.approve`,
        object_type: 'audit',
        object: { id: task.id, label: '' },
        before: null,
        after: { id: task.id, version: 1 },
        result: 'refused',
        error: random.pick(refusals),
      })
    },
    failed: () => {
      const one = random.pick(sold)
      return row({
        who: random.pick(managers),
        at: atWork(random, now, 90),
        action: 'tuan.batchUpdateStartAndCheckTime',
        object_type: 'audit',
        object: { id: one.row.id!, label: '' },
        before: null,
        after: { ids: [one.row.id], mode: 'shift', shift_days: 7 },
        result: 'failed',
        error: '数据库暂时不可用，本次操作没有生效，请稍后重试',
        reason: random.pick(reasons),
      })
    },
    password: () => {
      const who = random.pick(people)
      return row({
        who,
        at: atWork(random, now, 90),
        action: 'session.changePassword',
        object_type: 'admin',
        object: { id: who.id, label: who.name },
        before: { must_change: true },
        after: { must_change: false },
      })
    },
  }
  const weights = {
    approve: 380,
    claim: 300,
    reject: 120,
    times: 40,
    price: 50,
    off: 8,
    city: 8,
    mall: 14,
    role: 4,
    staff: 10,
    field: 2,
    refused: 40,
    failed: 3,
    password: 6,
    reveal: 9,
  }
  type Planned = LogRow & { key?: number; under?: number }
  const planned: Planned[] = []
  for (let n = 0; n < batches; n++) {
    const who = random.pick(managers)
    const at = atWork(random, now, 90)
    const rejecting = random.chance(0.5)
    const items = random.int(3, 12)
    const queue = random.pick(['bulks', 'card', 'voucher', 'product'])
    const bad = random.chance(0.4) ? 1 : 0
    planned.push({
      ...row({
        who,
        at,
        action: `audit.${queue}.${rejecting ? 'batchReject' : 'batchApprove'}`,
        object_type: 'batch',
        object: { id: null, label: `${items - bad}/${items}` },
        before: null,
        after: { tasks: items },
        ...(rejecting ? { reason: '批量清理过期提交' } : {}),
      }),
      key: n,
    })
    for (let k = 0; k < items; k++) {
      const task = random.pick(tasks)
      planned.push({
        ...row({
          who,
          at,
          action: `audit.${queue}.${rejecting ? 'batchReject' : 'batchApprove'}`,
          object_type: 'audit_task',
          object: { id: task.id, label: task.title },
          before: { state: 'claimed' },
          after: { state: rejecting ? 'rejected' : 'approved' },
          ...(k < bad
            ? {
                result: 'refused' as const,
                error: '该任务已由其他同事领取',
                before: null,
                after: null,
              }
            : {}),
        }),
        under: n,
      })
    }
  }
  // The last word on some products' times, made in the last days: it stands as it was logged, so it
  // can be taken back.
  for (const one of random
    .shuffle(
      sold.filter(
        each =>
          each.row.kind === 'bulks' &&
          each.row.state === 'on_sale' &&
          !each.row.in_activity &&
          (each.row.check_end_at ?? 0) > now + 60 * DAY,
      ),
    )
    .slice(0, 12)) {
    const after = window(one)
    planned.push(
      row({
        who: random.pick(managers),
        at: now - random.int(600, 3 * DAY),
        action: 'tuan.batchUpdateStartAndCheckTime',
        object_type: 'product',
        object: { id: one.row.id!, label: one.row.title },
        before: {
          sale_end_at: after.sale_end_at + 7 * DAY,
          check_end_at: after.check_end_at + 10 * DAY,
        },
        after: { sale_end_at: after.sale_end_at, check_end_at: after.check_end_at },
        reason: '商户申请提前结束',
      }),
    )
  }
  while (planned.length < total) planned.push(kinds[random.weighted(weights)]!())
  planned.sort((a, b) => a.created_at! - b.created_at!)
  const {
    rows: [last],
  } = await db.execute<{ id: number }>(sql`select coalesce(max(id), 0)::int id from op_log`)
  const first = (last?.id ?? 0) + 1
  const parents = new Map(
    planned.flatMap((one, at) => (one.key === undefined ? [] : [[one.key, first + at] as const])),
  )
  await insertRows(
    db,
    op_log,
    planned.map(({ key: _, under, ...one }, at) => ({
      id: first + at,
      ...one,
      batch_id: under === undefined ? null : parents.get(under)!,
    })),
  )
}

const places = ['上海', '杭州', '南京', '苏州', '成都', '深圳'] as const
const uas = [
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36',
  'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_6) AppleWebKit/605.1.15 Version/17.6 Safari/605.1.15',
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0 Safari/537.36 Edg/131.0',
  'Mozilla/5.0 (X11; Linux x86_64; rv:132.0) Gecko/20100101 Firefox/132.0',
] as const
/**
 * Sign-ins of 90 days: mornings, lunch, wrong passwords, and one night's burst of failures from one
 * address, and those who are signed in now.
 */
const seedLogins = async (db: Db, random: Random, { people, now, scale }: Of): Promise<void> => {
  const accounts = new Map(
    (
      await db.execute<{ id: number; account: string }>(sql`select id, account from admin`)
    ).rows.map(one => [one.id, one.account]),
  )
  const active = people.filter(person => person.status === 'active')
  type Row = typeof login_log.$inferInsert
  const rows: Row[] = []
  const add = (person: Person, at: number, more: Partial<Row> = {}) =>
    rows.push({
      account: accounts.get(person.id)!,
      admin_id: person.id,
      event: 'login',
      result: 'ok',
      ip: addressOf(person),
      place: places[person.id % 3]!,
      ua: uas[person.id % uas.length]!,
      new_place: false,
      session_id: null,
      created_at: at,
      updated_at: at,
      ...more,
    })
  const burst = now - 26 * HOUR
  for (let n = 0; n < 40; n++) {
    const target = n % 4 === 0 ? random.pick(active) : undefined
    const missed = n > 30 ? 'locked' : 'bad_password'
    rows.push({
      account: target
        ? accounts.get(target.id)!
        : random.pick(['root', 'test', 'administrator', 'guest', 'caiwu', 'kefu01']),
      admin_id: target?.id ?? null,
      event: 'login',
      result: target ? missed : 'unknown',
      ip: '203.0.113.77',
      place: '未知',
      ua: 'python-requests/2.31',
      new_place: false,
      session_id: null,
      created_at: burst + n * 41,
      updated_at: burst + n * 41,
    })
  }
  // Everybody who is signed in came in by a row that is here.
  const sessions = (
    await db.execute<{ id: number; admin_id: number; created_at: string; ip: string; ua: string }>(
      sql`select id, admin_id, created_at, ip, ua from admin_session where ended_at is null order by id`,
    )
  ).rows
  for (const one of sessions) {
    const person = people.find(each => each.id === one.admin_id)
    if (person) add(person, Number(one.created_at), { session_id: one.id, ip: one.ip, ua: one.ua })
  }
  const total = sized(6000, scale, 400)
  while (rows.length < total) {
    const person = random.pick(active)
    const at = atWork(random, now, 90)
    const what = random.weighted({
      ok: 62,
      out: 20,
      wrong: 9,
      expired: 6,
      captcha: 1,
      disabled: 0.6,
      away: 1.4,
    })
    if (what === 'wrong') {
      add(person, at, { result: 'bad_password' })
      add(person, at + random.int(5, 40))
    } else if (what === 'out') add(person, at, { event: 'logout' })
    else if (what === 'expired') add(person, at, { event: 'expired' })
    else if (what === 'captcha') add(person, at, { result: 'captcha' })
    else if (what === 'disabled')
      add(people.find(one => one.status !== 'active') ?? person, at, { result: 'disabled' })
    else if (what === 'away')
      add(person, at, {
        ip: `198.51.100.${random.int(2, 250)}`,
        place: random.pick(places),
        new_place: true,
      })
    else add(person, at)
  }
  // An address that tried one account after the other is banned for a week.
  const tried = now - 5 * HOUR
  for (const [n, person] of active.slice(0, 6).entries())
    add(person, tried + n * 20, {
      result: 'bad_password',
      ip: BANNED_IP,
      place: '未知',
      ua: 'python-requests/2.31',
    })
  rows.sort((a, b) => a.created_at! - b.created_at!)
  await insertRows(db, login_log, rows)
  await insertRows(db, ip_ban, [
    {
      ip: BANNED_IP,
      reason: '逐个账号试密码',
      until_at: tried + 7 * DAY,
      admin_id: 1,
      created_at: tried + 600,
      updated_at: tried + 600,
    },
  ])
}

const pages = [
  '首页',
  '附近商户',
  '我的订单',
  '优惠券中心',
  '会员中心',
  '活动日历',
  '商场导览',
] as const
const phones = ['MicroMessenger/8.0 iPhone', 'MicroMessenger/8.0 Android', 'Safari iPhone'] as const
/** The phone of a member, the same in clicks and orders. */
export const deviceOf = (member: number) =>
  `d${((member * 2_654_435_761) % 0xffff_ffff).toString(16).padStart(8, '0')}`
/** Shared devices, each with the members on it: what a device-level limit stops. */
const farms = (memberCount: number) =>
  Array.from({ length: 6 }, (_, at) => ({
    device_id: `farm-${String(at + 1).padStart(2, '0')}-9c41`,
    members: Array.from({ length: 4 }, (__, k) => 1 + ((at * 17 + k * 5) % memberCount)),
  }))

/**
 * 60 days of looking about: visits of several steps, a seventh of them by visitors, some joined to
 * a member since; one member far too quick.
 */
const seedClicks = async (
  db: Db,
  random: Random,
  { offers, memberCount, now, scale }: Of,
): Promise<void> => {
  const total = sized(200_000, scale, 3000)
  const stores = (
    await db.execute<{ id: number; name: string; city_id: number; mall_id: number }>(
      sql`select id, name, city_id, mall_id from store where status = 'open' and kind = 'offline' order by id limit 400`,
    )
  ).rows
  const malls = (
    await db.execute<{ id: number; name: string; city_id: number }>(
      sql`select id, name, city_id from mall where status = 'online' order by id`,
    )
  ).rows
  const sold = offers
    .filter(one => one.lives.length > 0)
    .slice(0, 500)
    .map(one => one.row)
  const popular = <T>(of: readonly T[]): T =>
    of[Math.min(of.length - 1, Math.floor(of.length * random.next() ** 2.4))]!
  const [shared, rows] = [farms(memberCount), [] as (typeof click_log.$inferInsert)[]]
  const step = (
    base: Pick<typeof click_log.$inferInsert, 'member_id' | 'device_id' | 'visitor' | 'ua'>,
    place: { city_id: number; mall_id: number },
    entry: ClickEntry,
    at: number,
  ) => {
    const kind: ClickType = random.weighted({
      page: 26,
      product: 34,
      store: 16,
      banner: 6,
      hot: 8,
      recommend: 6,
      activity: 2,
      act_area: 1,
      entry: 1,
    })
    const common = { ...base, ...place, entry, at }
    if (kind === 'product' || kind === 'recommend' || kind === 'hot') {
      const item = popular(sold)
      rows.push({
        ...common,
        object_type: kind,
        object_id: item.id!,
        object_name: item.title,
        city_id: item.city_id,
        mall_id: item.mall_id,
      })
    } else if (kind === 'store') {
      const one = popular(stores)
      rows.push({
        ...common,
        object_type: kind,
        object_id: one.id,
        object_name: one.name,
        city_id: one.city_id,
        mall_id: one.mall_id,
      })
    } else if (kind === 'page') {
      const n = Math.floor(pages.length * random.next() ** 2)
      rows.push({ ...common, object_type: kind, object_id: n + 1, object_name: pages[n]! })
    } else {
      const n = random.int(1, kind === 'banner' ? 40 : 12)
      rows.push({
        ...common,
        object_type: kind,
        object_id: n,
        object_name: {
          banner: `轮播图 ${n}`,
          activity: `主题活动 ${n}`,
          act_area: `活动专区 ${n}`,
          entry: `金刚区 ${n}`,
        }[kind],
      })
    }
  }
  for (const farm of shared)
    for (const member_id of farm.members) {
      const at = now - random.int(1, 20) * DAY
      for (let n = 0; n < 4; n++)
        step(
          { member_id, device_id: farm.device_id, visitor: false, ua: phones[1] },
          { city_id: 1, mall_id: 1 },
          'search',
          at + n * 30,
        )
    }
  // A click a second for four minutes: no person looks like that.
  for (let n = 0; n < Math.min(240, total / 8); n++)
    step(
      { member_id: 7, device_id: deviceOf(7), visitor: false, ua: phones[1] },
      { city_id: 1, mall_id: 1 },
      'search',
      now - 2 * DAY + n,
    )
  while (rows.length < total) {
    const known = random.chance(0.85)
    const member = 1 + Math.floor(memberCount * random.next() ** 1.6)
    const visitor = known && random.chance(0.04)
    const place = popular(malls)
    const entry = random.weighted<ClickEntry>({
      home: 30,
      mall_home: 16,
      search: 14,
      category: 8,
      banner: 6,
      hot: 6,
      recommend: 6,
      activity: 4,
      live: 2,
      share: 4,
      qr: 3,
      message: 1,
    })
    const base = {
      member_id: known ? member : null,
      device_id: known ? deviceOf(member) : `v${random.int(0x1000_0000, 0x7fff_ffff).toString(16)}`,
      visitor,
      ua: random.pick(phones),
    }
    const day = dayStart(now - Math.floor(60 * random.next() ** 1.1) * DAY)
    let at = day + Math.floor((8 + 15 * random.next()) * HOUR)
    for (let n = random.int(2, 12); n > 0 && rows.length < total; n--) {
      if (at < now - 5) step(base, { city_id: place.city_id, mall_id: place.id }, entry, at)
      at += random.int(3, 160)
    }
  }
  rows.sort((a, b) => a.at - b.at)
  await insertRows(db, click_log, rows)
}

type Rule = Exclude<LimitRule, 'rule'>
const fixedLimits: { [R in Rule]?: number } = { per_order: 2, new_only: 1 }
const askedOf = (random: Random, rule: Rule, limit_n: number): number => {
  if (rule === 'per_order') return random.int(3, 8)
  return rule === 'per_device' ? limit_n + random.int(1, 3) : random.int(1, 3)
}
type LimitRow = typeof buy_limit_log.$inferInsert
type Line = Bought & {
  order_id: number
  member_id: number
  product_id: number
  city_id: number
  mall_id: number
}
/** A block and an order belong together by their member and their product. */
const pairOf = (of: {
  member_id?: number | null | undefined
  product_id?: number | null | undefined
}): string => `${of.member_id}/${of.product_id}`
/** The orders that the demo's blocks agree with. */
type Counted = {
  /** Lines of orders, the newest first. */
  lines: Line[]
  /** The same by member and product. */
  by: Map<string, Line[]>
  /** Members and products with orders older than those. */
  older: Map<string, number>
  /** All orders of a few members, for the rule that looks at every one. */
  few: number[]
  whole: (Bought & { member_id: number })[]
}
const readCounted = async (db: Db): Promise<Counted> => {
  const lines = (
    await db.execute<Record<keyof Line, string | number>>(sql`
    select o.id order_id, o.member_id, i.product_id, p.city_id, p.mall_id, o.status, o.refund_state, o.created_at, i.qty, i.refunded_qty from "order" o join order_item i on i.order_id = o.id join product p on p.id = i.product_id
    where o.member_id is not null and p.state = 'on_sale' order by o.created_at desc, i.id limit 12000`)
  ).rows.map(row => ({
    ...row,
    order_id: Number(row.order_id),
    member_id: Number(row.member_id),
    product_id: Number(row.product_id),
    city_id: Number(row.city_id),
    mall_id: Number(row.mall_id),
    status: row.status as OrderStatus,
    refund_state: row.refund_state as Line['refund_state'],
    created_at: Number(row.created_at),
    qty: Number(row.qty),
    refunded_qty: Number(row.refunded_qty),
  }))
  const wholeFrom = lines.at(-1)?.created_at ?? 0
  const by = new Map<string, Line[]>()
  for (const line of lines) by.set(pairOf(line), [...(by.get(pairOf(line)) ?? []), line])
  const older = new Map(
    (
      await db.execute<{ key: string; n: number }>(
        sql`select o.member_id || '/' || i.product_id as key, count(*)::int n from "order" o join order_item i on i.order_id = o.id where o.member_id is not null and o.created_at < ${wholeFrom} group by 1`,
      )
    ).rows.map(row => [row.key, row.n]),
  )
  const few = [...new Set(lines.slice(0, 400).map(line => line.member_id))]
  const whole =
    few.length === 0
      ? []
      : (
          await db.execute<
            Record<
              'member_id' | 'created_at' | 'status' | 'refund_state' | 'qty' | 'refunded_qty',
              string | number
            >
          >(sql`
    select o.member_id, o.created_at, o.status, o.refund_state, sum(i.qty)::int qty, sum(i.refunded_qty)::int refunded_qty from "order" o join order_item i on i.order_id = o.id where o.member_id in ${few} group by o.id`)
        ).rows.map(row => ({
          member_id: Number(row.member_id),
          created_at: Number(row.created_at),
          status: row.status as OrderStatus,
          refund_state: row.refund_state as Line['refund_state'],
          qty: Number(row.qty),
          refunded_qty: Number(row.refunded_qty),
        }))
  return { lines, by, older, few, whole }
}
/** The moment of a block: a rule of the day on the day of the order, another one days after it. */
const blockedAt = (random: Random, rule: Rule, line: Line, now: number): number => {
  const from = Math.max(line.created_at, now - 90 * DAY)
  return rule === 'per_day'
    ? Math.min(dayStart(line.created_at) + DAY - 60, line.created_at + random.int(60, 3 * HOUR))
    : from + random.int(600, 6 * DAY)
}
/** A block of a purchase like one there was; null where the rule would not have blocked it. */
const blockOf = (
  random: Random,
  { by, few, whole }: Counted,
  line: Line,
  { shared, now }: { shared: ReturnType<typeof farms>; now: number },
): LimitRow | null => {
  const rule = random.weighted<Rule>({
    per_person: 52,
    per_order: 18,
    per_day: 14,
    new_only: 8,
    per_device: 5,
    per_phone: 3,
  })
  const farm = rule === 'per_device' ? random.pick(shared) : undefined
  const member_id = farm ? random.pick(farm.members) : line.member_id
  const at = blockedAt(random, rule, line, now)
  if (at > now || at < line.created_at) return null
  if (rule === 'new_only' && !few.includes(member_id)) return null
  const orders =
    rule === 'new_only'
      ? whole.filter(one => one.member_id === member_id)
      : (farm?.members ?? [member_id]).flatMap(
          one => by.get(pairOf({ member_id: one, product_id: line.product_id })) ?? [],
        )
  const bought_n = boughtOf(rule, orders, at)
  const needsBefore = rule !== 'per_order' && rule !== 'per_device'
  if (needsBefore && bought_n === 0) return null
  const limit_n = fixedLimits[rule] ?? Math.max(1, bought_n)
  const asked_n = askedOf(random, rule, limit_n)
  return {
    member_id,
    device_id: farm?.device_id ?? null,
    product_id: line.product_id,
    city_id: line.city_id,
    mall_id: line.mall_id,
    activity_type: random.chance(0.3) ? 'seckill' : null,
    activity_id: null,
    rule,
    limit_n,
    bought_n,
    asked_n,
    result: 'blocked',
    release_by: null,
    release_reason: null,
    release_until: null,
    release_order_id: null,
    created_at: at,
    updated_at: at,
  }
}
const releaseReasons = ['会员误下单已取消，补买一份', '门店缺货换购', '客诉安抚']
/** Six that were let through bought what they were let through for; they are added to the rows. */
const addUsed = (
  random: Random,
  { by, older }: Counted,
  rows: LimitRow[],
  { staff, taken }: { staff: readonly Person[]; taken: Set<string> },
): void => {
  for (const [key, orders] of by) {
    const again = orders[0]!
    const at = again.created_at - 1200
    const before = boughtOf('per_person', orders, at)
    const isAgain = orders.length >= 2 && before > 0 && again.status !== 'cancelled'
    if (taken.size >= 6 || older.has(key) || !isAgain) continue
    taken.add(key)
    rows.push({
      ...rows[0]!,
      member_id: again.member_id,
      device_id: null,
      product_id: again.product_id,
      city_id: again.city_id,
      mall_id: again.mall_id,
      activity_type: null,
      rule: 'per_person',
      limit_n: before,
      bought_n: before,
      asked_n: again.qty,
      result: 'used',
      release_by: random.pick(staff).id,
      release_reason: random.pick(releaseReasons),
      release_until: at + DAY,
      release_order_id: again.order_id,
      created_at: at,
      updated_at: at,
    })
  }
}
/** Fourteen more were let through: some of them wait, the rest ran out. */
const releaseSome = (
  random: Random,
  rows: readonly LimitRow[],
  { staff, taken, now }: { staff: readonly Person[]; taken: Set<string>; now: number },
): void => {
  for (const row of random.shuffle(rows)) {
    const key = pairOf(row)
    if (taken.size >= 20 || row.result !== 'blocked' || row.rule === 'per_device' || taken.has(key))
      continue
    taken.add(key)
    Object.assign(row, {
      result: 'released',
      release_by: random.pick(staff).id,
      release_reason: random.pick(releaseReasons),
      release_until: taken.size % 2 ? now + random.int(2, 60) * HOUR : row.created_at! + DAY,
    })
  }
}
/**
 * Blocks that agree with the orders there are: what a limit counted then is what the order list
 * shows.
 */
const seedLimits = async (
  db: Db,
  random: Random,
  { people, memberCount, now, scale }: Of,
): Promise<void> => {
  const counted = await readCounted(db)
  const { lines, older } = counted
  const shared = farms(memberCount)
  const total = sized(5000, scale, 260)
  const staff = people.filter(person => person.role === 'service' || person.role === 'service_lead')
  const rows: LimitRow[] = []
  for (let n = 0; rows.length < total && n < total * 4; n++) {
    const line = lines[Math.floor(lines.length * random.next() ** 1.4)]
    if (!line) break
    // Not every order of such a pair is known here.
    if (older.has(pairOf(line))) continue
    const block = blockOf(random, counted, line, { shared, now })
    if (block) rows.push(block)
  }
  const taken = new Set<string>()
  addUsed(random, counted, rows, { staff, taken })
  releaseSome(random, rows, { staff, taken, now })
  rows.sort((a, b) => a.created_at! - b.created_at!)
  await insertRows(db, buy_limit_log, rows)
}

type JobState = NonNullable<(typeof export_job.$inferInsert)['state']>
const jobState = (random: Random, at: number): JobState =>
  at < 12 ? 'done' : random.weighted({ expired: 74, done: 10, failed: 6, cancelled: 6, revoked: 4 })
const jobMade = (random: Random, state: JobState, now: number): number => {
  if (state === 'queued' || state === 'running') return now - 60
  if (state === 'done') return now - random.int(1, 5) * DAY - random.int(0, 11 * HOUR)
  return atWork(random, now, 90) - (state === 'expired' ? 8 * DAY : 0)
}
const finishedStates: ReadonlySet<JobState> = new Set(['done', 'expired', 'revoked'])
const revokedBy = (random: Random, who: Person, revoked_at: number) => ({
  revoked_by: who.id,
  revoked_at,
  revoke_reason: random.pick(['含多余的商户联系方式', '发错了对象', '数据口径有误']),
})
/** 180 exports in all states; those that wait are made when the server starts. */
const seedExports = async (db: Db, random: Random, { people, now, scale }: Of): Promise<void> => {
  const staff = people.filter(
    person =>
      person.status === 'active' &&
      [
        'super_admin',
        'ops_director',
        'senior_auditor',
        'service_lead',
        'finance',
        'city_manager',
      ].includes(person.role),
  )
  type Row = typeof export_job.$inferInsert
  const states = ['queued', 'running', 'done', 'failed', 'cancelled', 'expired', 'revoked'] as const
  const waits = scale > 0.4
  const rows = Array.from({ length: sized(180, scale, 40) }, (_, at): Row => {
    const wanted = states[at] ?? jobState(random, at)
    const isWaiting = wanted === 'queued' || wanted === 'running'
    // A test's own jobs would have to wait for those that wait here.
    const state = isWaiting && !waits ? 'cancelled' : wanted
    const queue = random.pick(['bulks', 'card', 'voucher', 'product'])
    const who = at % 5 === 0 ? people[0]! : random.pick(staff)
    const created = jobMade(random, state, now)
    const rows_expected = at === 20 || at === 21 ? 300_000 + at * 117 : random.int(12, 18_000)
    const finished = finishedStates.has(state)
    const format = at % 3 ? 'xlsx' : 'csv'
    const begun = state === 'failed' || state === 'cancelled' ? Math.floor(rows_expected / 3) : 0
    const [word, filters] = random.pick([
      ['已通过', { state: 'approved' }],
      ['待处理', { state: 'open' }],
      ['已驳回', { state: 'rejected' }],
    ] as const)
    return {
      admin_id: who.id,
      page: `audit.${queue}`,
      filters,
      filters_hash: `demo${at}`.padEnd(40, '0'),
      filters_text: word,
      format,
      lang: 'zh',
      rows_expected,
      rows_done: finished ? rows_expected : begun,
      size_bytes: finished ? rows_expected * 180 : null,
      state,
      error:
        state === 'failed' ? random.pick(['生成文件时出错，可以重新生成', '没有导出权限']) : null,
      fields: {},
      file_key: state === 'done' ? `demo-${at}.${format}` : null,
      expires_at: finished ? created + 7 * DAY : null,
      downloads: finished ? random.int(0, 4) : 0,
      beat_at: null,
      done_at: finished ? created + random.int(4, 90) : null,
      ...(state === 'revoked'
        ? revokedBy(random, people[0]!, created + DAY)
        : { revoked_by: null, revoked_at: null, revoke_reason: null }),
      extended_days: 0,
      created_at: created,
      updated_at: created,
    }
  }).sort((a, b) => a.created_at! - b.created_at!)
  await insertRows(db, export_job, rows)
}

/** What the log pages show: operations, sign-ins, looking about, blocked purchases and exports. */
const seedLogs = async (db: Db, random: Random, of: Of): Promise<void> => {
  await seedOpLog(db, random.branch('operations'), of)
  await seedLogins(db, random.branch('logins'), of)
  await seedClicks(db, random.branch('clicks'), of)
  await seedLimits(db, random.branch('limits'), of)
  await seedExports(db, random.branch('exports'), of)
}

export const demo: readonly DemoStep[] = [
  { place: 150, branch: 'logs', title: '日志 / logs', run: seedLogs },
]
