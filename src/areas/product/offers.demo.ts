import type { SubmissionFacts } from '#src/areas/audit/auditFindings.ts'
import type { Seller, Trade } from '#src/areas/merchant/trade.demo.ts'
import type { ProductBody } from '#src/contract/product.ts'
import { DAY, dateOf, dayStart } from '#src/domain/time.ts'
import { blurredPictures, picturesOf, smallPictures } from '#src/server/demo/pictures.ts'
import type { Random } from '#src/server/demo/random.ts'
import { goods, trades } from '#src/server/demo/words.ts'

export type Fault =
  | 'banned_words'
  | 'too_cheap'
  | 'blurred'
  | 'small'
  | 'price_not_below_list'
  | 'settle_above_price'
  | 'commission'
  | 'stock_empty'
  | 'price_rise'
  | 'redeem_end'
const yuanPrice = (random: Random, [low, high]: readonly [number, number]) =>
  random.int(low, high) * 100 - random.pick([0, 10, 100, 1])

/** What of a seller, and of the trade around it, a submission is made of. */
export type Offering = {
  seller: Pick<Seller, 'id' | 'trade' | 'online'> & {
    stores: readonly Pick<Seller['stores'][number], 'id' | 'name' | 'status'>[]
  }
  trade: Pick<Trade, 'categoryOf' | 'eCategoryOf' | 'freightOf' | 'returnOf' | 'brands'>
}
const voucherPrice = (random: Random, face: number, fault: Fault | undefined): number => {
  if (fault === 'price_not_below_list') return face
  return fault === 'too_cheap'
    ? Math.round(face * 0.2)
    : Math.round((face * random.int(70, 95)) / 100)
}
const pictureFault = (image: string): 'blurred' | 'small' | undefined => {
  if (blurredPictures.includes(image)) return 'blurred'
  return smallPictures.includes(image) ? 'small' : undefined
}
type Wanted = Offering & {
  kind: ProductBody['kind']
  at: number
  fault?: Fault | undefined
  onlyOpen?: boolean
  prepaid?: boolean
}
/** All kinds begin with this and go on from it. */
type Drawn = {
  of: Wanted
  leaf: (typeof goods)[number] | (typeof trades)[number]
  label: string
  item: string
  commission: number
  base: ProductBody
}
const offeredPrice = (random: Random, list: number, fault: Fault | undefined): number => {
  const usual = Math.max(100, Math.round((list * random.int(55, 88)) / 100 / 10) * 10)
  if (fault === 'too_cheap') return Math.max(1, Math.round((list * random.int(8, 22)) / 100))
  return fault === 'price_not_below_list' ? list + random.pick([0, 100, 2000]) : usual
}
const commissionOf = (
  random: Random,
  [low, high]: readonly [number, number],
  fault: Fault | undefined,
): number =>
  fault === 'commission' ? high + random.int(1, 15) * 100 : random.int(low / 50, high / 50) * 50
/** The merchant gets the price less the commission; a fault makes it `over` more than the price. */
const settledOf = (
  price: number,
  { commission, fault }: { commission: number; fault: Fault | undefined },
  over: number,
): number =>
  fault === 'settle_above_price' ? price + over : price - Math.round((price * commission) / 10_000)
const imagesOf = (random: Random, { seller, kind, fault }: Wanted): string[] => {
  const shown = random.shuffle(picturesOf(seller.trade, kind === 'elist' || seller.online))
  const images = shown.slice(0, random.int(2, shown.length))
  if (fault === 'blurred') images[random.int(0, images.length - 1)] = random.pick(blurredPictures)
  if (fault === 'small') images[random.int(0, images.length - 1)] = random.pick(smallPictures)
  return images
}
const titleOf = (random: Random, named: string, fault: Fault | undefined): string =>
  fault === 'banned_words'
    ? `【${random.pick(['全网最低', '最高级', '第一品牌'])}】${named}`
    : `${random.pick(['', '', '【周末通用】', '【新店尝鲜】', '【节假日可用】'])}${named}`
const drawn = (random: Random, of: Wanted): Drawn => {
  const { kind, seller, trade, fault } = of
  const leaf = seller.online ? goods[seller.trade]! : trades[seller.trade]!
  const stores = seller.stores.filter(store => !of.onlyOpen || store.status === 'open')
  const chosen = random
    .shuffle(stores)
    .slice(0, random.chance(0.7) ? 1 : random.int(1, Math.min(8, stores.length)))
  const list = Math.max(900, yuanPrice(random, leaf.price))
  const price = offeredPrice(random, list, fault)
  const commission = commissionOf(random, leaf.commission, fault)
  const over = fault === 'settle_above_price' ? random.int(1, 20) * 100 : 0
  const settle = settledOf(price, { commission, fault }, over)
  const saleStart = dayStart(of.at) + random.int(0, 5) * DAY
  const saleEnd = saleStart + random.int(40, 150) * DAY - 1
  const images = imagesOf(random, of)
  const item = random.pick(leaf.items)
  const label = chosen[0]?.name.split('（')[0] ?? leaf.brands[0]!
  const title = titleOf(random, `${label}${item}`, fault)
  const base: ProductBody = {
    kind,
    title: title.slice(0, 118),
    category_id:
      kind === 'elist'
        ? trade.eCategoryOf[seller.trade]!
        : trade.categoryOf[seller.online ? 0 : seller.trade]!,
    store_ids: chosen.map(store => store.id).sort((a, b) => a - b),
    images,
    tags: random
      .shuffle(['免预约', '过期退', '随时退', '节假日通用', '可外带', '包间可用', '宝宝椅', '新品'])
      .slice(0, random.int(1, 4)),
    list_price_cents: list,
    price_cents: price,
    settle_price_cents: settle,
    commission_bp: commission,
    stock: fault === 'stock_empty' ? 0 : random.pick([100, 200, 300, 500, 800, 1000, 2000]),
    sale_start_at: saleStart,
    sale_end_at: saleEnd,
    check_start_at: saleStart,
    check_end_at: saleEnd + (fault === 'redeem_end' ? -10 * DAY : random.int(15, 90) * DAY),
    refund_policy: random.weighted({ anytime: 7, before_expiry: 2, none: 1 }),
    limit_per_member: random.pick([0, 2, 5, 10]),
    buy_notes: `有效期内使用，${random.pick(['无需预约，高峰期可能等位', '请提前一天电话预约', '每桌限用一张，不与其他优惠同享'])}；${random.pick(['节假日通用', '法定节假日不可用', '周末每位加收 10 元服务费'])}。`,
    use_time: random.pick(['10:00-21:30', '11:00-14:00, 17:00-21:00', '全天']),
  }
  return { of, leaf, label, item, commission, base }
}
const groupBuy = (random: Random, { of, leaf, base }: Drawn): ProductBody => {
  const dishes = of.seller.online ? ['单品'] : (leaf as (typeof trades)[number]).dishes
  const from = base.sale_start_at
  return {
    ...base,
    need_booking: random.chance(0.3),
    package: random
      .shuffle(dishes)
      .slice(0, random.int(2, 5))
      .map(name => ({ name, qty: random.int(1, 3), price_cents: random.int(6, 90) * 100 })),
    ...(random.chance(0.25)
      ? { unavailable_dates: [dateOf(from + 30 * DAY), dateOf(from + 31 * DAY)] }
      : {}),
  }
}
const card = (random: Random, { of, label, commission, base }: Drawn): ProductBody => {
  const { fault } = of
  const times = of.prepaid ? random.int(30, 60) : random.pick([3, 5, 8, 10, 12])
  const single = of.prepaid
    ? random.int(188, 398) * 100
    : Math.min(base.list_price_cents, Math.floor(480_000 / times / 100) * 100)
  const total =
    fault === 'price_not_below_list'
      ? times * single + 5000
      : Math.round((times * single * random.int(62, 88)) / 10_000) * 100
  return {
    ...base,
    title: `${label}${random.pick(['次卡', '畅享卡', '护理卡'])}${times}次`.slice(0, 118),
    times_total: times,
    single_price_cents: single,
    list_price_cents: times * single,
    price_cents: total,
    settle_price_cents: settledOf(total, { commission, fault }, 900),
    valid_days: random.pick([90, 180, 365]),
    valid_from: random.pick(['purchase', 'first_use']),
    transferable: random.chance(0.6),
  }
}
const voucher = (random: Random, { of, label, commission, base }: Drawn): ProductBody => {
  const { fault } = of
  const face = random.pick([50, 100, 100, 200, 300, 500]) * 100
  const paid = voucherPrice(random, face, fault)
  const from = base.sale_start_at
  return {
    ...base,
    title: `${label}${face / 100}元代金券`.slice(0, 118),
    face_cents: face,
    price_cents: paid,
    list_price_cents: face,
    settle_price_cents: settledOf(paid, { commission, fault }, 500),
    min_spend_cents: random.pick([0, face, face * 2]),
    per_bill_limit: random.pick([1, 2, 3, 5]),
    combinable: random.chance(0.3),
    exclude_weekdays: random.chance(0.3) ? [6, 7] : [],
    invoice_by: random.pick(['merchant', 'platform']),
    unavailable_dates: random.chance(0.4) ? [dateOf(from + 20 * DAY), dateOf(from + 21 * DAY)] : [],
  }
}
/** Only goods that are sent have freight, an address to go back to, and an authorised brand. */
const sent = (random: Random, { seller, trade, at }: Wanted): Partial<ProductBody> => {
  const authorised = () =>
    trade.brands.find(
      brand =>
        brand.category_id === trade.eCategoryOf[seller.trade] &&
        brand.auth_category_ids &&
        (brand.auth_end_at ?? 0) > at,
    )
  return {
    freight_template_id: trade.freightOf.get(seller.id)!,
    return_address_id: trade.returnOf.get(seller.id)!,
    ...(random.chance(0.6) ? { brand_id: authorised()?.id } : {}),
  }
}
const withSkus = (random: Random, { of, leaf, label, item, commission, base }: Drawn) => {
  const { seller, fault } = of
  const specs = seller.online
    ? (leaf as (typeof goods)[number]).specs
    : (['小份', '中份', '大份', '礼盒装'] as const)
  const skus = Array.from({ length: random.int(2, 8) }, (_, k) => ({
    code: `SKU${seller.id}-${k + 1}`,
    name: `${specs[k % specs.length]}${k >= specs.length ? ` ${['A', 'B', 'C'][Math.floor(k / specs.length) % 3]}` : ''}`,
    price_cents: Math.max(100, Math.round((base.price_cents * (80 + k * 15)) / 100)),
    stock: fault === 'stock_empty' ? 0 : random.int(5, 400),
  }))
  const lowest = Math.min(...skus.map(sku => sku.price_cents))
  return {
    ...base,
    title: `${label}${item}`.slice(0, 118),
    skus,
    price_cents: lowest,
    list_price_cents:
      fault === 'price_not_below_list'
        ? lowest - 50
        : Math.max(base.list_price_cents, lowest + 100),
    settle_price_cents: settledOf(lowest, { commission, fault }, 300),
    stock: skus.reduce((sum, sku) => sum + sku.stock, 0),
    ...(of.kind === 'elist' ? sent(random, of) : {}),
  }
}
const bodyOf: Record<ProductBody['kind'], (random: Random, of: Drawn) => ProductBody> = {
  bulks: groupBuy,
  card,
  voucher,
  goods: withSkus,
  elist: withSkus,
}
/**
 * A believable submission of a kind by a seller at a time; with a `fault` it breaks just that rule.
 */
export const makeBody = (random: Random, of: Wanted): ProductBody =>
  bodyOf[of.kind](random, drawn(random, of))

/** How much of the old price a new one is, in per cent; a fault leaves it, or makes it rise. */
const priceScale = (random: Random, fault: Fault | undefined): number => {
  if (fault === 'price_rise') return random.int(135, 170)
  return fault ? 100 : random.pick([90, 95, 100, 105, 110])
}
/** The next version of an offer: what merchants usually change. */
export const editBody = (
  random: Random,
  body: ProductBody,
  at: number,
  fault?: Fault,
): ProductBody => {
  const next: ProductBody = { ...body }
  const scale = priceScale(random, fault)
  const price = Math.max(100, Math.round((body.price_cents * scale) / 1000) * 10)
  const ceiling =
    body.kind === 'voucher' ? (body.face_cents ?? 0) - 100 : body.list_price_cents - 100
  next.price_cents = fault === 'price_rise' ? price : Math.max(100, Math.min(price, ceiling))
  if (body.group_price_cents !== undefined)
    next.group_price_cents = Math.round(next.price_cents * 0.85)
  if (fault === 'price_rise') next.list_price_cents = Math.max(body.list_price_cents, price + 2000)
  if (fault === 'price_rise' && body.face_cents)
    next.face_cents = Math.max(body.face_cents, price + 2000)
  if (body.skus) {
    next.skus = body.skus.map(sku => ({
      ...sku,
      price_cents: Math.max(100, Math.round((sku.price_cents * scale) / 100)),
      stock: sku.stock + random.pick([0, 20, 50]),
    }))
    next.price_cents = Math.min(...next.skus.map(sku => sku.price_cents))
    next.stock = next.skus.reduce((sum, sku) => sum + sku.stock, 0)
    next.list_price_cents = Math.max(body.list_price_cents, next.price_cents + 100)
  } else next.stock = Math.max(1, body.stock + random.pick([0, 100, 200]))
  next.settle_price_cents =
    next.price_cents - Math.round((next.price_cents * next.commission_bp) / 10_000)
  if (random.chance(0.5)) next.images = random.shuffle(body.images)
  if (random.chance(0.35))
    next.buy_notes =
      `${body.buy_notes ?? ''} ${random.pick(['12 月起周末需预约。', '新增外带，请自备餐盒。', '门店停车两小时免费。'])}`.slice(
        0,
        1900,
      )
  if (random.chance(0.3))
    next.title =
      `${body.title.replace(/(?:（升级版）|·加量不加价|（冬季限定）)$/, '')}${random.pick(['（升级版）', '·加量不加价', '（冬季限定）'])}`.slice(
        0,
        118,
      )
  const left = next.sale_end_at - at
  if (left < 30 * DAY) {
    next.sale_end_at = dayStart(at) + random.int(60, 120) * DAY - 1
    next.check_end_at = next.sale_end_at + random.int(20, 60) * DAY
  }
  if (JSON.stringify(next) === JSON.stringify(body)) next.stock += 100
  return next
}

/**
 * The facts that the rules ask for, from what was just made; the server's own reading of them is
 * `factsOf`.
 */
export const factsHere = (
  trade: Trade,
  seller: Seller,
  body: ProductBody,
  cashOut: ReadonlySet<number>,
): SubmissionFacts => {
  const leaf =
    body.kind === 'elist'
      ? goods[trade.eCategoryOf.indexOf(body.category_id)]!
      : trades[trade.categoryOf.indexOf(body.category_id)]!
  const brand = body.brand_id === undefined ? undefined : trade.brands[body.brand_id - 1]
  return {
    merchant: {
      status: seller.status,
      license_expire_at: seller.license_expire_at ?? null,
      contract_end_at: seller.contract_end_at ?? null,
      qualifications: seller.licenses,
    },
    stores: seller.stores
      .filter(store => body.store_ids.includes(store.id))
      .map(store => {
        const mall = store.mall_id ? trade.malls[store.mall_id - 1]! : undefined
        return {
          id: store.id,
          name: store.name,
          own: true,
          status: store.status,
          mall_name: mall?.name ?? '',
          mall_status: mall?.status ?? null,
        }
      }),
    category: {
      name: leaf.name,
      on: true,
      commission_min_bp: leaf.commission[0],
      commission_max_bp: leaf.commission[1],
      floor_bp: leaf.floor,
      need_licenses: leaf.licences,
    },
    brand: brand
      ? {
          name: brand.name,
          on: brand.state === 'on',
          auth_end_at: brand.auth_end_at ?? null,
          auth_category_ids: brand.auth_category_ids ?? null,
        }
      : null,
    freight_ok: body.freight_template_id !== undefined,
    return_ok: body.return_address_id !== undefined,
    duplicate: null,
    same_face: [],
    cash_out_hits: body.store_ids.filter(id => cashOut.has(id)).length,
    image_faults: Object.fromEntries(
      body.images.flatMap(image => {
        const fault = pictureFault(image)
        return fault ? [[image, fault]] : []
      }),
    ),
    sold_left: 0,
  }
}
