import {
  discountCan,
  discountScopes,
  WHOLE_BP,
  type DiscountScope,
  type DiscountVerb,
} from '#src/areas/vipCard/discount.ts'
import { bpOf } from '#src/domain/money.ts'
import { unixNow } from '#src/domain/time.ts'
import {
  discountRow,
  vipDiscounts as calls,
  type DiscountRow,
} from '#src/modules/vip/contract/cardDiscount.ts'
import { ask, called, type Asked } from '../command.ts'
import { vipDiscountPage } from '../pages/vip.ts'
import { createAction, exportAction, formOf, pageAction, rowActions, one, idOf } from '../record.ts'

type Rows = readonly (DiscountRow | undefined)[]
const MONEY_MOST = 10_000_000
/** A discount is typed in parts of ten: 8.5 takes 15% off. */
const PARTS = 1000
const planAsk = ask.entity({
  label: ['卡种', 'Plan'],
  find: calls.plans,
  labelOf: (of: { name: string }) => of.name,
  named: (rows: Rows) => rows[0]?.card_name,
})
const terms = {
  parts: ask.number({
    label: ['折扣（折）', 'Discount (tenths)'],
    min: 1,
    max: 9.9,
    places: 2,
    hint: ['如 8.5 即按 85% 收取', '8.5 means paying 85%'],
    initial: (rows: Rows) => rows[0] && rows[0].discount_bp / PARTS,
  }),
  cap_cents: ask.money({
    label: ['单笔封顶', 'Cap per order'],
    min: 0,
    max: MONEY_MOST,
    optional: true,
    hint: ['不填为不限', 'Empty: no limit'],
  }),
  monthly_times: ask.number({
    label: ['每月次数', 'Uses per month'],
    min: 0,
    max: 1000,
    optional: true,
    hint: ['每位会员；0 或不填为不限', 'Per member; 0 or empty: unlimited'],
  }),
  platform: ask.number({
    label: ['平台承担（%）', 'Platform’s share (%)'],
    min: 0,
    max: 100,
    places: 2,
    hint: ['其余由商户承担', 'The merchant bears the rest'],
    initial: (rows: Rows) => (rows[0]?.platform_share_bp ?? WHOLE_BP) / 100,
  }),
  consent_no: ask.text({
    label: ['商户同意书编号', 'Merchant consent no.'],
    max: 30,
    optional: true,
    shown: of => Number(of.platform) < 100,
  }),
  start_at: ask.time({ label: ['开始时间', 'From'] }),
  end_at: ask.time({ label: ['结束时间', 'Until'] }),
}
const termsOf = ({
  parts,
  platform,
  cap_cents,
  monthly_times,
  consent_no,
  start_at,
  end_at,
}: Asked<typeof terms>) => {
  const platform_share_bp = bpOf(platform)
  return {
    discount_bp: Math.round(parts * PARTS),
    cap_cents: cap_cents ?? 0,
    monthly_times: monthly_times ?? 0,
    platform_share_bp,
    merchant_share_bp: WHOLE_BP - platform_share_bp,
    consent_no: platform_share_bp < WHOLE_BP ? (consent_no ?? '') : '',
    start_at: start_at!,
    end_at: end_at!,
  }
}
/** What a line of a scope is for, asked while that scope is chosen. */
const ofScope = (scope: DiscountScope) => ({
  label: discountScopes[scope],
  shown: (of: { scope?: string }) => of.scope === scope,
  initial: (rows: Rows) => (rows[0]?.scope === scope ? rows[0].scope_id : undefined),
  named: (rows: Rows) => (rows[0]?.scope === scope ? rows[0].target : undefined),
})
const targetAsk = (scope: 'mall' | 'store' | 'product') =>
  ask.entity({
    ...ofScope(scope),
    find: calls.targets,
    labelOf: (of: { name: string }) => of.name,
    given: () => ({ scope }),
  })
const form = formOf(
  {
    card_id: planAsk,
    scope: ask.choice({
      label: ['范围', 'Scope'],
      options: discountScopes,
      initial: (rows: Rows) => rows[0]?.scope ?? 'store',
    }),
    mall_id: targetAsk('mall'),
    category_id: ask.entity({
      ...ofScope('category'),
      find: calls.categories,
      labelOf: (of: { name: string }) => of.name,
    }),
    store_id: targetAsk('store'),
    product_id: targetAsk('product'),
    ...terms,
  },
  ({ card_id, scope, mall_id, category_id, store_id, product_id, ...of }) => {
    const chosen = {
      all: 0,
      mall: mall_id,
      category: category_id,
      store: store_id,
      product: product_id,
    }
    return { card_id, scope, scope_id: chosen[scope] ?? 0, ...termsOf(of) }
  },
)
const row = rowActions(vipDiscountPage, discountRow)
called(discountRow, of => `${of.card_name} · ${of.target}`)
const can = (verb: DiscountVerb) => (of: DiscountRow) => discountCan(verb, of, unixNow())

/** What is done with prices of members. */
export const discountActions = {
  create: createAction(calls.create, ['新增折扣', 'New discount'], vipDiscountPage, form),
  edit: row.row(calls.edit, ['编辑折扣', 'Edit discount'], {
    key: 'e',
    when: can('edit'),
    asks: form.asks,
    input: (rows, asked) => ({ ...one(rows), ...form.input(asked) }),
  }),
  enable: row.enable(calls.enable, { key: 'o', when: can('enable') }),
  disable: row.disable(calls.disable, { key: 'p', when: can('disable') }),
  batchAddStores: pageAction(
    calls.batchAddStores,
    ['批量添加门店', 'Add stores'],
    vipDiscountPage,
    {
      key: 'm',
      asks: {
        card_id: planAsk,
        store_ids: ask.entities({
          label: ['门店', 'Stores'],
          find: calls.targets,
          labelOf: (of: { name: string }) => of.name,
          given: () => ({ scope: 'store' }),
          max: 200,
        }),
        ...terms,
      },
      input: (_, { card_id, store_ids, ...of }) => ({ card_id, store_ids, ...termsOf(of) }),
      takenBack: 'asked',
    },
  ),
  checkConflict: row.row(calls.checkConflict, ['检查规则冲突', 'Check for conflicts'], {
    key: 'v',
    main: 'plain',
    input: idOf,
  }),
  export: exportAction(calls.export, ['导出折扣清单', 'Export discounts'], vipDiscountPage),
}
