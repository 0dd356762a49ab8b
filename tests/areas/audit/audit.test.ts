import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  auditAfter,
  auditCan,
  auditRules,
  auditSettings,
  auditVerbs,
  CLAIM_SECONDS,
  filledReason,
  reasonFault,
  flagsOf,
  holderOf,
  isFinal,
  isPriceDrop,
  rankedCodes,
  refundTrial,
  rejectCodes,
  rejectPhrases,
  ruleText,
  stateAt,
  type AuditFacts,
  type AuditRule,
} from '#src/areas/audit/audit.ts'
import { findings, type SubmissionFacts } from '#src/areas/audit/auditFindings.ts'
import { changedFields, type Offer } from '#src/areas/product/product.ts'
import { say } from '#src/domain/text.ts'

const NOW = 1_790_000_000
const DAY = 86_400
const offer = (of: Partial<Offer> = {}): Offer => ({
  kind: 'bulks',
  title: '双人火锅套餐',
  category_id: 1,
  store_ids: [1],
  images: ['a.webp'],
  tags: [],
  list_price_cents: 20_000,
  price_cents: 12_000,
  settle_price_cents: 11_000,
  commission_bp: 800,
  stock: 10,
  sale_start_at: NOW - DAY,
  sale_end_at: NOW + 30 * DAY,
  check_start_at: NOW - DAY,
  check_end_at: NOW + 60 * DAY,
  refund_policy: 'anytime',
  ...of,
})
const facts = (of: Partial<SubmissionFacts> = {}): SubmissionFacts => ({
  merchant: {
    status: 'active',
    license_expire_at: NOW + 400 * DAY,
    contract_end_at: null,
    qualifications: [{ name: '食品经营许可证', expire_at: NOW + 400 * DAY }],
  },
  stores: [
    { id: 1, name: '一店', own: true, status: 'open', mall_name: '云汇', mall_status: 'online' },
    { id: 2, name: '二店', own: true, status: 'open', mall_name: '', mall_status: null },
  ],
  category: {
    name: '火锅',
    on: true,
    commission_min_bp: 300,
    commission_max_bp: 1200,
    floor_bp: 3500,
    need_licenses: ['食品经营许可证'],
  },
  brand: null,
  freight_ok: true,
  return_ok: true,
  duplicate: null,
  same_face: [],
  cash_out_hits: 0,
  image_faults: {},
  sold_left: 0,
  ...of,
})
const card = (of: Partial<Offer> = {}) =>
  offer({
    kind: 'card',
    times_total: 10,
    single_price_cents: 2000,
    price_cents: 15_000,
    list_price_cents: 20_000,
    settle_price_cents: 14_000,
    valid_days: 180,
    ...of,
  })
const voucher = (of: Partial<Offer> = {}) =>
  offer({
    kind: 'voucher',
    face_cents: 10_000,
    price_cents: 8000,
    list_price_cents: 10_000,
    settle_price_cents: 7500,
    min_spend_cents: 0,
    per_bill_limit: 2,
    ...of,
  })
const elist = (of: Partial<Offer> = {}) =>
  offer({
    kind: 'elist',
    skus: [
      { code: 'a', name: '小', price_cents: 12_000, stock: 3 },
      { code: 'b', name: '大', price_cents: 15_000, stock: 3 },
    ],
    freight_template_id: 1,
    return_address_id: 1,
    ...of,
  })
const rules = (body: Offer, more: Partial<SubmissionFacts> = {}, live: Offer | null = null) =>
  findings(body, live, facts(more), NOW).map(found => found.rule)

describe('the rules', () => {
  it('find nothing in what is right, of every kind', () => {
    for (const right of [offer(), card(), voucher(), elist(), elist({ kind: 'goods' })])
      expect([right.kind, rules(right)]).toEqual([right.kind, []])
  })

  // One case a rule: what breaks it, and nothing but it.
  const cases: Record<AuditRule, () => string[]> = {
    price_zero: () => rules(offer({ price_cents: 0, settle_price_cents: 0 })),
    price_not_below_list: () => rules(offer({ price_cents: 20_000 })),
    price_above_list: () => rules(elist({ price_cents: 20_001 })),
    settle_above_price: () => rules(offer({ settle_price_cents: 12_001 })),
    below_cost: () =>
      rules(elist({ price_cents: 10_999, skus: [] }), {}, elist({ skus: [] })).filter(
        rule => rule !== 'sku_none',
      ),
    deep_cut: () =>
      rules(
        elist({ skus: [{ code: 'a', name: '小', price_cents: 12_000, stock: 3 }] }),
        {},
        elist({ skus: [{ code: 'a', name: '小', price_cents: 24_001, stock: 3 }] }),
      ),
    commission_out_of_range: () => rules(offer({ commission_bp: 1201 })),
    sale_end_before_start: () => rules(offer({ sale_start_at: NOW + 30 * DAY })),
    sale_ended: () => rules(offer({ sale_start_at: NOW - 9 * DAY, sale_end_at: NOW })),
    redeem_end_before_start: () => rules(offer({ check_start_at: NOW + 61 * DAY })),
    redeem_end_before_sale_end: () => rules(offer({ check_end_at: NOW + 30 * DAY })),
    redeem_ended: () =>
      rules(
        offer({
          sale_start_at: NOW - 9 * DAY,
          check_start_at: NOW - 9 * DAY,
          sale_end_at: NOW - 2 * DAY,
          check_end_at: NOW,
        }),
      ),
    stock_empty: () => rules(offer({ stock: 0 })),
    title_empty: () => rules(offer({ title: ' ' })),
    store_none: () => rules(offer({ store_ids: [] })),
    store_foreign: () => rules(offer({ store_ids: [1, 9] })),
    store_closed: () =>
      rules(offer(), {
        stores: [
          { id: 1, name: '一店', own: true, status: 'closed', mall_name: '', mall_status: null },
        ],
      }),
    store_resting: () =>
      rules(offer(), {
        stores: [
          { id: 1, name: '一店', own: true, status: 'resting', mall_name: '', mall_status: null },
        ],
      }),
    mall_closed: () =>
      rules(offer(), {
        stores: [
          {
            id: 1,
            name: '一店',
            own: true,
            status: 'open',
            mall_name: '云汇',
            mall_status: 'closed',
          },
        ],
      }),
    mall_offline: () =>
      rules(offer(), {
        stores: [
          {
            id: 1,
            name: '一店',
            own: true,
            status: 'open',
            mall_name: '云汇',
            mall_status: 'offline',
          },
        ],
      }),
    merchant_inactive: () =>
      rules(offer(), { merchant: { ...facts().merchant!, status: 'frozen' } }),
    contract_ended: () =>
      rules(offer(), { merchant: { ...facts().merchant!, contract_end_at: NOW } }),
    licence_expired: () =>
      rules(offer(), { merchant: { ...facts().merchant!, license_expire_at: NOW } }),
    licence_expiring: () =>
      rules(offer(), { merchant: { ...facts().merchant!, license_expire_at: NOW + 30 * DAY } }),
    category_unknown: () => rules(offer(), { category: { ...facts().category!, on: false } }),
    category_kind: () =>
      rules(offer(), { category: { ...facts().category!, product_kinds: ['card', 'voucher'] } }),
    qualification_missing: () =>
      rules(offer(), { merchant: { ...facts().merchant!, qualifications: [] } }),
    qualification_expired: () =>
      rules(offer(), {
        merchant: {
          ...facts().merchant!,
          qualifications: [{ name: '食品经营许可证', expire_at: NOW }],
        },
      }),
    brand_unknown: () => rules(offer({ brand_id: 4 })),
    brand_expired: () =>
      rules(offer({ brand_id: 4 }), {
        brand: { name: '谷雨', on: true, auth_end_at: NOW, auth_category_ids: [1] },
      }),
    brand_category: () =>
      rules(offer({ brand_id: 4 }), {
        brand: { name: '谷雨', on: true, auth_end_at: null, auth_category_ids: [2] },
      }),
    banned_words: () => rules(offer({ title: '全网最低双人餐' })),
    duplicate: () => rules(offer(), { duplicate: { id: 7, title: '双人火锅套餐' } }),
    too_cheap: () => rules(offer({ price_cents: 6999, settle_price_cents: 1 })),
    price_rise: () => rules(offer({ price_cents: 12_000 }), {}, offer({ price_cents: 9200 })),
    image_missing: () => rules(offer({ images: [] })),
    image_blurred: () => rules(offer(), { image_faults: { 'a.webp': 'blurred' } }),
    image_small: () => rules(offer(), { image_faults: { 'a.webp': 'small' } }),
    card_times: () => rules(card({ times_total: 1000 })),
    card_single_price: () => rules(card({ single_price_cents: 0 })),
    card_price: () => rules(card({ price_cents: 20_001, list_price_cents: 20_001 })),
    card_validity: () => rules(card({ valid_days: 6 })),
    card_prepaid: () => rules(card({ single_price_cents: 50_001 })),
    card_cut_times: () => rules(card({ times_total: 9 }), { sold_left: 1 }, card()),
    card_cut_stores: () => rules(card(), { sold_left: 1 }, card({ store_ids: [1, 2] })),
    card_cut_validity: () => rules(card({ valid_days: 90 }), { sold_left: 1 }, card()),
    voucher_face: () => rules(voucher({ face_cents: 0 })),
    voucher_price: () => rules(voucher({ price_cents: 10_000 })),
    voucher_too_cheap: () => rules(voucher({ price_cents: 3499, settle_price_cents: 1 })),
    voucher_min_spend: () => rules(voucher({ min_spend_cents: 9999 })),
    group_kind: () => rules(voucher({ group_need: 3, group_price_cents: 100 })),
    group_need: () => rules(offer({ group_need: 1, group_price_cents: 100 })),
    group_price: () => rules(offer({ group_need: 3, group_price_cents: 0 })),
    voucher_per_bill: () => rules(voucher({ per_bill_limit: 21 })),
    voucher_redeem_covers: () => rules(voucher({ check_start_at: NOW })),
    voucher_no_day: () => rules(voucher({ exclude_weekdays: [1, 2, 3, 4, 5, 6, 7] })),
    voucher_same_face: () => rules(voucher(), { same_face: ['另一张'] }),
    cash_out_risk: () => rules(voucher(), { cash_out_hits: 2 }),
    sku_none: () => rules(elist({ skus: [] })),
    sku_price: () => rules(elist({ skus: [{ code: 'a', name: '小', price_cents: 0, stock: 1 }] })),
    sku_code: () =>
      rules(
        elist({
          skus: [
            { code: 'a', name: '小', price_cents: 100, stock: 1 },
            { code: 'a', name: '大', price_cents: 200, stock: 1 },
          ],
        }),
      ),
    sku_rise: () =>
      rules(
        elist(),
        {},
        elist({ skus: [{ code: 'b', name: '大', price_cents: 11_000, stock: 3 }] }),
      ),
    freight_missing: () => rules(elist(), { freight_ok: false }),
    return_missing: () => rules(elist(), { return_ok: false }),
  }
  for (const [rule, broken] of Object.entries(cases))
    it(`${rule} is found`, () => expect(broken()).toContain(rule))
  it('have a case each here', () =>
    expect(Object.keys(cases).sort()).toEqual(Object.keys(auditRules).sort()))

  it('stand at their edges as the trade says', () => {
    expect(rules(offer({ price_cents: 19_999 }))).toEqual([])
    expect(rules(offer({ price_cents: 7000, settle_price_cents: 6000 }))).toEqual([])
    expect(rules(offer({ commission_bp: 300 }))).toEqual([])
    expect(rules(offer({ commission_bp: 1200 }))).toEqual([])
    expect(rules(offer({ price_cents: 13_000 }), {}, offer({ price_cents: 10_000 }))).toEqual([])
    expect(
      rules(
        card({
          times_total: 1,
          price_cents: 2000,
          settle_price_cents: 1000,
          list_price_cents: 2000,
        }),
      ),
    ).toEqual([])
    expect(rules(card({ valid_days: 7 }))).toEqual([])
    expect(rules(card({ valid_days: 1095 }))).toEqual([])
    expect(rules(card({ valid_days: 1096 }))).toContain('card_validity')
    expect(
      rules(card({ single_price_cents: 50_000, list_price_cents: 500_000, price_cents: 400_000 })),
    ).toEqual([])
    expect(rules(voucher({ per_bill_limit: 20, min_spend_cents: 10_000 }))).toEqual([])
    expect(rules(voucher({ exclude_weekdays: [1, 2, 3, 4, 5, 6] }))).toEqual([])
    // A resting store of a card is not open; of a group-buy it may rest.
    expect(
      rules(card(), {
        stores: [
          { id: 1, name: '一店', own: true, status: 'resting', mall_name: '', mall_status: null },
        ],
      }),
    ).toContain('store_closed')
    // Cuts only matter while something is sold and unused.
    expect(rules(card({ times_total: 9 }), { sold_left: 0 }, card())).toEqual([])
    expect(
      findings(card({ single_price_cents: 60_000, price_cents: 400_000 }), null, facts(), NOW, {
        ...auditSettings,
        prepaid_limit_cents: 900_000,
      }).map(one => one.rule),
    ).not.toContain('card_prepaid')
  })

  it('fill every sentence in both languages', () => {
    for (const [rule, broken] of Object.entries(cases)) {
      broken()
      const found = findings(
        rule.startsWith('card')
          ? card({ times_total: 0, valid_days: 1 })
          : offer({ price_cents: 30_000, commission_bp: 9999 }),
        null,
        facts(),
        NOW,
      )
      for (const one of found)
        for (const lang of ['zh', 'en'] as const)
          expect(say(ruleText(one.rule), lang, one.values)).not.toMatch(/[{}]/)
      // Nor does it bring along what its sentence does not say: a price that its reader may not
      // see.
      for (const one of found)
        for (const key of Object.keys(one.values ?? {}))
          expect([one.rule, ruleText(one.rule)[0]]).toEqual([
            one.rule,
            expect.stringContaining(`{${key}}`),
          ])
    }
    expect(ruleText('unheard_of')).toEqual(['unheard_of', 'unheard_of'])
    expect(ruleText('constructor')).toEqual(['constructor', 'constructor'])
  })

  const anyOffer = fc.record({
    kind: fc.constantFrom('bulks', 'card', 'voucher', 'goods', 'elist'),
    title: fc.string(),
    category_id: fc.integer(),
    store_ids: fc.array(fc.integer()),
    images: fc.array(fc.string()),
    tags: fc.array(fc.string()),
    list_price_cents: fc.integer(),
    price_cents: fc.integer(),
    settle_price_cents: fc.integer(),
    commission_bp: fc.integer(),
    stock: fc.integer(),
    sale_start_at: fc.integer(),
    sale_end_at: fc.integer(),
    check_start_at: fc.integer({ min: 0, max: 4_102_444_800 }),
    check_end_at: fc.integer({ min: 0, max: 4_102_444_800 }),
    refund_policy: fc.constant('anytime'),
    valid_days: fc.option(fc.integer(), { nil: undefined }),
    times_total: fc.option(fc.integer(), { nil: undefined }),
    single_price_cents: fc.option(fc.integer(), { nil: undefined }),
    face_cents: fc.option(fc.integer(), { nil: undefined }),
    min_spend_cents: fc.option(fc.integer(), { nil: undefined }),
    exclude_weekdays: fc.option(fc.array(fc.integer()), { nil: undefined }),
    unavailable_dates: fc.option(fc.array(fc.string()), { nil: undefined }),
    brand_id: fc.option(fc.integer(), { nil: undefined }),
    skus: fc.option(
      fc.array(
        fc.record({
          code: fc.string(),
          name: fc.string(),
          price_cents: fc.integer(),
          stock: fc.integer(),
        }),
      ),
      { nil: undefined },
    ),
  }) as fc.Arbitrary<Offer>
  it('never throw, whatever the body, and put what forbids first', () => {
    fc.assert(
      fc.property(anyOffer, fc.option(anyOffer), fc.nat(), (body, live, sold_left) => {
        const found = findings(
          body,
          live,
          facts({
            sold_left,
            merchant: null,
            category: null,
            image_faults: JSON.parse('{"__proto__":"blurred"}'),
          }),
          NOW,
        )
        const rank = found.map(one => ['block', 'second', 'flag', 'warn'].indexOf(one.level))
        expect(rank).toEqual([...rank].sort())
        expect(found.length).toBeGreaterThan(0)
        for (const one of found) expect(auditRules[one.rule][0]).toBe(one.level)
      }),
      { numRuns: 300 },
    )
  })
  it('that only tell flag nothing', () => {
    expect(flagsOf(findings(voucher(), null, facts({ same_face: ['x'] }), NOW))).toEqual([])
    expect(flagsOf(findings(offer({ stock: 0, title: '最佳套餐' }), null, facts(), NOW))).toEqual([
      'stock_empty',
      'banned_words',
    ])
  })
})

describe('a price drop', () => {
  const drop = (live: Offer, next: Offer) => isPriceDrop(live, next, changedFields(live, next))
  it('is a lower price and nothing else', () => {
    expect(drop(offer(), offer({ price_cents: 11_000 }))).toBe(true)
    expect(drop(offer(), offer({ price_cents: 13_000 }))).toBe(false)
    expect(drop(offer(), offer({ price_cents: 11_000, stock: 9 }))).toBe(false)
    expect(drop(offer(), offer())).toBe(false)
    expect(isPriceDrop(null, offer(), [])).toBe(false)
    const skus = elist().skus!
    expect(
      drop(
        elist(),
        elist({ price_cents: 11_000, skus: [{ ...skus[0]!, price_cents: 11_000 }, skus[1]!] }),
      ),
    ).toBe(true)
    expect(
      drop(
        elist(),
        elist({
          price_cents: 11_000,
          skus: [
            { ...skus[0]!, price_cents: 11_000 },
            { ...skus[1]!, price_cents: 99_000 },
          ],
        }),
      ),
    ).toBe(false)
    expect(drop(elist(), elist({ price_cents: 11_000, skus: [skus[0]!] }))).toBe(false)
    expect(
      drop(elist(), elist({ price_cents: 11_000, skus: [skus[0]!, { ...skus[1]!, code: 'c' }] })),
    ).toBe(false)
  })
})

describe('a refund trial', () => {
  it('sums back to the price after any number of uses, by shares that differ by a cent at most', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.integer({ min: 1, max: 999 }),
        (price, times) => {
          const rows = refundTrial(price, times)
          expect(rows).toHaveLength(times + 1)
          for (const row of rows) expect(row.kept_cents + row.refund_cents).toBe(price)
          expect(rows[0]).toEqual({ used: 0, kept_cents: 0, refund_cents: price })
          expect(rows[times]).toEqual({ used: times, kept_cents: price, refund_cents: 0 })
          const steps = rows.slice(1).map((row, at) => row.kept_cents - rows[at]!.kept_cents)
          expect(Math.max(...steps) - Math.min(...steps)).toBeLessThanOrEqual(1)
        },
      ),
      { numRuns: 100 },
    )
  })
})

describe('histories of a task', () => {
  const step = fc.record({
    verb: fc.constantFrom(...auditVerbs),
    by: fc.integer({ min: 1, max: 4 }),
    wait: fc.oneof(fc.nat(30), fc.integer({ min: CLAIM_SECONDS - 5, max: CLAIM_SECONDS + 60 })),
    second: fc.boolean(),
  })
  it('end once, by another than who submitted, and with two different people where two were asked for', () => {
    fc.assert(
      fc.property(
        fc.array(step, { maxLength: 60 }),
        fc.option(fc.integer({ min: 1, max: 4 })),
        (steps, submitted_by) => {
          let task: AuditFacts = { state: 'pending', submitted_by }
          let now = NOW
          let winner: number | null = null
          for (const { verb, by, wait, second } of steps) {
            now += wait
            const holder = holderOf(task, now)
            if (auditCan(verb, task, by, now) !== true) continue
            expect(isFinal(task.state)).toBe(false)
            if (verb !== 'withdraw' && verb !== 'resubmit' && holder !== null)
              expect(holder).toBe(by)
            const before = task
            task = auditAfter(verb, task, { staff: { id: by }, now, second })
            if (['approve', 'approveWithEdit', 'reject'].includes(verb)) {
              expect(by).not.toBe(submitted_by)
              if (stateAt(before, now) === 'second_audit') expect(by).not.toBe(before.first_by)
              if (isFinal(task.state)) {
                expect(winner).toBeNull()
                winner = by
              }
            }
            if (task.state === 'claimed') expect(holderOf(task, now)).not.toBeNull()
            if (isFinal(task.state)) expect(holderOf(task, now)).toBeNull()
          }
          if (winner !== null)
            for (const verb of auditVerbs)
              for (const by of [1, 2, 3, 4])
                expect(auditCan(verb, task, by, now + 9_999)).not.toBe(true)
        },
      ),
      { numRuns: 2000 },
    )
  })
  it("a claim that ran out is anybody's", () => {
    const held: AuditFacts = {
      state: 'claimed',
      claimed_by: 1,
      claimer_name: '甲',
      claim_until: NOW + 10,
    }
    expect(auditCan('approve', held, 2, NOW)).toEqual(['甲正在审核', 'Claimed by 甲'])
    expect(auditCan('approve', held, 2, NOW + 10)).toBe(true)
    expect(stateAt(held, NOW + 10)).toBe('pending')
    expect(auditCan('claim', held, 1, NOW)).toBe(true)
    expect(auditCan('unclaim', held, 1, NOW + 11)).not.toBe(true)
  })
})

describe('words of a rejection', () => {
  const facts = {
    title: '四人火锅',
    merchant_name: '川味坊',
    store_name: '天府店',
    city_name: '成都',
    category_name: '火锅',
    price_cents: 12_800,
    list_price_cents: 26_000,
    submitted_at: Date.UTC(2026, 10, 20) / 1000,
  }
  it('have the submission’s own in the place of their variables, by either name', () => {
    expect(filledReason('「{标题}」{门市价}→{售价}，{merchant} {城市}', facts)).toBe(
      '「四人火锅」260.00→128.00，川味坊 成都',
    )
  })
  it('keep what is no variable to the letter, whatever stands there', () => {
    for (const odd of [
      '{未知}',
      '{}',
      '{{标题',
      '{__proto__}',
      '{constructor}',
      '{toString}',
      '{ 标题 }',
      '}{',
    ])
      expect(filledReason(odd, facts)).toBe(odd)
    fc.assert(
      fc.property(
        fc
          .string({ unit: 'binary' })
          .filter(
            text =>
              !/\{(标题|商户|门店|城市|类目|售价|门市价|提交日期|title|merchant|store|city|category|price|list_price|submitted)\}/.test(
                text,
              ),
          ),
        text => filledReason(text, facts) === text,
      ),
    )
    // What is filled in is not read again.
    expect(filledReason('{标题}', { ...facts, title: '{商户}' })).toBe('{商户}')
  })
  it('of every ready sentence are filled without a rest, in both languages', () => {
    for (const text of Object.values(rejectPhrases).flat(2))
      expect(filledReason(text, facts)).not.toMatch(/[{}]/)
  })
})
it('codes stand by how often they were used, equals in their own order, each once', () => {
  expect(rankedCodes({})).toEqual(Object.keys(rejectCodes))
  expect(rankedCodes({ terms: 5, image: 9, text: 5, gone: 99 }).slice(0, 4)).toEqual([
    'image',
    'text',
    'terms',
    'price',
  ])
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(rejectCodes)), fc.nat(9)),
      used => new Set(rankedCodes(used)).size === 9,
    ),
  )
})

it('a variable that a reason does not know is told, and stays as typed in the preview', () => {
  expect(reasonFault('「{标题}」售价 {price} 元')).toBeUndefined()
  expect(reasonFault('{门店} {电话} {电话}')?.[0]).toContain('{电话}')
  expect(reasonFault('{a name far too long to be one}')).toBeDefined()
  expect(reasonFault('没有变量')).toBeUndefined()
})
