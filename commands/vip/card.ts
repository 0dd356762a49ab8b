import {
  benefits,
  DAYS_MOST,
  GIFTS_MOST,
  planCan,
  planKinds,
  refundPolicies,
  renewable,
  usualDays,
  type Benefit,
  type PlanKind,
  type PlanVerb,
} from '#src/areas/vipCard/vipCard.ts'
import { planRow, plans as calls, type PlanRow } from '#src/modules/vip/contract/card.ts'
import { ask } from '../command.ts'
import { vipCards } from '../pages/vip.ts'
import {
  arrangeAction,
  asking,
  createAction,
  formOf,
  one,
  pageAction,
  reason,
  rowActions,
  type Arranged,
} from '../record.ts'

const MONEY_MOST = 1_000_000_00
const money = (label: readonly [string, string], hint?: readonly [string, string]) =>
  ask.money({ label, min: 0, max: MONEY_MOST, ...(hint && { hint }) })
const form = formOf(
  {
    name: ask.text({ label: ['名称', 'Name'], min: 2, max: 16 }),
    kind: ask.choice({
      label: ['类型', 'Kind'],
      options: planKinds,
      initial: rows => (rows[0] as PlanRow | undefined)?.kind ?? 'month',
    }),
    days: ask.number({
      label: ['天数', 'Days'],
      min: 1,
      max: DAYS_MOST,
      optional: true,
      shown: of => !Object.hasOwn(usualDays, of.kind),
    }),
    original_cents: money(['原价', 'Original price']),
    price_cents: money(['售价', 'Price'], ['只影响之后的新订单', 'For new orders only']),
    first_price_cents: ask.money({
      label: ['首购价', 'Intro price'],
      min: 0,
      max: MONEY_MOST,
      optional: true,
      hint: ['不填则与售价相同', 'Empty: same as the price'],
    }),
    auto_renew: ask.flag({
      label: ['到期自动续费', 'Auto-renews at the end'],
      shown: of => renewable.includes(of.kind),
    }),
    contract_template: ask.text({
      label: ['扣款模板号', 'Contract template'],
      max: 40,
      optional: true,
      hint: ['与支付渠道签约后得到', 'From the contract with the payment channel'],
      shown: of => renewable.includes(of.kind) && of.auto_renew,
    }),
    stock: ask.number({
      label: ['库存', 'Stock'],
      min: 0,
      max: 10_000_000,
      optional: true,
      hint: ['不填为不限；送券的卡种须设库存', 'Empty: unlimited; required with gift coupons'],
    }),
    buy_limit: ask.number({
      label: ['每人限购', 'Limit per member'],
      min: 0,
      max: 1000,
      optional: true,
      hint: ['0 或不填为不限', '0 or empty: unlimited'],
    }),
    refund_policy: ask.choice({
      label: ['退款规则', 'Refund policy'],
      options: refundPolicies,
      initial: rows => (rows[0] as PlanRow | undefined)?.refund_policy ?? 'prorate',
    }),
    cover: ask.images({ label: ['封面', 'Cover'], max: 1, optional: true }),
  },
  ({ days, first_price_cents, contract_template, auto_renew, cover, stock, buy_limit, ...of }) => {
    const renews = renewable.includes(of.kind as PlanKind) && auto_renew
    return {
      ...of,
      days: usualDays[of.kind as PlanKind] ?? days ?? 0,
      first_price_cents: first_price_cents ?? null,
      auto_renew: renews,
      contract_template: renews ? (contract_template ?? '') : '',
      cover: cover?.[0] ?? null,
      stock: stock ?? null,
      buy_limit: buy_limit ?? 0,
    }
  },
)
const row = rowActions(vipCards, planRow)
const can = (verb: PlanVerb) => (of: PlanRow) => planCan(verb, of)

/** What is done with plans of paid membership. */
export const planActions = {
  create: createAction(calls.create, ['新增卡种', 'New plan'], vipCards, form),
  edit: row.edit(calls.edit, ['编辑卡种', 'Edit plan'], form),
  setBenefits: row.row(calls.setBenefits, ['配置权益', 'Set benefits'], {
    key: 'b',
    main: 'plain',
    asks: {
      benefits: ask.choices({
        label: ['权益', 'Benefits'],
        options: benefits,
        initial: rows => [...((rows[0] as PlanRow | undefined)?.benefits ?? [])],
      }),
      gift_coupon_ids: ask.entities({
        label: ['开卡礼券', 'Welcome coupons'],
        find: calls.coupons,
        labelOf: (of: { name: string }) => of.name,
        max: GIFTS_MOST,
        optional: true,
        initial: rows => [...((rows[0] as PlanRow | undefined)?.gift_coupon_ids ?? [])],
        hint: [
          '上架时核对：礼券在发放中，余量够在售卡种',
          'Checked when put on sale: coupons must be issuing, with enough left for the stock',
        ],
      }),
    },
    input: asking(({ benefits: given, gift_coupon_ids }) => ({
      benefits: given as Benefit[],
      gift_coupon_ids: gift_coupon_ids ?? [],
    })),
  }),
  onShelf: row.row(calls.onShelf, ['上架', 'Put on sale'], {
    key: 'o',
    main: 'plain',
    when: can('onShelf'),
    input: one,
    takenBack: 'opposite',
  }),
  offShelf: row.row(calls.offShelf, ['下架', 'Take off sale'], {
    key: 'p',
    danger: true,
    when: can('offShelf'),
    tells: rows =>
      rows[0] && rows[0].sold_count > 0
        ? [['已开通的会员照常享有权益', 'Members who have it keep their benefits'], {}]
        : undefined,
    asks: { reason },
    input: asking(asked => asked),
  }),
  copy: row.row(calls.copy, ['复制卡种', 'Copy plan'], {
    key: 'shift+c',
    input: one,
    takenBack: 'again',
  }),
  compare: row.row('vip.card.compare', ['对比两个卡种', 'Compare two plans'], {
    key: 'v',
    takes: 'rows',
    permit: calls.figures.permit,
    alias: ['并排对比', 'side by side'],
  }),
  sort: arrangeAction<Arranged, {}>(
    calls.sort,
    ['调整排序', 'Arrange order'],
    vipCards,
    () => ({}),
  ),
  del: row.del(calls.del, ['删除卡种', 'Delete plan'], { when: can('del') }),
  preview: pageAction('vip.card.preview', ['购买页预览', 'Preview the purchase page'], vipCards, {
    key: 'y',
    permit: calls.figures.permit,
  }),
}
