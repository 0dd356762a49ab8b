import { randomBytes } from 'node:crypto'
import { and, asc, eq, ne } from 'drizzle-orm'
import { creditCheckSign } from '#src/areas/merchant/identity.ts'
import { openKeyFile } from '#src/areas/secret/keyFile.server.ts'
import { sealerOf, type Sealer } from '#src/areas/secret/secrets.server.ts'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { ecard_channel_request } from './channel.table.ts'
import { unitCost } from './channel.ts'
import { issueToChannel } from './channelIssue.server.ts'
import { moveBalance } from './channelLedger.server.ts'
import { ecard, ecard_attr, ecard_channel, ecard_channel_card } from './ecard.table.ts'
import type { ChannelState, ChannelType, RequestKind } from './ecard.ts'

type New = typeof ecard_channel.$inferInsert
/** A channel as the demo tells of it: days until its contract ends, its share of the price in percent. */
type Told = {
  name: string
  type: ChannelType
  company: string
  ends: number
  percent: number
  cards: number
  state?: ChannelState
  credit?: number
  /** It issues without money paid ahead, and owes for that. */ owes?: true
  more?: Partial<New>
}
const told: readonly Told[] = [
  { name: '平台小程序卡商城', type: 'own', company: '', ends: 700, percent: 100, cards: 8 },
  {
    name: '中建八局工会福利',
    type: 'enterprise',
    company: '中国建筑第八工程局有限公司工会委员会',
    ends: 210,
    percent: 95,
    cards: 6,
  },
  {
    name: '国网上海员工关怀',
    type: 'enterprise',
    company: '国网上海市电力公司',
    ends: 5,
    percent: 94,
    cards: 5,
  },
  {
    name: '招商银行信用卡中心',
    type: 'enterprise',
    company: '招商银行股份有限公司信用卡中心',
    ends: 330,
    percent: 92,
    cards: 6,
    credit: 200_000_00,
    owes: true,
  },
  {
    name: '上海地铁节日慰问',
    type: 'enterprise',
    company: '上海申通地铁集团有限公司',
    ends: 150,
    percent: 96,
    cards: 5,
  },
  {
    name: '华东师范大学工会',
    type: 'enterprise',
    company: '华东师范大学工会委员会',
    ends: 95,
    percent: 97,
    cards: 5,
  },
  {
    name: '复星医药年度福利平台（集团总部及全国下属企业员工统一采购）',
    type: 'enterprise',
    company: '上海复星医药（集团）股份有限公司',
    ends: 260,
    percent: 93,
    cards: 6,
    credit: 50_000_00,
  },
  {
    name: '宝钢股份劳保福利',
    type: 'enterprise',
    company: '宝山钢铁股份有限公司',
    ends: -12,
    percent: 95,
    cards: 5,
    state: 'ended',
  },
  {
    name: '东方航空会员积分换购',
    type: 'enterprise',
    company: '中国东方航空股份有限公司',
    ends: 120,
    percent: 96,
    cards: 5,
    state: 'off',
    more: { status_reason: '对方更换采购负责人，核对授权期间暂停发卡' },
  },
  {
    name: '光明乳业经销商奖励',
    type: 'enterprise',
    company: '',
    ends: 0,
    percent: 95,
    cards: 4,
    state: 'draft',
  },
  {
    name: '京东企业购',
    type: 'api',
    company: '北京京东世纪贸易有限公司',
    ends: 400,
    percent: 90,
    cards: 6,
    credit: 300_000_00,
  },
  {
    name: '携程商旅权益',
    type: 'api',
    company: '携程计算机技术（上海）有限公司',
    ends: 22,
    percent: 93,
    cards: 5,
  },
  {
    name: '云闪付生活频道',
    type: 'api',
    company: '银联商务股份有限公司',
    ends: 180,
    percent: 91,
    cards: 5,
  },
  {
    name: '关爱通弹性福利',
    type: 'api',
    company: '上海中智关爱通科技股份有限公司',
    ends: 300,
    percent: 92,
    cards: 5,
  },
  {
    name: '哔哩哔哩会员购',
    type: 'api',
    company: '上海宽娱数码科技有限公司',
    ends: 60,
    percent: 94,
    cards: 4,
  },
]
const PAID_AHEAD = 80_000_00
/** Days since the first money came in. */
const STEP = 150
const waiting: readonly { at: number; kind: RequestKind; amount_cents: number; reason: string }[] =
  [
    { at: 1, kind: 'recharge', amount_cents: 50_000_00, reason: '' },
    { at: 4, kind: 'adjust', amount_cents: -1_200_00, reason: '上月多记一笔手续费退款' },
    { at: 6, kind: 'credit', amount_cents: 120_000_00, reason: '年终采购旺季，提高授信' },
  ]
const proof = (at: number) => `demo/share-${(at % 6) + 1}.webp`
const codeOf = (at: number): string => {
  const first = `9131000${at % 10}MA1FL${String(1000 + at * 37).slice(0, 4)}`
  return first + creditCheckSign(first)
}

const channelOf = (one: Told, at: number, now: number): New => {
  const state = one.state ?? 'on'
  const isDraft = state === 'draft'
  return {
    name: one.name,
    type: one.type,
    company: one.company,
    tax_no: one.company === '' ? '' : codeOf(at),
    contact: isDraft ? '' : '王经理陈主任李会计赵老师'.slice((at % 4) * 3, (at % 4) * 3 + 3),
    phone: isDraft ? '' : `1380000${String(1000 + at)}`,
    email: isDraft ? '' : `buyer${at}@mallet.example`,
    contract: isDraft || one.type === 'own' ? '' : proof(at),
    start_at: isDraft ? null : now + Math.min(-STEP - 10, one.ends - 365) * DAY,
    end_at: isDraft ? null : now + one.ends * DAY,
    settle_type: one.credit ? 'monthly' : 'prepaid',
    credit_cents: one.credit ?? 0,
    ip_list: one.type === 'api' ? [`203.0.113.${at}`, `198.51.100.${at}/32`] : [],
    receivers: isDraft ? [] : [`finance${at}@mallet.example`],
    status: state,
    created_at: now - (200 - at) * DAY,
    ...one.more,
  }
}
type Face = { id: number; price_cents: number; source: string }
/** Faces on sale that have codes; those that are made here come first. */
const facesOf = async (db: Db): Promise<Face[]> => {
  const rows = await db
    .select({ id: ecard_attr.id, price_cents: ecard_attr.price_cents, source: ecard.source })
    .from(ecard_attr)
    .innerJoin(ecard, eq(ecard.id, ecard_attr.card_id))
    .where(and(eq(ecard.state, 'on'), eq(ecard_attr.status, 'on'), ne(ecard.source, 'api')))
    .orderBy(asc(ecard_attr.id))
  return rows.sort((a, b) => Number(a.source !== 'generate') - Number(b.source !== 'generate'))
}
type By = { maker: number; second: number; now: number; sealer: Sealer | undefined }
/** The payments and issues of a channel over the last months, the oldest first. */
const trade = async (
  db: Db,
  id: number,
  of: { one: Told; at: number; faces: readonly Face[] } & By,
) => {
  const { one, at, faces, maker, second, now, sealer } = of
  if (!one.owes)
    await moveBalance(db, {
      channel_id: id,
      type: 'recharge',
      amount_cents: PAID_AHEAD,
      ref: { type: 'request', id: 900_000 + id },
      now: now - STEP * DAY,
      proof: proof(at),
      admin_id: maker,
      second_by: second,
    })
  // Cards that can't be made without a key of the codes are not issued.
  if (!sealer) return
  for (let turn = 0; turn < 3; turn++) {
    const face = faces[turn % faces.length]!
    const cost = unitCost(face.price_cents, one.percent * 100)
    await issueToChannel(db, sealer, {
      channel_id: id,
      attr_id: face.id,
      n: Math.max(1, Math.min(12 + at, Math.floor(9_000_00 / cost))),
      out_no: one.type === 'api' ? `P${at}-${20_260_000 + turn}` : '',
      made_by: one.type === 'api' ? null : maker,
      now: now - (90 - turn * 30) * DAY,
    })
  }
}
const keyed = (sealer: Sealer, at: number) => {
  const app_key = `ecdemo${String(at).padStart(4, '0')}`
  return { app_key, secret_enc: sealer.seal(randomBytes(32).toString('base64url'), app_key) }
}
/** 15 channels with what they may have, their money, and requests that wait for a second person. */
const seedChannels = async (db: Db, _: Random, { now, people, codeKeys }: World): Promise<void> => {
  const staff = people.filter(one => one.status === 'active')
  const by: By = {
    maker: staff.at(-1)!.id,
    second: staff[0]!.id,
    now,
    sealer: codeKeys ? await sealerOf(openKeyFile(codeKeys), db) : undefined,
  }
  const faces = await facesOf(db)
  for (const [at, one] of told.entries()) {
    const given = channelOf(one, at, now)
    const [row] = await db
      .insert(ecard_channel)
      .values({
        ...given,
        // It was open while it traded.
        status: one.state === 'draft' ? 'draft' : 'on',
        ...(one.type === 'api' && by.sealer && keyed(by.sealer, at)),
      })
      .returning()
    const own = Array.from({ length: one.cards }, (__, nth) => faces[(at + nth) % faces.length]!)
    await db.insert(ecard_channel_card).values(
      own.map((face, nth) => ({
        channel_id: row!.id,
        attr_id: face.id,
        discount_bp: Math.min(10_000, one.percent * 100 + nth * 50),
        quota_n: 500 * (nth + 1),
        created_at: row!.created_at,
      })),
    )
    if (one.state === 'draft') continue
    const trading = own.filter(face => face.source === 'generate')
    if (trading.length > 0) await trade(db, row!.id, { one, at, faces: trading, ...by })
    await db
      .update(ecard_channel)
      .set({ status: given.status! })
      .where(eq(ecard_channel.id, row!.id))
    const asked = waiting.find(each => each.at === at)
    if (asked)
      await db.insert(ecard_channel_request).values({
        channel_id: row!.id,
        kind: asked.kind,
        amount_cents: asked.amount_cents,
        reason: asked.reason,
        proof: asked.kind === 'recharge' ? proof(at) : '',
        made_by: by.maker,
        created_at: now - DAY / 2,
      })
  }
}

export const demo: readonly DemoStep[] = [
  { place: 97, branch: 'ecard-channels', run: seedChannels },
]
