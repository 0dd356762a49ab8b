import { and, eq, sql } from 'drizzle-orm'
import { member } from '#src/areas/member/member.table.ts'
import { sized } from '#src/areas/merchant/trade.demo.ts'
import { freezeWords } from '#src/areas/order/logWords.ts'
import { order } from '#src/areas/order/order.table.ts'
import type { Person } from '#src/areas/people/people.demo.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { dryRun, measureRule, merged } from './risk.server.ts'
import { risk_hit, risk_list, risk_rule } from './risk.table.ts'
import {
  CLAIM_S,
  isBlocking,
  levelOf,
  measuredNote,
  scoreOf,
  type RiskAction,
  type RiskCondition,
  type RiskScene,
} from './risk.ts'

const MINUTE = 60
type RuleOf = readonly [
  name: string,
  scene: RiskScene,
  condition: RiskCondition,
  threshold: number,
  window_s: number,
  action: RiskAction,
  status: 'on' | 'off' | 'draft',
]
const rules: readonly RuleOf[] = [
  ['同一设备短时多单', 'order', { metric: 'device_orders' }, 4, DAY, 'mark', 'on'],
  ['同一设备 10 分钟内多单', 'order', { metric: 'device_orders' }, 5, 10 * MINUTE, 'block', 'on'],
  ['同一设备多账号下单', 'order', { metric: 'device_accounts' }, 3, DAY, 'hold', 'on'],
  [
    '同一设备多账号刷单（严格）',
    'order',
    { metric: 'device_accounts' },
    6,
    7 * DAY,
    'block',
    'draft',
  ],
  ['同一会员高频下单', 'order', { metric: 'member_orders' }, 4, 30 * DAY, 'mark', 'on'],
  ['同一会员 1 小时内多单', 'order', { metric: 'member_orders' }, 5, HOUR, 'captcha', 'on'],
  ['同一手机号高频下单', 'order', { metric: 'phone_orders' }, 6, 30 * DAY, 'mark', 'off'],
  ['积分兑换异常频繁', 'points', { metric: 'member_orders' }, 2, 14 * DAY, 'mark', 'on'],
  ['电子卡集中购买', 'ecard', { metric: 'member_orders' }, 2, 7 * DAY, 'mark', 'on'],
  ['电子卡大额购买', 'ecard', { metric: 'member_paid' }, 200_000, DAY, 'hold', 'draft'],
  ['新账号大额代金券', 'pay', { metric: 'new_voucher', new_days: 7 }, 10_000, DAY, 'mark', 'on'],
  ['新账号当日囤券', 'pay', { metric: 'new_voucher', new_days: 1 }, 50_000, DAY, 'hold', 'draft'],
  ['单人单日大额支付', 'pay', { metric: 'member_paid' }, 80_000, DAY, 'mark', 'on'],
  ['单人一周大额支付', 'pay', { metric: 'member_paid' }, 150_000, 7 * DAY, 'mark', 'on'],
  ['同店集中核销', 'verify', { metric: 'cash_out' }, 4, HOUR, 'hold', 'on'],
  ['同店集中核销（标记）', 'verify', { metric: 'cash_out' }, 3, DAY, 'mark', 'on'],
  ['异地核销', 'verify', { metric: 'redeem_cities' }, 2, 2 * DAY, 'mark', 'on'],
  ['一周内三城核销', 'verify', { metric: 'redeem_cities' }, 3, 7 * DAY, 'captcha', 'on'],
  ['短期多次退款', 'refund', { metric: 'refunds' }, 2, 14 * DAY, 'mark', 'on'],
  ['退款率过高', 'refund', { metric: 'refund_rate', min_sample: 3 }, 5000, 30 * DAY, 'mark', 'on'],
  [
    '退款率异常（拦截）',
    'refund',
    { metric: 'refund_rate', min_sample: 8 },
    8000,
    30 * DAY,
    'block',
    'off',
  ],
  ['短时大量领券', 'coupon', { metric: 'coupon_grants' }, 5, DAY, 'mark', 'on'],
  ['薅券设备', 'coupon', { metric: 'device_accounts' }, 4, 7 * DAY, 'mark', 'off'],
  ['同一会员一天内购券超过 10 张', 'pay', { metric: 'member_vouchers' }, 11, DAY, 'mark', 'on'],
]
const released = [
  '核对后为正常家庭共用设备',
  '公司团建集中购买，已电话核实',
  '会员出差异地消费，行程一致',
  '商户活动期间正常复购',
  '退款因商户缺货，非会员原因',
  '老会员囤券，历史履约良好',
]
const confirmed = [
  '同一设备批量注册小号套取补贴',
  '代金券集中核销套现，已通知商户',
  '与已封禁账号共用设备',
  '虚假收货信息，联系不上',
  '恶意下单后集中退款',
  '多账号轮流使用新客优惠',
]
const blackReasons = ['批量注册小号', '代金券套现', '恶意退款', '盗用支付', '刷单设备', '外挂抢购']
const whiteReasons = ['企业福利采购', '门店测试机', '商户自用核验', '客服误伤补偿', '大客户']
const OPEN = 60
const CLAIMED = 5

const listedValue = (random: Random, type: 'device' | 'phone', at: number): string =>
  type === 'device'
    ? `d${((at * 2_246_822_519) % 0xffff_ffff).toString(16).padStart(8, '0')}`
    : `1${random.pick(['70', '71', '62', '65'])}${String(10_000_000 + at * 977).slice(-8)}`
/**
 * 24 rules, about 900 hits measured on the demo's own orders (60 of them open, 5 claimed) and 400
 * list entries. Some devices are shared by several accounts first, so that there is something to
 * find.
 */
const seedRisk = async (
  db: Db,
  random: Random,
  { now, scale, people }: { now: number; scale: number; people: readonly Person[] },
): Promise<void> => {
  const keepers = people.filter(person => person.role === 'risk' && person.status === 'active')
  const orders = (
    await db.execute<{ id: number; frozen: boolean; city_id: number }>(
      sql`select id, frozen, city_id from "order" where member_id is not null and created_at > ${now - 120 * DAY} order by created_at, id`,
    )
  ).rows
  // Orders that follow on each other, of different accounts, on one device; those frozen in the
  // demo are among them.
  const shared: [number, string][] = []
  for (
    let at = 0, farm = 0;
    farm < Math.max(8, Math.round(orders.length / 110)) && at < orders.length;
    farm++
  ) {
    const near = orders.findIndex((one, i) => i > at && one.frozen)
    const from = farm % 4 === 0 && near > 3 ? near - 3 : at + random.int(4, 160)
    for (const one of orders.slice(from, from + random.int(4, 6)))
      shared.push([
        one.id,
        `farm-${String(farm + 1).padStart(3, '0')}-${((farm * 40_503) % 65_536).toString(16).padStart(4, '0')}`,
      ])
    at = from + 6
  }
  await db.execute(
    sql`update "order" o set device_id = v.device from json_to_recordset(${JSON.stringify(shared.map(([id, device]) => ({ id, device })))}::json) as v(id int, device text) where o.id = v.id`,
  )

  const rows: (typeof risk_rule.$inferInsert & { id: number })[] = rules.map(
    ([name, scene, condition, threshold, window_s, action, status], at) => ({
      id: at + 1,
      name,
      scene,
      condition,
      threshold,
      window_s,
      action,
      status,
      status_reason:
        status === 'off'
          ? random.pick(['误报过多，调整阈值中', '活动期间暂停', '由新规则替代'])
          : null,
      dry_run_at: null,
      dry_run_result: null,
      measured_until: status === 'on' ? now : null,
      created_at: now - random.int(40, 300) * DAY,
    }),
  )
  for (const rule of rows)
    if (rule.status === 'on' && isBlocking(rule.action)) {
      const { sample: _, ...found } = await dryRun(db, rule, 30, now - DAY)
      Object.assign(rule, { dry_run_at: now - DAY, dry_run_result: found })
    }
  await insertRows(db, risk_rule, rows)

  const paid = new Map(
    (await db.select({ id: order.id, cents: order.pay_cents }).from(order)).map(one => [
      one.id,
      one.cents,
    ]),
  )
  const held = new Set(
    (
      await db
        .select({ id: order.id })
        .from(order)
        .where(and(eq(order.frozen, true), eq(order.freeze_reason, freezeWords.risk)))
    ).map(one => one.id),
  )
  const found: { rule: (typeof rows)[number]; group: ReturnType<typeof merged>[number] }[] = []
  for (const rule of rows.filter(one => one.status !== 'draft'))
    for (const group of merged(await measureRule(db, rule, now - 120 * DAY, now - 120)))
      found.push({ rule, group })
  // A store that is under suspicion needs a second approver: few are.
  let stores = sized(40, scale, 3)
  const kept = random
    .shuffle(found)
    .filter(({ group }) => group.first.store_id === null || stores-- > 0)
    .sort((a, b) => a.group.last.at - b.group.last.at)
  // No rule fills the queue alone; one that is off left a hit or two open.
  const share = new Map<number, number>()
  const most = (rule: { id: number; status?: string | undefined }, n: number) => {
    const used = share.get(rule.id) ?? 0
    share.set(rule.id, used + 1)
    return used < (rule.status === 'off' ? 2 : n)
  }
  const young = kept
    .toReversed()
    .filter(({ rule }) => most(rule, 14))
    .slice(0, OPEN + CLAIMED)
    .toReversed()
  const recent = new Set(young)
  share.clear()
  const total = sized(900, scale, 120)
  const old = random
    .shuffle(kept.filter(one => !recent.has(one)))
    .filter(({ rule }) => rule.status === 'on' && most(rule, total / 6))
    .slice(0, total - young.length)
  const all = [...old.sort((a, b) => a.group.last.at - b.group.last.at), ...young]
  const known = new Map<number, number>()
  const above = (
    await db.select({ id: sql<number>`coalesce(max(${risk_hit.id}), 0)` }).from(risk_hit)
  )[0]!.id
  await insertRows(
    db,
    risk_hit,
    all.map(({ rule, group }, at): typeof risk_hit.$inferInsert & { id: number } => {
      const { first, last } = group
      const open = at >= all.length - young.length
      const score = scoreOf(group.value, rule.threshold, known.get(last.member_id ?? 0) ?? 0)
      const bad = random.chance(0.25 + score / 200)
      if (!open && bad && last.member_id !== null)
        known.set(last.member_id, (known.get(last.member_id) ?? 0) + 1)
      const isClaimed = at % 13 === 6 && at >= all.length - CLAIMED * 13
      const waits = isClaimed ? 'claimed' : 'open'
      const decided = bad ? 'confirmed' : 'released'
      const state = open ? waits : decided
      const who = random.pick(keepers).id
      const claim =
        state === 'claimed'
          ? { claimed_by: who, claim_until: now + random.int(8 * MINUTE, CLAIM_S) }
          : { claimed_by: null, claim_until: null }
      const decided_at = open ? null : Math.min(now - 60, last.at + random.int(10, 1200) * MINUTE)
      return {
        id: above + at + 1,
        domain: rule.scene === 'ecard' ? 'ecard' : 'platform',
        rule: rule.condition.metric,
        rule_id: rule.id,
        scene: rule.scene,
        level: levelOf(score),
        score,
        action: rule.action,
        city_id: last.city_id,
        mall_id: last.mall_id,
        merchant_id: last.merchant_id,
        store_id: last.store_id,
        member_id: last.member_id,
        device_id: last.device_id,
        order_ids: group.order_ids.slice(-200),
        code_ids: group.code_ids.slice(-200),
        value: group.value,
        amount_cents: group.order_ids.reduce((sum, id) => sum + (paid.get(id) ?? 0), 0),
        note: measuredNote(rule, group.value),
        state,
        hit_at: first.at,
        last_at: last.at,
        merged_count: group.n,
        ...claim,
        decided_by: open ? null : who,
        decided_at,
        reason: open ? null : random.pick(bad ? confirmed : released),
        froze:
          rule.action === 'hold' && state !== 'released'
            ? group.order_ids.filter(id => held.has(id) && held.delete(id))
            : [],
        created_at: last.at,
        updated_at: decided_at ?? last.at,
      }
    }),
  )
  await db.execute(
    sql`update "order" o set frozen_by = 'risk', freeze_hit_id = h.id from risk_hit h where h.froze @> to_jsonb(o.id) and o.frozen`,
  )
  await db.execute(
    sql`update "order" set frozen_by = case freeze_reason when ${freezeWords.dispute} then 'dispute' when ${freezeWords.risk} then 'risk' else 'staff' end where frozen and frozen_by is null`,
  )

  // Accounts that the platform closed stand on the black list; nobody who shops here does.
  const gone = (
    await db
      .select({ id: member.id })
      .from(member)
      .where(sql`${member.account_state} in ('banned', 'canceled') and ${member.id} > 40`)
  ).map(one => one.id)
  const taken = new Set<string>()
  const entries = Array.from(
    { length: sized(400, scale, 60) },
    (_, at): typeof risk_list.$inferInsert | undefined => {
      const list = at % 5 === 4 ? ('white' as const) : ('black' as const)
      const type = (['device', 'phone', 'member', 'device', 'phone'] as const)[at % 5]!
      const member_id = gone[(at - 2) / 5]
      const value = type === 'member' ? member_id?.toString() : listedValue(random, type, at)
      if (value === undefined || taken.has(value)) return undefined
      taken.add(value)
      const created_at = now - random.int(1, 300) * DAY
      return {
        list,
        type,
        value,
        scene: 'all',
        until_at: at % 9 === 0 ? null : created_at + random.pick([30, 90, 180, 365]) * DAY,
        reason: random.pick(list === 'black' ? blackReasons : whiteReasons),
        admin_id: random.pick(keepers).id,
        status: at % 17 === 3 ? 'removed' : 'on',
        created_at,
        updated_at: created_at,
      }
    },
  ).filter(one => one !== undefined)
  await insertRows(
    db,
    risk_list,
    entries.sort((a, b) => a.created_at! - b.created_at!),
  )
}

export const demo: readonly DemoStep[] = [{ place: 70, branch: 'risk', run: seedRisk }]
