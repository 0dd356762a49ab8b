// Run @embedded: every call is asked there.
import { sql, type SQL } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { actions, pages } from '#commands/index.ts'
import { nameOf, NOBODY } from '#src/areas/bdGmv/bdGmv.ts'
import { previewKey } from '#src/areas/ecard/previewKey.ts'
import { demoFields } from '#src/areas/people/roles.demo.ts'
import { rateAtFirst } from '#src/areas/pointsRule/rule.ts'
import { pageType, pageTypes, startOf, type PageType } from '#src/areas/scheme/blocks.ts'
import { urlOf, type Call } from '#src/contract/call.ts'
import { guarded, open } from '#src/contract/shapes.ts'
import { dateOf, unixNow } from '#src/domain/time.ts'
import { implementations } from '#src/implementations.ts'
import { auditors, categories, queues, tuan } from '#src/modules/audit/contract.ts'
import { cardPreview } from '#src/modules/ecard/contract/preview.ts'
import { exports } from '#src/modules/export/contract.ts'
import { session } from '#src/modules/session/contract.ts'
import { guardNamesOf, guardsOf, unguardedIn } from '#src/server/call/fields.ts'
import type { Database } from '#src/server/db/database.ts'
import type { App } from '#src/server/http/app.ts'
import { openCopy } from './farm.ts'
import { addStaff, openApp, send, tokenOfAccount } from './help/app.ts'
import { missingIn } from './help/inputs.ts'
import { sectionSeven } from './help/section7.ts'

let database: Database
let app: App
beforeAll(async () => {
  database = await openCopy()
  app = await openApp(database)
})
const calls: Call[] = implementations
  .flat()
  .flatMap(module => Object.values(module.calls as Record<string, Call>))
const reads = calls.filter(call => call.kind === 'read')
const writes = calls.filter(call => call.kind === 'write')

/** Whether a schema holds another, however deep. */
const holdsSchema = (schema: unknown, sought: unknown, seen = new Set<unknown>()): boolean => {
  if (schema === sought) return true
  if (typeof schema !== 'object' || schema === null || seen.has(schema)) return false
  seen.add(schema)
  const of = (schema as { def?: object }).def ?? schema
  return Object.values(of).some(inner => holdsSchema(inner, sought, seen))
}

describe('every call', () => {
  it('has a title in both languages, tags, and a permission that a page or action has', () => {
    expect(calls.length).toBeGreaterThan(50)
    const known = new Set([...pages, ...actions].map(one => one.permit))
    for (const call of calls) {
      expect(
        call.title.every(text => text.length > 0),
        call.path,
      ).toBe(true)
      expect(
        call.permit === 'public' || call.permit === 'signed-in' || known.has(call.permit),
        `${call.path}: ${call.permit}`,
      ).toBe(true)
      if (call.kind === 'write' && !call.quiet)
        expect(call.touches.length, call.path).toBeGreaterThan(0)
    }
  })
  it('that changes rows of a page has what the page reads of them fetched again', () => {
    /** These change no row: they read, try or hand over what stands there. */
    const only = ['export', 'field_key', 'wecom_welcome_trial']
    let pairs = 0
    const lost = actions.flatMap(({ id, on, at, call }) => {
      if (!on || call?.kind !== 'write' || call.touches.every(tag => only.includes(tag))) return []
      const stem = at.path.replace(/^\/manage\//, '')
      const shown = reads.filter(
        ({ path, output }) => path.startsWith(`${stem}/`) && holdsSchema(output, on),
      )
      pairs += shown.length
      return shown
        .filter(({ touches }) => !touches.some(tag => call.touches.includes(tag)))
        .map(({ path }) => `${id}: ${path}`)
    })
    expect(lost).toEqual([])
    expect(pairs).toBeGreaterThan(500)
  })
  it('guards only fields that the administrators know', () => {
    const known = new Set(demoFields.map(field => field.key))
    const guards = [...new Set(calls.flatMap(call => guardsOf(call.output)))]
    expect(guards.length).toBeGreaterThan(2)
    expect(guards.filter(key => !known.has(key))).toEqual([])
  })
  it('guards a field under every name that it goes by anywhere, or says what else it is', () => {
    // Words that many things are called by; sums of orders, of which only the turnover is guarded.
    const common = /^(name|title|no|code|account|email|remark|refunded|verified|\w*cents)$/
    const money = /commission|settle|gmv|cost/
    const names = new Set([
      ...calls.flatMap(call => guardNamesOf(call.output)),
      ...demoFields.map(field => field.key.split('.')[1]!),
    ])
    for (const name of names) if (common.test(name) && !money.test(name)) names.delete(name)
    for (const name of ['license_no', 'commission_cents', 'settle_cents', 'gmv_30d_cents', 'phone'])
      expect(names).toContain(name)
    const open = calls.flatMap(call =>
      unguardedIn(call.output)
        .filter(name => names.has(name))
        .map(name => `${call.path} ${name}`),
    )
    expect([...new Set(open)]).toEqual([])
  })
  it('tells an unguarded name from a guarded one and an excused one', () => {
    const phone = z.string()
    const list = (of: z.ZodType) =>
      unguardedIn(z.object({ list: z.array(z.object({ phone: of })) }))
    expect(list(phone)).toContain('phone')
    expect(list(phone.nullable())).toContain('phone')
    expect(list(guarded('member.phone', phone))).not.toContain('phone')
    expect(list(open('A mall’s', phone).nullable())).not.toContain('phone')
  })
  it('is a way in, and beside the calls there are only these', () => {
    const ways = new Set(calls.map(call => `${call.method} ${urlOf(call)}`))
    expect([...ways].filter(way => !app.routes.includes(way))).toEqual([])
    expect(app.routes.filter(way => !ways.has(way)).sort()).toEqual([
      'GET /api/docs',
      'GET /api/docs.json',
      'GET /api/manageback/events',
      'GET /api/manageback/export/file',
      'GET /api/partner/v1/balance',
      'GET /api/partner/v1/cards',
      'GET /api/partner/v1/codes/bills/:month',
      'GET /api/partner/v1/orders/:out_no',
      'GET /api/partner/v1/statements/:month',
      'GET /go/:token',
      'GET /healthz',
      'GET /l/:code',
      'GET /metrics',
      'GET /p/:type/*',
      'GET /p/preview/:token',
      'GET /q/:state',
      'GET /uploads/*',
      'GET /wecom/callback',
      'HEAD /uploads/*',
      'POST /api/notify/wechat/payment',
      'POST /api/notify/wechat/refund',
      'POST /api/notify/wechat/transfer',
      'POST /api/partner/v1/codes/lookup',
      'POST /api/partner/v1/codes/redeem',
      'POST /api/partner/v1/orders',
      'POST /api/partner/v1/orders/:out_no/returns',
      'POST /api/upload',
      'POST /wecom/callback',
    ])
  })
})

describe('the specification, section 7', () => {
  it('is compared by shapes that bite', () => {
    const schema = z.object({
      a: z.int(),
      list: z
        .array(
          z.union([z.string(), z.object({ b: z.object({ c: z.int() }).nullable(), e: z.int() })]),
        )
        .optional(),
      one: z.object({}),
    })
    expect([
      missingIn('a list[b{c}]', schema, 'out'),
      missingIn('a list[b{c d} e] one[f] g | x', schema, 'out'),
    ]).toEqual([[], ['list.b.d', 'one.(no list)', 'g', 'x']])
  })
  it('takes limit for pageSize in every call that has pages', async () => {
    const token = await tokenOfAccount(database, 'admin')
    const get = async (path: string) =>
      (
        await app.fastify.inject({
          url: `/api/manageback/${path}`,
          headers: { 'authori-zation': `Bearer ${token}` },
        })
      ).json()
    for (const path of [
      'banner/lst',
      'citySettings/lst',
      'member/lstClickLog',
      'hots/list',
      'tuan/getBatchUpdateTuanProductTimeLogLst',
      'city/list',
    ]) {
      const [limited, sized] = [
        await get(`${path}?page=1&limit=2`),
        await get(`${path}?page=1&pageSize=2`),
      ]
      expect([path, limited.status, limited.data.list.length]).toEqual([
        path,
        200,
        sized.data.list.length,
      ])
    }
    expect((await get('banner/lst?limit=2&pageSize=3')).status).toBe(400)
    expect((await get('banner/lst?limit=0')).data.fields).toHaveProperty('pageSize')
  })
  it('takes 0 and 1 for no and yes in a body', async () => {
    const token = await tokenOfAccount(database, 'admin')
    const post = async (call: Call, input: object) => send(app, call, input, { token })
    const calls_ = new Map(calls.map(call => [`${call.method} ${call.path}`, call]))
    const one = (way: string) => calls_.get(way)!
    const settings = (await send(app, one('GET citySettings/lst'), {}, { token })).data.list[0]
    expect(
      (
        await post(one('POST citySettings/edit'), {
          city_id: settings.city_id,
          version: settings.version,
          settings: { ...settings.settings, show_hot_mall: 1, show_re_store: 0 },
        })
      ).status,
    ).toBe(200)
    const hot = (
      await send(app, one('GET citySettings/getHotMallSettings'), { city_id: 4 }, { token })
    ).data
    expect(
      (
        await post(one('POST citySettings/setHotMallSettings'), {
          city_id: 4,
          version: hot.version,
          title: hot.title,
          show: 1,
          mode: 'gmv',
          limit_count: 5,
          style: 'card',
        })
      ).status,
    ).toBe(200)
    expect(
      (
        await post(one('POST tuan/batchUpdateStartAndCheckTime'), {
          product_ids: [1],
          shift_days: 1,
          mode: 'shift',
          reason: '试算',
          dry_run: 1,
        })
      ).status,
    ).toBe(200)
    const city = (await send(app, one('GET city/list'), { pageSize: 1 }, { token })).data.list[0]
    expect(
      (
        await post(one('POST city/edit'), {
          id: city.id,
          version: city.version,
          is_default: city.is_default ? 1 : 0,
        })
      ).status,
    ).toBe(200)
  })
  it('lists 62 calls', () =>
    expect([sectionSeven.length, new Set(sectionSeven.map(([way]) => way)).size]).toEqual([62, 62]))
  it.each(sectionSeven)(
    '%s is there, takes what it names and answers what it names',
    (way, takes, answers) => {
      const [method, path] = way.split(' ') as [string, string]
      const call = calls.find(one => one.method === method && one.path === path)
      expect(app.routes).toContain(
        `${method} ${path.startsWith('/') ? path : `/api/manageback/${path}`}`,
      )
      expect(call && urlOf(call)).toBe(path.startsWith('/') ? path : `/api/manageback/${path}`)
      expect([
        missingIn(takes, call!.input, 'in'),
        missingIn(answers, call!.output, 'out'),
      ]).toEqual([[], []])
    },
  )
})

/** The reads of each designed page are asked of one that is live and has a draft besides. */
const designed = (): Record<string, SQL> =>
  Object.fromEntries(
    (Object.keys(pageTypes) as PageType[]).flatMap(type => {
      const { at, of } = pageType(type)
      const key = sql.raw(of.join())
      const from = sql`from page_scheme where type = ${type} and live_version_id is not null and draft is not null order by id limit 1`
      const blocks = JSON.stringify(startOf(type))
      return [
        ...['detail', 'live', 'goods', 'inherited'].map(
          name => [`${at}/${name}`, sql`select ${key} ${from}`] as const,
        ),
        [`${at}/data`, sql`select ${key}, ${blocks}::jsonb blocks ${from}`] as const,
        [`${at}/version`, sql`select id, 1 "no" ${from}`] as const,
        [`${at}/preview`, sql`select id ${from}`] as const,
      ]
    }),
  )
describe('every read', () => {
  const week = { from: dateOf(unixNow() - 6 * 86_400), to: dateOf(unixNow()) }
  /**
   * Whole inputs, for calls that can't do without; everything else is asked with none and with its
   * lists' last page.
   */
  const triedCoupon = {
    name: '试算券',
    kind: 'direct',
    face_cents: 100,
    apply_kind: 'all',
    claim_kind: 'claim',
    claim_start_at: unixNow(),
    claim_end_at: unixNow() + 86_400,
    valid_kind: 'days_after',
  }
  const whole: Readonly<Record<string, object>> = {
    'config/afterSales/history': { id: 1 },
    'coupon/index/targets': { apply_kind: 'store' },
    'ecoupon/index/targets': { apply_kind: 'shop' },
    'coupon/index/simulate': triedCoupon,
    'ecoupon/index/simulate': triedCoupon,
    'ecard/channel/add/verifyCompany': { tax_no: '913100000000000000' },
    'film/settings/testProvider': { provider: 'provider_a' },
    'ecard/channel/detail': { id: 1 },
    'ecard/channel/money': { id: 1 },
    'settle/withdraw/beside': { id: 1 },
    'settle/subsidy/simulate': { product_id: 1, price_cents: 1000 },
    'settle/subsidyLogs/groups': { by: 'plan' },
    'vip/score/detail/lots': { id: 1 },
    'vip/score/rate/simulate': rateAtFirst,
    'vip/score/userInfo/preview': {
      fields: { avatar: 1, birthday: 2, gender: 3, city: 4, malls: 5, wecom: 6 },
    },
    'vip/score/userInfo/previewImpact': {
      fields: { avatar: 1, birthday: 2, gender: 3, city: 4, malls: 5, wecom: 6 },
    },
    'vip/score/buy/categories': { tree: 'shop_category' },
    'ecard/channel/issues': { id: 1 },
    'ecard/channel/statement': { id: 1, month: '2026-10' },
    'settle/detail/look': { id: 1 },
    'settle/detail/download': { id: 1 },
    'shop/bd/gmv/drill': { period: nameOf('month', unixNow()), id: NOBODY },
    'shop/bd/gmv/orders': { period: nameOf('month', unixNow()), id: NOBODY, store_id: 1 },
    'config/afterSales/simulate': { id: 1 },
    'audit/practice/detail': { id: 1 },
    'order/bulks/verify/dayReport': { store_id: 1, date: dateOf(unixNow()) },
    'mall/detail': { mid: 1 },
    'mall/opening': { block: 'coupon' },
    'hots/userList': { id: 1 },
    'hots/targets': { kind: 'store', mid: 1 },
    'coupon/listRecommends': { mid: 1 },
    'ecard/list/add/example': {
      scope: { mall_ids: [], store_ids: [], category_ids: [] },
      held_cents: 10_000,
    },
    'tuan/listRecommends': { mid: 1 },
    'voucher/listRecommends': { mid: 1 },
    'recommendSet/get_category_store_list': { mid: 1 },
    'mall/shop/history': { mid: 1, category_id: 1 },
    'mallFloor/lst': { mid: 1 },
    'mallFloor/stores': { mid: 1 },
    'mallFloor/options': { mid: 1 },
    'mallCategory/lst': { mid: 1 },
    'mallCategory/options': { mid: 1 },
    'mallCategory/get_category_settings': { mid: 1 },
    'mallCategory/backups': { mid: 1 },
    'system/department/members': { department_id: 1, below: true },
    'system/department/leaders': { department_id: 12 },
    'system/role/detail': { id: 3 },
    'system/role/members': { id: 3 },
    'system/role/permsDiff': { id: 3, perms: ['audit.card.approve'] },
    'system/role/holders': { permit: 'audit.bulks.approve' },
    'system/role/diff': { id: 3, other_id: 5 },
    'system/role/preview': { id: 3 },
    'system/staff/detail': { id: 2 },
    'system/menu/grants': { id: 1 },
    'system/menuKey/testMask': { mask_rule: 'phone', sample: '13812345678' },
    'system/menuKey/viewReveals': { key: 'admin.phone' },
    'system/bulksMenu/preview': { store_id: 1, role: 'owner', app_version: '2.0.0' },
    'citySettings/getReStoreList': { city_id: 1 },
    'citySettings/getMallListByCity': { city_id: 1 },
    'citySettings/getHotMallSettings': { city_id: 1 },
    'citySettings/getActAreaList': { city_id: 1 },
    'system/city/config/stores': { city_id: 1 },
    'system/hlink/objects': { target: 'store' },
    'system/hlink/whereUsed': { id: 1 },
    getQrImg: { text: 'https://mallet.example/' },
    getMpImg: { path: 'pages/home/index' },
    'system/share/preview': { page_type: 'home', city_id: 0 },
    'system/customer/group': { scene: 'refund', city_id: 0 },
    'system/customer/testRoute': { scene: 'refund', city_id: 1, time: unixNow() },
    'system/dataIndex/overview': week,
    'system/dataIndex/trend': week,
    'system/dataIndex/ranking': week,
    'system/dataIndex/drill': { ...week, metric: 'gmv' },
    'system/report/history': { id: 1 },
    'system/report/preview': { id: 1 },
    'system/verify/others': { id: 1 },
    'system/group/whereUsed': { id: 1 },
    'system/warning/test': { id: 1 },
    'system/history/timeline': { member_id: 1 },
    'system/live/shelf': { id: 1 },
    'system/live/edit/detail': { id: 1 },
    'system/live/edit/products': { id: 27 },
    'order/config/history': { kind: 'bulks' },
    'order/config/simulate': { kind: 'bulks', fields: { pay_timeout_min: 20, hold_days: 9 } },
    'order/settings/history': { kind: 'elist' },
    'order/settings/simulate': {
      kind: 'elist',
      fields: { auto_receive_d: 20, no_delivery: ['310000'] },
    },
    'order/settings/calcFreight': {
      template_id: 1,
      area: '浙江省杭州市',
      items: [{ qty: 1, price_cents: 100 }],
    },
    'system/rules/versions': { type: 'user' },
    'system/rules/diff': { id: 2, other_id: 1 },
    'system/rules/preview': { id: 1 },
    'system/h5link/stat': { id: 1 },
    'system/risk/ruleDays': { rule_id: 1 },
    'workbench/done': { queue: 'risk' },
    'config/goodiesSwitch/preview': { member_id: 1 },
    'distribution/settlementDetails/explain': { id: 1 },
    'distribution/index/effects': { id: 1 },
    'vip/index/side': { id: 1 },
    'vip/weChatContacts/side': { id: 1 },
    'vip/weChatCustomerList/detail/facts': { id: 1 },
    'vip/weChatCustomerList/detail/timeline': { id: 1 },
    'channel/code/side': { id: 1 },
    'channel/statistics/detail/lst': { code_id: 1 },
    'channel/statistics/detail/figures': { code_id: 1 },
    'channel/code/pictures': { ids: [1, 2], origin: 'https://m.example' },
    'channel/code/edit/detail': { id: 1 },
    'channel/code/edit/people': { ids: [1, 2] },
    'channel/code/edit/welcomeAt': { staff_id: 1, at: 1_772_380_800 },
    'channel/welcome/sends': { id: 1 },
    'channel/welcome/trials': { id: 1 },
    'channel/welcome/order': { scope: 'staff' },
    'channel/welcome/resolve': { staff_id: 1, at: 1_772_380_800 },
    'channel/groupsWelcome/notices': { id: 1 },
    'channel/groupsWelcome/chats': { id: 1 },
    'channel/groupsWelcome/applied': { id: 1 },
    'channel/groupsWelcome/others': { id: 1 },
    'channel/customerGroup/pictures': { ids: [1, 2], origin: 'https://m.example' },
    'channel/customerGroup/detail/facts': { id: 1 },
    'channel/customerGroup/detail/moves': { id: 1 },
    'channel/customerGroup/detail/people': { group_id: 1 },
    'vip/weChatDepartment/side': { id: 1 },
    'vip/weChatGroupManage/detail/facts': { id: 1 },
    'vip/weChatGroupManage/detail/moves': { id: 1 },
    'vip/weChatGroupManage/detail/people': { group_id: 1 },
    'vip/weChatWelcomingMessage/sends': { id: 1 },
    'vip/weChatWelcomingMessage/order': { scope: 'staff' },
    'vip/weChatWelcomingMessage/testHit': { staff_id: 1, at: 1_772_380_800 },
    'user/list/view': { id: 1 },
    'user/list/dataHeld': { id: 1 },
    'customer/list/side': { id: 1 },
    'customer/list/timeline': { id: 1 },
    'customer/deduplication/side': { id: 1 },
    'customer/deduplication/follows': { id: 1 },
    'customer/deduplication/members': { id: 1 },
    'customer/portrait/drill': { segment_id: 0, lost: false, dim: 'gender', value: 'female' },
    'customer/material/versions': { id: 1 },
    'customer/material/others': { id: 1 },
    'customer/groups/side': { id: 1 },
    'customer/groups/preview': { rule: { joins: 'all', nodes: [] } },
    'distribution/ranking/detail': { id: 1 },
    'settle/data/look': { figure: 'total' },
    'distribution/index/group/detail/detail': { id: 1 },
    'distribution/index/group/detail/trend': { id: 1 },
    'distribution/index/expertDetail/detail': { id: 1 },
    'distribution/index/expertDetail/trend': { id: 1 },
    'shop/index/effects': { id: 1 },
    'shop/index/bankStanding': { id: 1 },
    'shop/goods/rows': { ids: [1, 2] },
    'vip/card/figures': { ids: [1, 2] },
    'vip/achieve/progress': { member_id: 1 },
    'vip/pointsShop/goods': { zone_id: 1 },
    'vip/pointsShop/edit/detail': { id: 1 },
    'vip/pointsShop/edit/products': { kind: 'voucher' },
    'vip/pointsShop/Detail/lst': { goods_id: 1 },
    'vip/pointsShop/Detail/facts': { id: 1 },
    'vip/pointsShop/Detail/moves': { id: 1 },
    'vip/card/discount/targets': { scope: 'store' },
    'vip/card/discount/checkConflict': { id: 1 },
    'shop/index/add/detail': { id: 1 },
    'shop/stores/effects': { id: 1 },
    'stores/addStores/malls': { city_id: 1 },
    'stores/addStores/templates': { merchant_id: 1 },
    'stores/addStores/importFromStore': { store_id: 1 },
    'stores/addStores/checkName': { name: '旗舰店' },
    'shop/stores/add/detail': { id: 1 },
    'shop/stores/add/malls': { city_id: 1 },
    'shop/stores/add/standing': { city_id: 1, mid: 1, merchant_id: 1, category_id: 1 },
    'shop/stores/edit/detail': { id: 1 },
    'shop/stores/edit/viewHistory': { id: 1 },
    'shop/stores/edit/previewImpact': { id: 1 },
    'shop/stores/linkGoods/linked': { store_id: 1 },
    'shop/stores/linkGoods/free': { store_id: 1 },
    'shop/stores/linkGoods/siblings': { store_id: 1 },
    'shop/stores/floors': { mid: 1 },
    'shop/stores/malls': { city_id: 1 },
    'shop/index/add/ocrLicense': { image: 'demo/licence.webp' },
    'shop/index/add/checkDuplicate': { license_no: '91350100M000100Y43' },
    'shop/cate/sales': { id: 1 },
    'shop/activities': { store_id: 1 },
    'config/entries': { city_id: 1 },
    'config/entry/lst': { city_id: 1 },
    'config/entry/schemes': { city_id: 1 },
    'config/brandWall': { category_id: 1_000_001 },
    'config/entry/categoryBrands/lst': { category_id: 1_000_001 },
    'config/entry/categoryBrands/candidates': { category_id: 1_000_001 },
    'shop/facility/targets': { id: 1 },
    'shop/facility/holders': { facility_id: 1, of: 'store', marked: true },
    'system/banner/clickDays': { banner_id: 1 },
  }
  /** Calls about a row that the demo makes somewhere: its key is looked up. */
  const found: Readonly<Record<string, SQL>> = {
    'stores/goods/skus': sql`select max(product_id) product_id from product_sku k join product p on p.id = k.product_id where p.kind = 'elist'`,
    'stores/goods/rows': sql`select array[max(id)] ids from product where kind = 'elist' and state = 'on_sale'`,
    'stores/linkGoods/linked': sql`select max(id) store_id from store where kind = 'online' and status = 'open'`,
    'stores/linkGoods/free': sql`select max(id) store_id from store where kind = 'online' and status = 'open'`,
    'stores/linkGoods/shops': sql`select max(id) store_id from store where kind = 'online' and status = 'open'`,
    'workbench/layout/linked': sql`insert into layout_link (code, admin_id, state, hash, used_at) values ('demoLinkCode', 1, '{}', 'x', 0) on conflict (code) do update set used_at = 0 returning code`,
    ...designed(),
    'job/failed': sql`insert into row_job (admin_id, call, same, rows_total, state) values (1, 'x', '{}', 1, 'done') returning id`,
    'order/pointsShopList/detail/exchange': sql`select max(id) id from "order" where kind = 'points'`,
    'order/pointsShopList/detail/ledger': sql`select max(id) id from "order" where kind = 'points'`,
    'order/goods/lots': sql`select max(id) order_id from "order" where kind = 'goods'`,
    'order/elist/lots': sql`select max(id) order_id from "order" where kind = 'elist'`,
    'order/goods/otherStores': sql`select max(id) order_id from "order" where kind = 'goods'`,
    'order/goods/detail/progress': sql`select max(id) id from "order" where kind = 'goods'`,
    'order/raiseList/batch': sql`select max(id) batch_id from raise_batch`,
    'order/raiseList/terms': sql`select max(id) id from "order" where kind = 'raise'`,
    'order/find': sql`select order_no q from "order" limit 1`,
    'order/rollBuy/seats': sql`select max(id) group_id from roll_group`,
    'order/combo/lanes': sql`select max(id) id from "order" where kind = 'combo'`,
    'order/combo/parts': sql`select max(id) order_id from "order" where kind = 'combo'`,
    'order/combo/detail/replacements': sql`select order_id, min(id) item_id from order_item where order_id = (select max(id) from "order" where kind = 'combo') group by order_id`,
    'order/combo/refund/detail': sql`select max(id) id from refund where order_kind = 'combo'`,
    'order/visitor/members': sql`select max(id) order_id from "order" where kind = 'visitor'`,
    'order/visitor/related': sql`select max(id) id from "order" where kind = 'visitor'`,
    'order/eRefund/detail': sql`select max(id) id from refund where order_kind = 'elist'`,
    'order/eRefund/addresses': sql`select max(id) refund_id from refund where order_kind = 'elist'`,
    'shop/audit/detail': sql`select max(id) id from application where queue = 'shop'`,
    'shop/audit/readLicence': sql`select max(id) id from application where queue = 'shop'`,
    'coupon/audit/detail': sql`select max(id) id from coupon_audit where queue = 'coupon'`,
    'coupon/audit/goods': sql`select max(id) id from coupon_audit where queue = 'coupon'`,
    'ecoupon/audit/detail': sql`select max(id) id from coupon_audit where queue = 'ecoupon'`,
    'ecoupon/audit/goods': sql`select max(id) id from coupon_audit where queue = 'ecoupon'`,
    'brand/audit/detail': sql`select max(id) id from application where queue = 'brand'`,
    'brand/audit/compare': sql`select max(a.id) id, (select min(id) from brand) brand_id from application a where queue = 'brand'`,
    'brand/audit/brands': sql`select max(id) id from application where queue = 'brand'`,
    'system/verify/lookupCode': sql`select code from order_code order by id limit 1`,
    'system/logs/diff': sql`select max(id) id from op_log`,
    'system/logs/objectHistory': sql`select object_type, object_id from op_log where object_id is not null order by id limit 1`,
    'system/exportLogs/viewFilters': sql`select max(id) id from export_job`,
    'system/exportLogs/verify': sql`select mark, repeat('f', 16) known from export_job order by id desc limit 1`,
    'system/buyLimitLog/explain': sql`select min(id) id from buy_limit_log`,
    'groupActivity/index/test': sql`select (select min(id) from member) member_id, (select min(id) from product) product_id`,
    'groupActivity/record/viewRule': sql`select max(id) id from buy_limit_log where rule_id is not null`,
    'groupActivity/record/orders': sql`select max(id) id from buy_limit_log where rule_id is not null`,
    ...Object.fromEntries(
      [
        'stores/stores/effects',
        'stores/addStores/detail',
        'stores/editStores/detail',
        'stores/editStores/viewHistory',
      ].map(path => [path, sql`select min(id) id from store where kind = 'online'`]),
    ),
    'coupon/index/detail': sql`select max(id) id from coupon where scope = 'local'`,
    'coupon/index/data/lst': sql`select max(coupon_id) coupon_id from coupon_grant`,
    'film/pullNew/promoters': sql`select max(activity_id) id from film_pull_promoter`,
    'coupon/index/data/figures': sql`select max(coupon_id) coupon_id from coupon_grant`,
    'ecoupon/index/detail': sql`select max(id) id from coupon where scope = 'ecom'`,
    'system/risk/detail': sql`select max(id) id from risk_hit where state = 'open'`,
    'system/risk/freezable': sql`select max(id) id from risk_hit where state = 'open'`,
    'ecard/risk/detail': sql`select max(id) id from risk_hit where scene = 'ecard'`,
    'ecard/risk/refundable': sql`select max(id) id from risk_hit where scene = 'ecard' and state = 'confirmed'`,
    'ecard/list/code/lst': sql`select max(card_id) card_id from ecard_code`,
    'ecard/list/code/stock': sql`select max(card_id) card_id from ecard_code`,
    'ecard/list/code/faces': sql`select max(card_id) card_id from ecard_code`,
    'ecard/list/code/trail': sql`select max(id) id from ecard_code where activated_at is not null`,
    'ecard/list/code/batches': sql`select max(card_id) card_id from ecard_batch`,
    'ecard/list/code/batchStat': sql`select max(id) id from ecard_batch`,
    'ecard/list/attr/lst': sql`select max(id) card_id from ecard`,
    'ecard/list/preview/getMpImg': sql`select max(id) id from ecard`,
    'ecard/list/detail': sql`select max(id) id from ecard`,
    'film/index/detail/detail': sql`select max(order_id) id from film_order`,
    'ecard/order/detail': sql`select max(id) id from "order" where kind = 'ecard'`,
    'ecard/order/cards': sql`select max(order_id) order_id from ecard_code`,
    'ecard/order/detail/cards': sql`select max(order_id) id from ecard_code`,
    'ecard/order/detail/gifts': sql`select max(order_id) id from ecard_gift`,
    'ecard/order/detail/moves': sql`select max(order_id) id from ecard_code`,
    'ecard/order/detail/requests': sql`select max(order_id) id from ecard_request`,
    'redeemCode/index/detail': sql`select max(id) id from code_batch`,
    'settle/flow/detail': sql`select max(id) id from ledger_txn`,
    'vip/score/buy/testOrder': sql`select order_no from "order" where paid_cents > 0 limit 1`,
    'settle/flow/trace': sql`select order_no from "order" where paid_cents > 0 limit 1`,
    'settle/flow/accountView': sql`select min(account_id) account_id from ledger_entry`,
    'distribution/withdrawal/beside': sql`select min(id) id from withdrawal where owner_kind = 'distributor'`,
    ...Object.fromEntries(
      ['beside', 'detail', 'orders'].map(call => [
        `film/withdrawal/${call}`,
        sql`select min(id) id from withdrawal where owner_kind = 'film'`,
      ]),
    ),
    'redeemCode/index/stock': sql`select min(id) id from code_batch where ecard_attr_id is not null`,
    'redeemCode/index/runs': sql`select max(id) id from code_batch`,
    'redeemCode/index/add/estimate': sql`select 10 quantity, 5 points`,
    'redeemCode/index/add/example': sql`select 500 points, '保温杯' goods`,
    'distribution/index/customer/viewHistory': sql`select min(id) id from dist_binding`,
    'distribution/index/guideBindingCustomer/viewHistory': sql`select min(id) id from dist_binding where role = 'guide'`,
    'distribution/index/guideBindingCustomer/compare': sql`select min(id) id from dist_binding where role = 'guide'`,
    'distribution/index/guideBindingCustomer/lst': sql`select min(id) distributor_id from distributor where kind = 'guide'`,
    'distribution/index/guideBindingCustomer/guide': sql`select min(id) id from distributor where kind = 'guide'`,
    'distribution/index/distStoreDetail/detail': sql`select min(id) id from distributor where kind = 'store'`,
    'distribution/index/guideDetail/detail': sql`select min(id) id from distributor where kind = 'guide'`,
    'distribution/index/group/customer/viewHistory': sql`select min(id) id from dist_binding`,
    'distribution/index/group/customer/lst': sql`select min(id) group_id from dist_group`,
    'distribution/index/group/customer/byMember': sql`select min(id) group_id from dist_group`,
    'distribution/index/group/customer/previewAssign': sql`select d.group_id, array[d.id] distributor_ids, array_agg(b.id) ids from distributor d join dist_binding b on b.distributor_id = d.id and b.status = 'active' where d.group_id is not null and d.status = 'active' group by d.id order by d.id limit 1`,
    'vip/card/order/trail': sql`select max(id) id from vip_card_order where contract_id is not null`,
    'vip/payment/history': sql`select min(id) id from vip_subscription where charge_fail_count > 0`,
    'vip/record/standing': sql`select max(id) id from growth_ledger`,
    'vip/rules/simulate': sql`select min(id) id from level_ladder`,
  }
  const inputOf = async (call: Call): Promise<object> => {
    if (whole[call.path]) return whole[call.path]!
    if (call === cardPreview.opened)
      return { scene: previewKey(1, unixNow() + 600, app.install.sign) }
    const orders = /^order\/(\w+)\/detail$/.exec(call.path)?.[1]
    if (orders && orders !== 'eRefund')
      return (
        await database.db.execute<{ id: number }>(
          sql`select max(id) id from "order" where kind = ${({ rollBuy: 'roll_buy', raiseList: 'raise', pointsShopList: 'points' } as Record<string, string>)[orders] ?? orders}`,
        )
      ).rows[0]!
    if (found[call.path])
      return (await database.db.execute<Record<string, unknown>>(found[call.path]!)).rows[0]!
    const queue = Object.entries(queues).find(([, of]) => (of.detail as Call) === call)?.[0]
    if (!queue) return {}
    const { rows } = await database.db.execute<{ id: number }>(
      sql`select id from audit_task where queue = ${queue} order by id desc limit 1`,
    )
    return { id: rows[0]!.id }
  }
  let token: string
  beforeAll(async () => void (token = await tokenOfAccount(database, 'admin')))
  it.each(reads.map(call => [urlOf(call), call] as const))(
    '%s answers on demo data what its contract says',
    async (_, call) => {
      const said = await send(app, call, await inputOf(call), { token })
      expect([said.status, said.message]).toEqual([200, expect.any(String)])
      const parsed = await call.output.safeParseAsync(said.data)
      expect(parsed.error?.issues ?? []).toEqual([])
    },
  )
  it('of a list holds rows where demo data is: no sweep over nothing', async () => {
    for (const list of [
      ...Object.values(queues).map(queue => queue.lst),
      auditors,
      categories,
    ] as Call[])
      expect((await send(app, list, {}, { token })).data.total, list.path).toBeGreaterThan(0)
    expect((await send(app, tuan.timeLogs, {}, { token })).status).toBe(200)
    expect(
      (await send(app, exports.mine, {}, { token: (await addStaff(database)).token })).data,
    ).toEqual({ list: [], total: 0 })
  })
  // A search by a whole code is logged once a day, and another day may begin meanwhile.
  it('is answered in English too, and changes nothing', async () => {
    const counted = async () =>
      (
        await database.db.execute(
          sql`select (select count(*) from op_log where action <> 'find') logs, (select md5(string_agg(a::text, '' order by id)) from audit_task a) tasks, (select md5(string_agg(a::text, '' order by id)) from product a) products`,
        )
      ).rows
    const before = await counted()
    const other: string[] = []
    for (const call of reads) {
      const { message } = await send(app, call, await inputOf(call), { token, lang: 'en' })
      if (message !== 'Done') other.push(`${urlOf(call)}: ${message}`)
    }
    expect(other).toEqual([])
    expect(await counted()).toEqual(before)
  })
})

describe('every write', () => {
  // Nothing that is refused ends a session: two people do for all calls.
  let nobody: { token: string }
  let all: Awaited<ReturnType<typeof addStaff>>
  /** How often each call was refused to who may do all. */
  const refused = new Map<Call, number>()
  const refuse = async (call: Call, lang: 'zh' | 'en' = 'zh') => {
    const input = { id: 'x', version: {}, ids: 'all', tasks: [{}], reason: 5 }
    refused.set(call, (refused.get(call) ?? 0) + 1)
    return send(app, call, input, { token: all.token, lang })
  }
  beforeAll(async () => {
    nobody = await addStaff(database)
    all = await addStaff(database, { perms: ['*'] })
  })
  it.each(writes.map(call => [`${call.method} ${urlOf(call)}`, call] as const))(
    '%s is refused without permission and survives rubbish with a clear refusal',
    async (_, call) => {
      if (call.permit.includes('.'))
        expect((await send(app, call, {}, { token: nobody.token })).status).toBe(403)
      if (call.permit !== 'public') expect((await send(app, call, {})).status).toBe(410000)
      // How each is told of other rubbish stands in contract/rubbish.test.ts, which asks no server.
      const said = await refuse(call)
      expect(said.status).toBe(400)
      const fields = Object.entries(said.data.fields as Record<string, string>)
      expect(fields.length).toBeGreaterThan(0)
      for (const [path, fault] of fields)
        expect([path.length > 0, fault]).toEqual([true, expect.stringMatching(/[一-鿿]/)])
      // Nothing in zod's own English, nothing of our insides.
      expect(said.text).not.toMatch(/Invalid|expected|received|zod|\.ts/)
      const english = await refuse(call, 'en')
      const faults = Object.values(english.data.fields as Record<string, string>)
      for (const fault of [...faults, english.message]) expect(fault).not.toMatch(/[一-鿿]/)
      for (const fault of [...fields.map(([, one]) => one), said.message])
        expect(fault).not.toMatch(/ \/ [A-Za-z]{2,}/)
    },
  )
  it('leaves one line in the operation log, refused ones too', async () => {
    const logged = writes.filter(call => !call.quiet)
    // Those above have been refused already; alone, this has them refused.
    for (const call of logged) if (!refused.has(call)) await refuse(call)
    const lines = logged.reduce((sum, call) => sum + refused.get(call)!, 0)
    const rows = await database.db.execute<{ n: number }>(
      sql`select count(*)::int n from op_log where admin_id = ${all.id} and result = 'refused'`,
    )
    expect(rows.rows[0]!.n).toBe(lines)
    expect(lines).toBeGreaterThan(20)
  })
  it('is idempotent by key unless it is quiet', async () => {
    const person = await addStaff(database, { perms: ['*'] })
    const input = { old_password: 'Mallet#2026', new_password: 'Other#2026' }
    const first = await send(app, session.changePassword, input, {
      token: person.token,
      key: 'contract-key-1',
    })
    expect(
      await send(app, session.changePassword, input, {
        token: person.token,
        key: 'contract-key-1',
      }),
    ).toMatchObject({ status: 200, data: first.data })
  })
})
