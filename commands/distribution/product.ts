import { commissionKinds } from '#src/areas/commission/commission.ts'
import { bpOf, yuan } from '#src/domain/money.ts'
import { materials } from '#src/modules/distribution/contract/material.ts'
import {
  distributedGoods as calls,
  GOODS_MOST,
  goodsRow,
  type GoodsRow as Row,
} from '#src/modules/distribution/contract/product.ts'
import { ask, inAll, type Told } from '../command.ts'
import { distributedPage as at } from '../pages/distribution.ts'
import { asking, exportAction, idsOf, one, pageAction, reason, rowActions } from '../record.ts'

const percents = (bp: number | null | undefined): number | undefined =>
  typeof bp === 'number' ? bp / 100 : undefined
const first = (rows: readonly unknown[]): Row | undefined => rows[0] as Row | undefined
/** The rate that was tried before, which the question begins with. */
const tried = (rows: readonly unknown[]): number | undefined =>
  (rows[0] as { tried_bp?: number } | undefined)?.tried_bp
/** What sellers of a level earn on top. */
const level = (n: string) =>
  ask.number({
    label: [`${n} 级加成（%）`, `Level ${n} (%)`],
    min: 0,
    max: 30,
    places: 2,
    optional: true,
    field: 'level_plus',
    initial: rows => percents(first(rows)?.level_shares?.[n]),
  })
/** What is left of a price now, before it is changed. */
const kept = ([row]: readonly Row[]): Told | undefined =>
  row?.kept_cents === undefined || row.settle_price_cents === undefined
    ? undefined
    : [
        [
          '售价 ¥{price}，结算价 ¥{settle}，当前剩余毛利 ¥{kept}；新佣金只用于之后的订单',
          'Price ¥{price}, settlement ¥{settle}, remaining margin ¥{kept}; applies to later orders only',
        ],
        {
          price: yuan(row.price_cents),
          settle: yuan(row.settle_price_cents),
          kept: yuan(row.kept_cents),
        },
      ]
const { row } = rowActions<Row>(at, goodsRow)
const isOn = (of: Row) => of.status === 'on'
/** What is done with distributed goods. */
export const distributedActions = {
  add: pageAction(calls.add, ['加入分销', 'Distribute'], at, {
    key: 'c',
    main: true,
    asks: {
      ref_ids: ask.entities({
        label: ['商品', 'Product'],
        find: calls.found,
        max: GOODS_MOST,
        labelOf: (of: { name: string; price_cents: number }) =>
          `${of.name} · ¥${yuan(of.price_cents)}`,
        by: ['商品名称', 'title'],
        none: ['在售商品都已加入分销', 'All products on sale are already distributed'],
      }),
      rate: ask.number({
        label: ['分销佣金（%）', 'Commission (%)'],
        min: 0,
        max: 100,
        places: 2,
        field: 'rate_bp',
      }),
      guide: ask.number({
        label: ['导购奖励（%）', 'Guide’s bonus (%)'],
        min: 0,
        max: 100,
        places: 2,
        field: 'guide_bp',
        initial: () => 0,
        hint: ['商户自己的导购带客时由商户承担', 'Borne by the merchant whose guide it is'],
      }),
      end_at: ask.time({ label: ['结束时间', 'Until'], optional: true }),
    },
    input: (_, { ref_ids, rate, guide, end_at }) => ({
      ref_ids,
      rate_bp: bpOf(rate),
      guide_bp: bpOf(guide),
      ...(end_at !== undefined && { end_at }),
    }),
  }),
  editRate: row(calls.editRate, ['调整佣金', 'Change the commission'], {
    key: 'e',
    main: true,
    tells: kept,
    asks: {
      commission_kind: ask.choice({
        label: ['计佣方式', 'Method'],
        options: commissionKinds,
        initial: rows => first(rows)?.commission_kind,
      }),
      rate: ask.number({
        label: ['分销佣金（%）', 'Commission (%)'],
        min: 0,
        max: 100,
        places: 2,
        field: 'rate_bp',
        initial: rows => percents(tried(rows) ?? first(rows)?.seller_share_bp),
        shown: answers => answers.commission_kind !== 'fixed',
      }),
      fixed: ask.money({
        label: ['固定佣金（元）', 'Amount (yuan)'],
        min: 0,
        field: 'fixed_cents',
        initial: rows => first(rows)?.fixed_share_cents,
        shown: answers => answers.commission_kind === 'fixed',
      }),
      guide: ask.number({
        label: ['导购奖励（%）', 'Guide’s bonus (%)'],
        min: 0,
        max: 100,
        places: 2,
        field: 'guide_bp',
        initial: rows => percents(first(rows)?.guide_share_bp),
      }),
      waiver: ask.text({
        label: ['分账上限豁免原因', 'Reason for waiving the cap'],
        max: 200,
        optional: true,
        initial: rows => first(rows)?.waiver,
        hint: [
          '分给个人合计超过售价 30% 时必填',
          'Required when more than 30% of the price goes to individuals',
        ],
      }),
      reason,
    },
    input: (rows, { commission_kind, rate, fixed, guide, waiver, reason: why }) => ({
      ...one(rows),
      commission_kind,
      rate_bp: commission_kind === 'fixed' ? 0 : bpOf(rate),
      fixed_cents: commission_kind === 'fixed' ? fixed : 0,
      guide_bp: bpOf(guide),
      waiver: waiver ?? '',
      reason: why,
    }),
  }),
  tryRate: row('distribution.index.product.tryRate', ['试算毛利', 'Try a rate'], {
    key: 't',
    main: 'plain',
    permit: calls.editRate.permit,
    alias: ['毛利', '预览', 'margin', 'preview'],
  }),
  setLevelPlus: row(calls.setLevelPlus, ['设置等级加成', 'Set level bonuses'], {
    key: 'l',
    tells: kept,
    asks: {
      l1: level('1'),
      l2: level('2'),
      l3: level('3'),
      l4: level('4'),
      l5: level('5'),
    },
    input: asking(({ l1, l2, l3, l4, l5 }) => ({
      level_plus: Object.fromEntries(
        [l1, l2, l3, l4, l5].flatMap((typed, n) => (typed ? [[String(n + 1), bpOf(typed)]] : [])),
      ),
    })),
  }),
  setLeader: row(calls.setLeader, ['设置团长奖励', 'Set the leader’s bonus'], {
    key: 'd',
    tells: kept,
    asks: {
      leader: ask.number({
        label: ['团长奖励（%）', 'Leader’s bonus (%)'],
        min: 0,
        max: 10,
        places: 2,
        optional: true,
        field: 'leader_bp',
        initial: rows => percents(first(rows)?.leader_share_bp),
        hint: ['留空按各团队自己的比例', 'Empty: each team’s own rate'],
      }),
    },
    input: asking(({ leader }) => ({ leader_bp: leader === undefined ? null : bpOf(leader) })),
  }),
  on: row(calls.on, ['上架分销', 'Distribute again'], {
    key: 'o',
    when: of => {
      if (isOn(of)) return ['已在分销中', 'It is distributed already']
      return of.on_sale || ['商品未上架，请先上架商品', 'It is not on sale: put it on sale first']
    },
    input: one,
    takenBack: 'opposite',
  }),
  off: row(calls.off, ['下架分销', 'Stop distributing'], {
    key: 'p',
    danger: true,
    when: of => isOn(of) || ['没有在分销，无需下架', 'It is not distributed'],
    tells: () => [
      ['之后的订单不再计佣，已产生的佣金不变', 'Later orders pay none; what was earned stays'],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  /** Its page begins a material of these goods by the form of materials. */
  addMaterial: row('distribution.index.product.addMaterial', ['上传素材', 'Add material'], {
    key: 'm',
    permit: materials.create.permit,
    when: of => {
      if (of.ref_kind !== 'product')
        return ['只有商品有推广素材', 'Only products have promotion material']
      return of.on_sale || ['商品未上架，请先上架商品', 'It is not on sale: put it on sale first']
    },
  }),
  sort: row(calls.sort, ['调整排序', 'Change order'], {
    key: 'n',
    asks: {
      sort: ask.number({
        label: ['排序', 'Sort'],
        min: 0,
        max: 999_999,
        initial: rows => first(rows)?.sort,
        hint: ['数值小的排在前面', 'Lower numbers come first'],
      }),
    },
    input: asking(asked => asked),
  }),
  batchRate: row(calls.batchRate, ['批量调佣', 'Change rates'], {
    key: 'shift+a',
    takes: 'rows',
    most: GOODS_MOST,
    tells: inAll,
    asks: {
      rate: ask.number({
        label: ['分销佣金（%）', 'Commission (%)'],
        min: 0,
        max: 100,
        places: 2,
        field: 'rate_bp',
        initial: rows => percents(tried(rows)),
        hint: [
          '可先“试算毛利”，查看每个商品的剩余毛利',
          '“Try a rate” first shows what margin each product keeps',
        ],
      }),
      reason,
    },
    input: (rows, { rate, ...more }) => ({ ...idsOf(rows), rate_bp: bpOf(rate), ...more }),
  }),
  export: exportAction(calls.export, ['导出分销商品', 'Export distributed goods'], at),
}
