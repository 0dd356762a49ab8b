import { sql } from 'drizzle-orm'
import type { Person } from '#src/areas/people/people.demo.ts'
import { say } from '#src/domain/text.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { givenNames, surnames } from '#src/server/demo/words.ts'
import { notify_group, notify_message, verifier, warning_log, warning_rule } from './duty.table.ts'
import { valueText } from './warning.server.ts'
import {
  scopeKey,
  warningLevels,
  type Shift,
  type WarningLevel,
  type WarningMetric,
  type WarningOperator,
} from './warning.ts'

const groupNames: readonly [
  name: string,
  channel: 'wecom_robot' | 'email' | 'sms',
  target: string,
][] = [
  ['平台值班群', 'wecom_robot', '1'],
  ['支付与退款告警群', 'wecom_robot', '2'],
  ['审核值班群', 'wecom_robot', '3'],
  ['上海城市运营群', 'wecom_robot', '4'],
  ['成都城市运营群', 'wecom_robot', '5'],
  ['技术支持群', 'wecom_robot', '6'],
  ['风控应急群', 'wecom_robot', '7'],
  ['财务日报收件人', 'email', 'finance@mallet.example,cfo@mallet.example'],
  ['运营周报收件人', 'email', 'ops@mallet.example'],
  ['城市经理邮件组', 'email', 'city-managers@mallet.example'],
  ['数据中心邮件组', 'email', 'data@mallet.example,bi@mallet.example'],
  ['值班负责人短信', 'sms', '13800138001,13800138002'],
  ['高管短信', 'sms', '13900139001'],
  ['旧客服群（停用）', 'wecom_robot', '8'],
]
const robotSaid = '{"errcode":0,"errmsg":"ok"}'
const rules: readonly [
  name: string,
  metric: WarningMetric,
  operator: WarningOperator,
  threshold: number,
  window_s: number,
  min_sample: number,
  level: WarningLevel,
][] = [
  ['支付成功率过低', 'pay_success_rate', 'lt', 8500, 1800, 30, 'serious'],
  ['支付成功率偏低', 'pay_success_rate', 'lt', 9200, 3600, 50, 'warn'],
  ['全平台退款率偏高', 'refund_rate', 'gt', 1200, DAY, 100, 'warn'],
  ['全平台退款率异常', 'refund_rate', 'gt', 2500, DAY, 100, 'serious'],
  ['退款率突变', 'refund_rate', 'change_pct', 80, DAY, 100, 'info'],
  ['在售商品库存见底', 'stock', 'lt', 1, 300, 10, 'warn'],
  ['审核积压超过 4 小时', 'audit_age', 'gt', 240, 300, 1, 'warn'],
  ['审核积压超过 12 小时', 'audit_age', 'gt', 720, 300, 1, 'serious'],
  ['超时未发货订单', 'ship_overdue', 'gt', 30, 600, 10, 'warn'],
  ['超时未发货订单过多', 'ship_overdue', 'gt', 200, 600, 10, 'serious'],
  ['导出失败', 'export_fail', 'gt', 3, 3600, 3, 'info'],
  ['登录失败激增', 'login_fail', 'gt', 20, 600, 20, 'serious'],
  ['新地点或设备登录', 'login_new', 'gt', 0, 3600, 1, 'warn'],
]

/** The first group is on duty at any hour, the next three at those of an office. */
const rosterOf = (at: number, someone: () => number): Shift[] => {
  if (at === 0)
    return [
      { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '09:00', to: '21:00', admin_id: someone() },
      { weekdays: [1, 2, 3, 4, 5, 6, 7], from: '21:00', to: '09:00', admin_id: someone() },
    ]
  if (at >= 4) return []
  return [{ weekdays: [1, 2, 3, 4, 5], from: '09:00', to: '18:00', admin_id: someone() }]
}
const lastTest = (random: Random, at: number, now: number) => {
  if (at < 3) return { at: now - random.int(1, 20) * DAY, ok: true, answer: robotSaid }
  if (at !== 12) return null
  return { at: now - 3 * DAY, ok: false, answer: '未配置短信网关 SMS_GATEWAY_URL' }
}
/** A value that fires its rule. */
const firedValue = (random: Random, operator: string, threshold: number): number => {
  if (operator === 'lt') return Math.max(0, Math.round(threshold * 0.82) - random.int(0, 3))
  if (operator === 'change_pct') return random.int(900, 2600)
  return Math.round(threshold * (1 + random.int(5, 90) / 100)) + 1
}
/** 14 groups, 23 rules and 380 alarms, 7 of them open. */
const seedDuty = async (
  db: Db,
  random: Random,
  {
    now,
    scale,
    people,
    cityIds,
  }: { now: number; scale: number; people: readonly Person[]; cityIds: readonly number[] },
): Promise<void> => {
  const active = people.filter(person => person.status === 'active')
  const someone = () => random.pick(active).id
  /** Whoever leads the duty is in its group. */
  const leads: Readonly<Record<number, string>> = { 0: 'super_admin', 2: 'senior_auditor' }
  await insertRows(
    db,
    notify_group,
    groupNames.map(([name, channel, target], at) => ({
      id: at + 1,
      name,
      channel,
      target:
        channel === 'wecom_robot'
          ? `https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=demo0000-${target}a7c-4e1f-9b20-3f6d2c81e0${target}4`
          : target,
      members: [
        ...new Set([
          ...Array.from({ length: random.int(2, 5) }, someone),
          ...active.filter(person => leads[at] === person.role).map(person => person.id),
        ]),
      ],
      roster: rosterOf(at, someone),
      quiet: at === 7 || at === 8 ? { from: '22:00', to: '08:00' } : null,
      status: (at === 13 ? 'off' : 'on') as 'on' | 'off',
      last_test: lastTest(random, at, now),
      created_at: now - 200 * DAY,
    })),
  )
  const all = [
    ...rules.map(rule => ({ rule, city: undefined as number | undefined })),
    ...cityIds.slice(0, 5).flatMap(city => [rules[2]!, rules[8]!].map(rule => ({ rule, city }))),
  ]
  await insertRows(
    db,
    warning_rule,
    all.map(
      ({ rule: [name, metric, operator, threshold, window_s, min_sample, level], city }, at) => {
        const scope = city === undefined ? {} : { city_id: city }
        return {
          id: at + 1,
          name: city === undefined ? name : `${name.replace('全平台', '')}（城市）`,
          metric,
          scope,
          scope_key: scopeKey(scope),
          operator,
          threshold,
          window_s,
          min_sample,
          level,
          group_ids:
            city === undefined
              ? [random.int(1, 3), ...(level === 'serious' ? [12] : [])]
              : [4 + (at % 2)],
          auto_recover: level !== 'serious',
          mute_until: at === 5 ? now + 20 * 3600 : null,
          mute_reason: at === 5 ? '大促补货中' : null,
          status: (at === 4 || at === 10 ? 'off' : 'on') as 'on' | 'off',
          created_at: now - 180 * DAY,
        }
      },
    ),
  )
  const results = [
    '已联系支付渠道，确认为上游抖动',
    '已补充审核人手，积压清空',
    '已通知商户补货',
    '核实为商户活动退款，正常',
    '已联系仓库加急发货',
    '已下线问题商品并通知商户',
    '排查为脚本误调用，已封禁来源',
  ]
  const ignored = ['演练产生', '样本过小，属正常波动', '已知的系统维护']
  const total = Math.max(60, Math.round(380 * Math.min(1, scale)))
  const alarms = Array.from({ length: total }, (_, at): typeof warning_log.$inferInsert => {
    const open = at >= total - 7
    // The open ones are of different rules, as there is one open alarm a rule and place.
    const index = open ? [0, 1, 2, 6, 8, 11, 12][at - (total - 7)]! : random.int(0, all.length - 1)
    const {
      rule: [name, metric, operator, threshold, window_s, , level],
      city,
    } = all[index]!
    const fired_at = open
      ? now - random.int(2, 300) * 60
      : now - random.int(1, 90) * DAY + random.int(0, 80_000)
    const value = firedValue(random, operator, threshold)
    const waits = at % 3 === 0 ? 'acked' : 'open'
    const state = open
      ? waits
      : random.pick(['handled', 'handled', 'handled', 'recovered', 'recovered', 'ignored'] as const)
    const said = state === 'handled' ? results : ignored
    const closed = state === 'handled' || state === 'ignored'
    const acked = state === 'acked' || closed
    const acker = acked ? someone() : null
    const scope = city === undefined ? {} : { city_id: city }
    const normal = operator === 'lt' ? threshold * 1.06 : threshold * 0.6
    return {
      rule_id: index + 1,
      rule_name: city === undefined ? name : `${name.replace('全平台', '')}（城市）`,
      metric,
      scope,
      scope_key: scopeKey(scope),
      city_id: city ?? null,
      mall_id: null,
      value,
      threshold,
      operator,
      level,
      state,
      count: random.int(1, 40),
      fired_at,
      last_at: Math.min(now, fired_at + random.int(1, 180) * 60),
      acked_by: acker,
      acked_at: acked ? fired_at + random.int(1, 40) * 60 : null,
      assigned_to: acker,
      handled_by: closed ? acker : null,
      handled_at: closed ? fired_at + random.int(41, 300) * 60 : null,
      recovered_at: state === 'recovered' ? fired_at + random.int(5, 120) * 60 : null,
      escalated_at: level === 'serious' && at % 9 === 0 ? fired_at + 900 : null,
      result: closed ? random.pick(said) : null,
      told: [{ name: groupNames[index % 3]![0], at: fired_at, message_id: at + 1 }],
      series: Array.from({ length: 31 }, (_, i): [number, number] => [
        fired_at - (30 - i) * Math.min(window_s, 600),
        Math.max(
          0,
          Math.round(
            i < 26
              ? normal * (0.9 + random.int(0, 20) / 100)
              : normal + ((value - normal) * (i - 25)) / 5,
          ),
        ),
      ]),
      created_at: fired_at,
      updated_at: fired_at,
    }
  })
  await insertRows(db, notify_message, alarms.map(messageOf))
  await insertRows(db, warning_log, alarms)
}
/** What told a group of an alarm, half a minute after it fired. */
const messageOf = (
  alarm: typeof warning_log.$inferInsert,
  at: number,
): typeof notify_message.$inferInsert => ({
  id: at + 1,
  group_id: groupNames.findIndex(([name]) => name === alarm.told![0]!.name) + 1,
  level: alarm.level,
  text: `【${say(warningLevels[alarm.level], 'zh')}】${alarm.rule_name}：${valueText(alarm.metric, alarm.value, alarm.operator)}`,
  state: 'sent',
  tries: 1,
  answer: robotSaid,
  sent_at: alarm.fired_at + 30,
  created_at: alarm.fired_at,
  updated_at: alarm.fired_at + 30,
})

/**
 * 420 clerks over 180 stores, most of them bound to WeChat; what was redeemed in their stores is
 * theirs.
 */
const seedVerifiers = async (
  db: Db,
  random: Random,
  { now, scale }: { now: number; scale: number },
): Promise<void> => {
  const { rows: stores } = await db.execute<{
    id: number
    merchant_id: number
    city_id: number
    mates: number[]
  }>(sql`
    select s.id, s.merchant_id, s.city_id, array(select t.id from store t where t.merchant_id = s.merchant_id and t.status = 'open' and t.kind = 'offline' order by t.id limit 4) mates from store s where s.status = 'open' and s.kind = 'offline' order by s.id limit ${Math.max(30, Math.round(180 * Math.min(1, scale)))}`)
  const kinds = [
    ['bulks', 'card', 'voucher'],
    ['bulks', 'voucher'],
    ['bulks', 'roll_buy', 'card', 'voucher', 'pickup', 'visitor'],
  ]
  const rows = stores.flatMap((store, i) =>
    Array.from({ length: i % 3 === 0 ? 3 : 2 }, (_, at) => ({
      name: random.pick([...surnames]) + random.pick(givenNames),
      phone: `139${String(20_000_000 + i * 97 + at * 31).slice(-8)}`,
      openid: random.int(0, 9) < 8 ? `oM${String(1e9 + i * 1000 + at)}demo` : null,
      merchant_id: store.merchant_id,
      store_ids:
        at === 0 && store.mates.length > 1 ? [...new Set([store.id, store.mates[0]!])] : [store.id],
      kinds: random.pick(kinds),
      daily_count_limit: random.int(0, 3) === 0 ? 200 : null,
      daily_amount_limit_cents: random.int(0, 4) === 0 ? 20_000_00 : null,
      status: (random.int(0, 19) === 0 ? 'disabled' : 'active') as 'active' | 'disabled',
      status_reason: null as string | null,
      locked_until: i === 4 && at === 0 ? now + DAY : null,
      last_at: null,
      city_id: store.city_id,
      created_at: now - random.int(20, 500) * DAY,
    })),
  )
  for (const row of rows)
    if (row.status === 'disabled')
      row.status_reason = random.pick(['离职', '门店装修停业', '更换店长'])
  await insertRows(db, verifier, rows)
  await db.execute(sql`
    update verify_record r set verifier_id = w.ids[1 + r.id % array_length(w.ids, 1)]
    from (select s.id::int store_id, array_agg(v.id order by v.id) ids from verifier v cross join lateral jsonb_array_elements_text(v.store_ids) s(id) group by 1) w where w.store_id = r.store_id and r.way in ('scan', 'input')`)
  await db.execute(
    sql`update verifier v set last_at = r.at from (select verifier_id, max(verified_at) at from verify_record where verifier_id is not null group by 1) r where r.verifier_id = v.id`,
  )
}

export const demo: readonly DemoStep[] = [
  { place: 120, branch: 'verifiers', run: seedVerifiers },
  { place: 130, branch: 'duty', run: seedDuty },
]
