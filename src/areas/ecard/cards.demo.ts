import { eq } from 'drizzle-orm'
import { DAY } from '#src/domain/time.ts'
import type { Db } from '#src/server/call/implement.ts'
import { insertRows } from '#src/server/demo/insert.ts'
import type { Random } from '#src/server/demo/random.ts'
import type { DemoStep, World } from '#src/server/demo/step.ts'
import { UNNAMED_DAYS } from './card.ts'
import { ecard, ecard_attr } from './ecard.table.ts'
import type { CardState, CardType, CodeSource } from './ecard.ts'
import type { Supplier } from './suppliers.ts'

type New = typeof ecard.$inferInsert
type Face = typeof ecard_attr.$inferInsert
/** A card as the demo tells of it; faces in yuan. */
type Told = readonly [
  name: string,
  type: CardType,
  state: CardState,
  faces: readonly number[],
  more?: Partial<New>,
]
const of = (source: CodeSource, supplier: Supplier | '' = ''): Partial<New> => ({
  source,
  supplier,
})
const fixed = { valid_type: 'fixed' as const }
const none = { valid_type: 'none' as const, valid_days: null }
const told: readonly Told[] = [
  ['美食通用储值卡', 'stored', 'on', [100, 200, 500, 1000], { recommended: true }],
  ['商场礼品卡', 'stored', 'on', [100, 300, 500, 800, 1000], { recommended: true }],
  ['记名商务卡', 'stored', 'on', [500, 1000, 2000, 3000, 5000], { named: true, ...none }],
  [
    '中秋团圆家宴限定典藏版·企业员工福利专享储值礼品卡（全国通用）',
    'stored',
    'on',
    [200, 500, 1000],
    none,
  ],
  [
    '自选面值礼金卡',
    'stored',
    'on',
    [100, 200],
    { custom_min_cents: 50_00, custom_max_cents: 1000_00, custom_step_cents: 50_00 },
  ],
  ['亲子乐园储值卡', 'stored', 'off', [200, 500, 800], { off_reason: '合作续签中，暂停售卖' }],
  ['记名员工关怀卡', 'stored', 'draft', [500, 1000, 2000, 5000], { named: true, ...none }],
  ['新春红包卡', 'stored', 'draft', [66, 88, 168, 666, 888], none],
  ['下午茶双人兑换卡', 'exchange', 'on', [128, 168, 198, 258]],
  ['蟹券提货卡', 'exchange', 'on', [388, 588, 888, 1288], fixed],
  [
    '粽意端午礼盒兑换卡',
    'exchange',
    'off',
    [168, 268, 368],
    { ...fixed, off_reason: '活动已结束' },
  ],
  ['洗车服务次卡', 'exchange', 'on', [99, 199, 299, 499], { refund_rule: 'none' }],
  ['鲜花月度订阅兑换卡', 'exchange', 'draft', [159, 299, 459]],
  ['视频会员月卡', 'secret', 'on', [25, 68, 128, 238], of('import', 'fulu')],
  ['音乐会员年卡', 'secret', 'on', [15, 45, 88, 168], of('import', 'fulu')],
  ['外卖红包卡', 'secret', 'on', [10, 20, 30, 50], of('import', 'yika')],
  ['咖啡电子券', 'secret', 'on', [19, 29, 39], of('import', 'yika')],
  [
    '网盘超级会员卡',
    'secret',
    'off',
    [30, 90, 298],
    { ...of('import', 'fulu'), off_reason: '供应商更换卡密格式' },
  ],
  ['打车出行卡', 'secret', 'draft', [20, 50, 100], of('import', 'yika')],
  ['话费直充', 'topup', 'on', [30, 50, 100, 200, 300], of('api', 'hengtong')],
  ['流量直充', 'topup', 'on', [10, 20, 30, 50], of('api', 'hengtong')],
  ['加油卡直充', 'topup', 'on', [100, 200, 500, 1000], of('api', 'hengtong')],
  [
    '游戏点券直充',
    'topup',
    'off',
    [30, 100, 300],
    { ...of('api', 'fulu'), off_reason: '接口维护' },
  ],
  ['生活缴费直充', 'topup', 'draft', [50, 100, 200], of('api', 'hengtong')],
]
/** The card that is low on stock, and the one whose largest face is sold below its cost. */
const LOW = '咖啡电子券'
const LOSING = '视频会员月卡'
/** The loss on this one's largest face waits for another person. */
const WAITING = '打车出行卡'
const notice = '本卡可在适用门店分次使用，余额不兑换现金；请妥善保管卡密，遗失不补。'
const agreement =
  '购卡人已阅读并同意《电子卡购买协议》：储值卡资金仅用于在适用范围内消费，退款原路退回。'
const greetings = ['生日快乐，天天开心！', '节日快乐，阖家幸福！', '感谢一路同行！']

const cardOf = ([name, type, state, , more = {}]: Told, at: number, { now, trade }: World): New => {
  const sellers = trade.sellers.filter(
    seller =>
      seller.status === 'active' && seller.stores.some(one => one.status === 'open' && one.mall_id),
  )
  const seller = sellers[(at * 5) % sellers.length]!
  const issuer = seller.stores.find(one => one.status === 'open' && one.mall_id)!
  const made = now - (90 - at) * DAY
  return {
    name,
    type,
    named: false,
    merchant_id: seller.id,
    store_id: issuer.id,
    city_id: issuer.city_id,
    mall_id: issuer.mall_id ?? 0,
    cover: `demo/goods-${(at % 14) + 1}.webp`,
    arts: [0, 1].map(nth => `demo/share-${((at + nth) % 6) + 1}.webp`),
    supplier: '',
    source: 'generate',
    custom_min_cents: null,
    custom_max_cents: null,
    custom_step_cents: null,
    valid_type: 'days',
    valid_until: more.valid_type === 'fixed' ? now + 200 * DAY : null,
    valid_days: more.valid_type === 'fixed' ? null : UNNAMED_DAYS,
    scope:
      at % 3 === 0
        ? { mall_ids: [issuer.mall_id ?? 0], store_ids: [], category_ids: [] }
        : {
            mall_ids: [],
            store_ids: seller.stores.map(one => one.id),
            category_ids: at % 3 === 1 ? [trade.categoryOf[0]!] : [],
          },
    gift: type === 'stored' || type === 'exchange',
    greetings: type === 'stored' ? greetings : greetings.slice(0, 1),
    limits: { order: 10, day: 20, person: 100 },
    refund_rule: type === 'topup' ? 'none' : 'unused',
    bonus: false,
    notice,
    agreement: state === 'draft' ? '' : agreement,
    state,
    off_reason: null,
    stock_alert: type === 'secret' ? 20 : 0,
    sort: at + 1,
    recommended: false,
    created_at: made,
    updated_at: made,
    ...more,
  }
}
const facesOf = (
  card: typeof ecard.$inferSelect,
  yuan: readonly number[],
  by: { random: Random; approver: number; asker: number },
): Face[] =>
  yuan.map((face, at): Face => {
    const face_cents = face * 100
    const isLast = at === yuan.length - 1
    const isLosing = card.name === LOSING && isLast
    const isWaiting = card.name === WAITING && isLast
    const isLoss = isLosing || isWaiting
    const isDear = card.type === 'stored'
    const price_cents = isDear ? face_cents : Math.round(face_cents * 0.95)
    return {
      card_id: card.id,
      face_cents,
      price_cents,
      bonus_cents: isDear && !card.named && face >= 200 && face <= 500 ? face * 5 : 0,
      cost_cents: isLoss
        ? price_cents + 500
        : Math.round(price_cents * (0.8 + by.random.int(0, 12) / 100)),
      limit_n: at === 0 ? null : 20,
      stock_alert: card.name === LOW ? 500 : card.stock_alert,
      // The last face of every third card is kept back.
      status: isWaiting || (card.id % 3 === 0 && isLast && !isLosing) ? 'off' : 'on',
      sort: at + 1,
      loss_asked_by: isLoss ? by.asker : null,
      loss_by: isLosing ? by.approver : null,
      loss_reason: isLoss ? '拉新活动，市场部承担差额' : null,
      created_at: card.created_at,
      updated_at: card.updated_at,
    }
  })

/** 24 cards and their faces; whoever makes codes raises the counts of a face. */
const seedCards = async (db: Db, random: Random, world: World): Promise<void> => {
  await insertRows(
    db,
    ecard,
    told.map((one, at) => cardOf(one, at, world)),
  )
  const cards = await db.select().from(ecard).orderBy(ecard.id)
  const idOf = (role: string) => world.people.find(person => person.role === role)!.id
  const by = { random, approver: idOf('ops_director'), asker: idOf('content') }
  await insertRows(
    db,
    ecard_attr,
    cards.flatMap((card, at) => facesOf(card, told[at]![3], by)),
  )
  // The card that a copy was made of.
  const [from] = cards
  await db.update(ecard).set({ copy_from_id: from!.id }).where(eq(ecard.id, cards[6]!.id))
}

export const demo: readonly DemoStep[] = [{ place: 94, branch: 'e-cards', run: seedCards }]
