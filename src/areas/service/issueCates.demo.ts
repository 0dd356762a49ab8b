import { and, asc, eq } from 'drizzle-orm'
import { page_link } from '#src/areas/content/content.table.ts'
import { notify_group } from '#src/areas/notice/duty.table.ts'
import { DAY, HOUR } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { afterIds, insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep } from '#src/server/demo/step.ts'
import type { IssueSide, TicketChannel } from './issueCate.ts'
import { issue_cate, service_ticket } from './service.table.ts'

type Top = {
  side: IssueSide
  name: string
  first: number
  finish: number
  reply: string
  below: readonly string[]
}
const OTHER = '其他'
const tops: readonly Top[] = [
  {
    side: 'member',
    name: '订单问题',
    first: 2,
    finish: 24,
    reply: '您好，已收到您的订单问题，请提供订单号，我们会在 2 小时内回复。',
    below: ['下单失败', '重复扣款', '订单取消', '修改收货地址', '物流异常', '迟迟未发货'],
  },
  {
    side: 'member',
    name: '退款售后',
    first: 4,
    finish: 48,
    reply: '退款一般在审核通过后 1–3 个工作日原路退回，请留意到账通知。',
    below: ['退款未到账', '商家拒绝退款', '退货运费争议', '商品破损', '少发漏发', '换货'],
  },
  {
    side: 'member',
    name: '门店服务',
    first: 4,
    finish: 72,
    reply: '很抱歉给您带来不好的体验，我们会联系门店核实后回复您。',
    below: ['服务态度', '环境卫生', '加收费用', '与描述不符', '门店停业'],
  },
  {
    side: 'member',
    name: '券码无法使用',
    first: 1,
    finish: 12,
    reply: '请出示券码并告知门店名称，我们马上为您核对。',
    below: ['门店不认券', '券码已被核销', '券码过期', '预约不上'],
  },
  {
    side: 'member',
    name: '账户与安全',
    first: 8,
    finish: 72,
    reply: '为保护账户安全，请勿向任何人透露验证码。',
    below: ['登录不了', '更换手机号', '账户被盗', '注销账户'],
  },
  {
    side: 'member',
    name: '活动与优惠',
    first: 8,
    finish: 72,
    reply: '',
    below: ['优惠券用不了', '积分未到账', '抽奖奖品', '拼团失败'],
  },
  { side: 'member', name: OTHER, first: 24, finish: 96, reply: '', below: ['意见建议'] },
  {
    side: 'merchant',
    name: '入驻与商品',
    first: 12,
    finish: 72,
    reply: '入驻审核一般需要 3 个工作日，请先确认资质照片清晰完整。',
    below: ['入驻审核', '资质更新', '商品审核', '门店信息修改'],
  },
  {
    side: 'merchant',
    name: '结算与对账',
    first: 4,
    finish: 48,
    reply: '',
    below: ['结算延迟', '佣金疑问', '提现失败', '发票'],
  },
  { side: 'merchant', name: `商家${OTHER}`, first: 24, finish: 96, reply: '', below: [] },
]
/** Nobody ever filed anything under it, and it is off. */
const UNUSED = '换货'
const channels: readonly TicketChannel[] = ['complaint', 'chat', 'after_sale']
/** Tickets at full scale. */
const TICKETS = 24_000

type Cate = typeof issue_cate.$inferInsert & { id: number }
const cates = (groups: readonly number[], articles: readonly number[], made: number): Cate[] => {
  const rows: Cate[] = []
  for (const [at, top] of tops.entries()) {
    const id = rows.length + 1
    const common = { side: top.side, created_at: made, updated_at: made }
    rows.push({
      ...common,
      id,
      parent_id: null,
      level: 1,
      name: top.name,
      handler_group_id: groups[at % Math.max(1, groups.length)] ?? null,
      first_h: top.first,
      finish_h: top.finish,
      auto_reply: top.reply,
      article_id: articles[at] ?? null,
      fallback: top.name.endsWith(OTHER),
      sort: at,
      status: 'on',
    })
    for (const [sort, name] of top.below.entries())
      rows.push({
        ...common,
        id: rows.length + 1,
        parent_id: id,
        level: 2,
        name,
        handler_group_id: null,
        // The first of each is the urgent one.
        first_h: sort === 0 && top.first > 1 ? Math.ceil(top.first / 2) : null,
        finish_h: sort === 0 && top.first > 1 ? Math.ceil(top.finish / 2) : null,
        auto_reply: '',
        article_id: null,
        fallback: false,
        sort,
        status: name === UNUSED ? 'off' : 'on',
      })
  }
  return rows
}
const ticketOf = (random: Random, cate: Cate, top: Top, now: number) => {
  const opened_at = now - random.int(HOUR, 120 * DAY)
  const [first, finish] = [cate.first_h ?? top.first, cate.finish_h ?? top.finish]
  const answered = opened_at + random.int(60, Math.round(first * HOUR * 1.15))
  const finished = answered + random.int(HOUR, Math.round(finish * HOUR * 1.1))
  return {
    channel: random.pick(channels),
    category_id: cate.id,
    filed_under: cate.id,
    opened_at,
    answer_by: opened_at + first * HOUR,
    finish_by: opened_at + finish * HOUR,
    answered_at: answered < now ? answered : null,
    finished_at: finished < now && random.int(1, 100) > 1 ? finished : null,
    created_at: opened_at,
    updated_at: opened_at,
  }
}
const seedIssueCates = async (db: Db, random: Random, of: { now: number; scale: number }) => {
  const groups = await db
    .select({ id: notify_group.id })
    .from(notify_group)
    .where(eq(notify_group.status, 'on'))
    .orderBy(asc(notify_group.id))
  const articles = await db
    .select({ id: page_link.id })
    .from(page_link)
    .where(and(eq(page_link.status, 'on'), eq(page_link.type, 'page')))
    .orderBy(asc(page_link.id))
    .limit(3)
  const idsOf = (rows: readonly { id: number }[]) => rows.map(row => row.id)
  const rows = cates(idsOf(groups), idsOf(articles), of.now - 400 * DAY)
  await insertRows(db, issue_cate, rows)
  const filed = rows.filter(row => row.level === 2 && row.name !== UNUSED)
  const topOf = (row: Cate) => tops[rows.find(one => one.id === row.parent_id)!.sort!]!
  await insertRows(
    db,
    service_ticket,
    Array.from({ length: Math.max(300, Math.round(TICKETS * of.scale)) }, () => {
      const cate = random.pick(filed)
      return ticketOf(random, cate, topOf(cate), of.now)
    }),
  )
  await afterIds(db)
}

export const demo: readonly DemoStep[] = [
  {
    place: 140,
    branch: 'issues',
    run: (db, random, { now, scale }) => seedIssueCates(db, random, { now, scale }),
  },
]
