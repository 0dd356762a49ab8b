import { sql } from 'drizzle-orm'
import type { Person } from '#src/areas/people/people.demo.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import { agreementTypes, type AgreementType } from './agreement.ts'
import { agreement, agreement_consent, h5_link, h5_visit } from './texts.table.ts'

/** Chapters of each text; a later version has more of them, and other figures in them. */
const chapters: Readonly<Record<AgreementType, readonly (readonly [string, readonly string[]])[]>> =
  {
    user: [
      [
        '一、服务说明',
        [
          '平台为您提供本地生活与在线商城的信息展示、交易与履约服务。',
          '您通过手机号注册并对账号下的全部操作负责。',
        ],
      ],
      ['二、账号安全', ['请妥善保管验证码，连续 {n} 次输入错误将暂时锁定账号。']],
      ['三、违约处理', ['以虚构交易套取优惠的，平台可取消订单并收回优惠。']],
      ['四、争议解决', ['因本协议产生的争议由平台所在地人民法院管辖。']],
      ['五、未成年人', ['未满十四周岁的用户须由监护人代为注册与下单。']],
    ],
    privacy: [
      [
        '一、我们收集的信息',
        [
          '注册时收集手机号；下单时收集收货人、地址与联系电话。',
          '定位信息仅用于展示附近门店，您可随时关闭。',
        ],
      ],
      ['二、信息的使用', ['我们不会向第三方出售您的个人信息。']],
      ['三、保存期限', ['浏览记录保存 {n} 天，交易记录按法律规定保存。']],
      ['四、您的权利', ['您可以在“我的-设置”中查阅、更正、导出与注销。']],
      ['五、SDK 目录', ['地图：定位与导航；支付：完成付款；推送：订单通知。']],
      ['六、联系我们', ['个人信息保护负责人将在 {n} 个工作日内答复。']],
    ],
    refund: [
      ['一、随时退', ['未使用的团购券可随时申请退款，{n} 个工作日内原路退回。']],
      ['二、过期退', ['过期未使用的券自动退款，无须申请。']],
      ['三、电商退货', ['签收后七天内，不影响二次销售的商品可退货。']],
      ['四、不予退款', ['已使用的券、生鲜与定制商品不支持无理由退款。']],
    ],
    bulks: [
      ['一、使用规则', ['团购券一经购买即可在适用门店使用，法定节假日以商品页为准。']],
      ['二、预约', ['需预约的商品请至少提前 {n} 小时联系门店。']],
      ['三、发票', ['发票由提供服务的门店开具。']],
    ],
    roll_buy: [
      ['一、成团', ['在规定时间内达到人数即成团，未成团自动退款。']],
      ['二、参团限制', ['每人每个活动最多参与 {n} 次。']],
    ],
    points: [
      ['一、获取', ['消费每满 1 元获得 {n} 积分，退款时扣回。']],
      ['二、有效期', ['积分自获得之日起十二个月内有效。']],
      ['三、抵扣', ['每 100 积分可抵扣 1 元，单笔最高抵扣 {n}%。']],
    ],
    merchant: [
      ['一、资质', ['商户应提交真实有效的营业执照与行业许可。']],
      ['二、佣金与结算', ['按类目约定佣金比例，核销后 {n} 个工作日结算。']],
      ['三、违规', ['拒绝核销、虚假宣传的，平台可下架商品并扣除保证金。']],
      ['四、退出', ['终止合作前应完成全部未核销订单的履约。']],
    ],
    card: [
      ['一、性质', ['卡券为预付凭证，不记名、不挂失、不兑换现金。']],
      ['二、有效期', ['有效期以卡面为准，到期前 {n} 天提醒。']],
      ['三、退款', ['未使用的次数可按剩余价值退款。']],
    ],
    member: [],
  }
const summaries = [
  '新增 SDK 目录与用途说明',
  '调整退款到账时间',
  '补充未成年人条款',
  '明确违规处理方式',
  '更新个人信息保存期限',
  '统一用语，无实质变化',
]
const counts: Readonly<Record<AgreementType, number>> = {
  user: 5,
  privacy: 6,
  refund: 4,
  bulks: 3,
  roll_buy: 2,
  points: 3,
  merchant: 4,
  card: 1,
  // Written first by whoever keeps the levels.
  member: 0,
}
const textOf = (type: AgreementType, no: number, last: number): string => {
  const shown = chapters[type].slice(0, Math.max(1, chapters[type].length - Math.max(0, last - no)))
  return `<p>本${agreementTypes[type][0]}自生效之日起适用。</p>${shown.map(([title, lines]) => `<h3>${title}</h3>${lines.map(line => `<p>${line.replaceAll('{n}', String(3 + no * 2))}</p>`).join('')}`).join('')}`
}

type Coming = 'scheduled' | 'draft' | 'withdrawn'
/** The newest of these three is not out yet; the others' newest is in force. */
const comings: { [T in AgreementType]?: Coming } = {
  privacy: 'scheduled',
  refund: 'draft',
  merchant: 'withdrawn',
}
const effectiveAt = (
  state: Coming | 'effective' | 'superseded',
  newer: number,
  now: number,
): number | null => {
  if (state === 'draft') return null
  if (state === 'scheduled') return dayStart(now) + 9 * DAY
  if (state === 'withdrawn') return dayStart(now) - 20 * DAY
  return dayStart(now) - (40 + newer * 150) * DAY
}
/** The share of members who consented; of the others it is less. */
const shares: { [T in AgreementType]?: number } = { privacy: 0.86, user: 0.78 }
const consentWay = (random: Random, force: boolean): 'popup' | 'register' | 'order' => {
  if (force) return random.chance(0.7) ? 'popup' : 'order'
  return random.chance(0.3) ? 'register' : 'order'
}
/**
 * Texts of every type in one to six versions: one in force each, a draft, one that waits for its
 * day, one withdrawn; and who consented to those in force.
 */
const seedTexts = async (
  db: Db,
  random: Random,
  { now, memberCount, people }: { now: number; memberCount: number; people: readonly Person[] },
): Promise<void> => {
  const versions: (typeof agreement.$inferInsert)[] = []
  const consents: (typeof agreement_consent.$inferInsert)[] = []
  const editors = people.filter(
    person =>
      person.status === 'active' && (person.role === 'content' || person.role === 'ops_director'),
  )
  for (const type of Object.keys(counts) as AgreementType[]) {
    const last = counts[type]
    const coming = comings[type]
    const live = coming ? last - 1 : last
    for (let no = 1; no <= last; no++) {
      const past = no === live ? ('effective' as const) : ('superseded' as const)
      const state = no > live ? coming! : past
      const effective_at = effectiveAt(state, live - no, now)
      const force = no > 1 && (type === 'privacy' || type === 'user')
      const written = (effective_at ?? now) - random.int(2, 12) * DAY
      versions.push({
        id: versions.length + 1,
        type,
        version_no: `${no}.0`,
        content: textOf(type, no, last),
        summary: no > 1 ? summaries[(no + versions.length) % summaries.length]! : '',
        force_consent: force,
        effective_at,
        state,
        withdraw_reason: state === 'withdrawn' ? '法务要求补充保证金条款后再发布' : null,
        editor_id: random.pick(editors).id,
        created_at: Math.min(written, now - DAY),
        updated_at: Math.min(effective_at ?? now - DAY, now - DAY),
      })
      if (state !== 'effective' || type === 'merchant') continue
      const share = shares[type] ?? 0.3
      for (let member_id = 1; member_id <= memberCount; member_id++)
        if (random.chance(share))
          consents.push({
            id: consents.length + 1,
            agreement_id: versions.length,
            member_id,
            way: consentWay(random, force),
            at: effective_at! + random.int(0, 39 * DAY),
          })
    }
  }
  await insertRows(db, agreement, versions)
  await insertRows(db, agreement_consent, consents)
}

const campaigns = [
  '端午短信',
  '会员日海报',
  '电梯广告',
  '公众号推文',
  '社群分享',
  '地铁灯箱',
  '影院映前',
  '停车场道闸',
  '外卖袋贴纸',
  '校园快闪',
]
const channels = [
  'sms',
  'poster',
  'lift',
  'mp_article',
  'group',
  'metro',
  'cinema',
  'parking',
  'sticker',
  'campus',
]
const LETTERS = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz'
/**
 * 220 short links, some stopped and some over, whose visits and orders follow how old and how good
 * they are. After orders and links.
 */
const seedShortLinks = async (
  db: Db,
  random: Random,
  { now, scale }: { now: number; scale: number },
): Promise<void> => {
  const { rows: targets } = await db.execute<{ id: number }>(
    sql`select id from page_link where status = 'on' and health = 'ok' and type <> 'mini_program' and not exists (select 1 from jsonb_array_elements(params) p where (p->>'required')::boolean and not p ? 'value') order by id`,
  )
  const links: (typeof h5_link.$inferInsert)[] = []
  const visits: (typeof h5_visit.$inferInsert)[] = []
  for (let at = 0; at < 220; at++) {
    const kind = at % campaigns.length
    const age = random.int(1, 120)
    const status = at % 17 === 5 ? ('stopped' as const) : ('on' as const)
    const expire_at =
      dayStart(now) +
      (at % 6 === 2
        ? -random.int(1, Math.max(1, Math.min(age - 1, 30)))
        : random.int(3, at % 9 === 1 ? 300 : 60)) *
        DAY +
      DAY -
      1
    const created_at = Math.min(now - age * DAY, expire_at - DAY)
    links.push({
      id: at + 1,
      name: `${campaigns[kind]!} ${Math.floor(at / campaigns.length) + 1} 期`,
      code: Array.from({ length: 7 }, () => random.pick([...LETTERS])).join(''),
      page_link_id: random.pick(targets).id,
      params: {},
      channel: `${channels[kind]!}_${String(100 + Math.floor(at / campaigns.length))}`,
      expire_at,
      status,
      stop_reason: status === 'stopped' ? '活动提前结束' : null,
      created_at,
      updated_at: created_at,
    })
    const seen = new Set<string>()
    for (let n = Math.round(random.int(10, 160) * Math.min(1, Math.max(0.1, scale))); n > 0; n--) {
      const when = random.int(created_at, Math.max(created_at, Math.min(now, expire_at)))
      const device = `demo-device-${String(random.int(1, 9000)).padStart(6, '0')}`
      if (!seen.has(`${dateOf(when)}${device}`))
        visits.push({
          id: visits.length + 1,
          h5_link_id: at + 1,
          day: dateOf(when),
          device,
          at: when,
        })
      seen.add(`${dateOf(when)}${device}`)
    }
  }
  await insertRows(db, h5_link, links)
  await insertRows(db, h5_visit, visits)
  await db.execute(
    sql`update "order" o set h5_link_id = l.id from h5_link l where o.id % 13 = 0 and l.id = 1 + (o.id / 13) % 220 and o.created_at > l.created_at and o.created_at < l.expire_at`,
  )
}

export const demo: readonly DemoStep[] = [
  { place: 40, branch: 'texts', run: seedTexts },
  { place: 80, branch: 'short links', run: seedShortLinks },
]
