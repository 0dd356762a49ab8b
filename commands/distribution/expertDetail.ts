import {
  ADJUST_ALONE_CENTS,
  mayDecideAdjust,
  sellerCan,
  sells,
} from '#src/areas/distribution/sellers.ts'
import { yuan } from '#src/domain/money.ts'
import { phoneFault } from '#src/domain/phone.ts'
import type { Text } from '#src/domain/text.ts'
import { expertDetail as calls } from '#src/modules/distribution/contract/expertDetail.ts'
import {
  sellerRow,
  sellersPage as sellers,
  type SellerRow,
} from '#src/modules/distribution/contract/index.ts'
import { ask, byKeyword, recordFinder, type Me, type Told } from '../command.ts'
import { expertDetail as at } from '../pages/distribution.ts'
import { asking, idOf, reason, rowActions } from '../record.ts'

const row = rowActions(at, sellerRow)
const decides = ({ adjust }: SellerRow, me: Me) => mayDecideAdjust(adjust, me.id)
const adjustOf = ([of]: readonly SellerRow[]) => ({
  id: of?.adjust?.id ?? 0,
  version: of?.adjust?.version ?? 0,
})
const waitingTells = ([of]: readonly SellerRow[]): Told | undefined =>
  of?.adjust
    ? [
        ['{maker} 申请调整 {sum} 元：{why}', '{maker} asks to adjust ¥{sum}: {why}'],
        { maker: of.adjust.maker, sum: yuan(of.adjust.amount_cents), why: of.adjust.reason },
        of.adjust.amount_cents,
      ]
    : undefined
const limit = yuan(ADJUST_ALONE_CENTS)
const alone: Text = [
  `超过 ${limit} 元须由另一人复核；扣减超出余额的部分记为欠款`,
  `Beyond ¥${limit} another person approves; what the balance does not hold becomes a debt`,
]
/** What is done on the page of one seller. */
export const expertDetailActions = {
  adjustCommission: row.row(calls.adjustCommission, ['调整佣金', 'Adjust commission'], {
    key: 'a',
    main: true,
    when: of => {
      if (of.kind === 'store')
        return ['分销门店的佣金在商户余额中', 'It lies in the merchant’s balance']
      if (of.adjust) return ['有待复核的调整', 'Adjustment awaiting approval']
      return sellerCan('change', of)
    },
    tells: () => [alone, {}],
    asks: {
      amount: ask.money({
        label: ['金额（元，扣减填负数）', 'Amount (yuan, negative to deduct)'],
        min: -100_000_000,
        max: 100_000_000,
        field: 'amount_cents',
        check: amount => (amount === 0 ? ['金额不能为 0', 'Can’t be 0'] : undefined),
      }),
      reason,
    },
    input: asking(({ amount, reason: why }) => ({ amount_cents: amount, reason: why })),
  }),
  approveAdjust: row.row(calls.approveAdjust, ['通过佣金调整', 'Approve the adjustment'], {
    key: 'e',
    main: true,
    // It is asked once more, as money moves that no key brings back.
    danger: true,
    when: decides,
    tells: waitingTells,
    input: adjustOf,
    takenBack: 'final',
  }),
  rejectAdjust: row.row(calls.rejectAdjust, ['驳回佣金调整', 'Reject the adjustment'], {
    key: 'r',
    danger: true,
    when: decides,
    tells: waitingTells,
    asks: { reason },
    input: (rows, asked) => ({ ...adjustOf(rows), ...asked }),
  }),
  changePhone: row.row(calls.changePhone, ['更换手机号', 'Change the phone'], {
    key: 'p',
    when: of => sellerCan('change', of),
    asks: {
      phone: ask.text({ label: ['新手机号', 'New phone'], max: 30, check: phoneFault }),
      reason,
    },
    input: asking(asked => asked),
  }),
  genPoster: row.row(calls.genPoster, ['生成专属海报', 'Create poster'], {
    key: 'i',
    when: of => sells(of) || ['只有正常的分销员有海报', 'Only active sellers have posters'],
    asks: {
      product: ask.entity({
        label: ['商品', 'Product'],
        find: calls.products,
        labelOf: (of: { title: string }) => of.title,
        field: 'product_id',
        none: ['没有分销中的商品', 'No products are distributed'],
      }),
    },
    input: (rows, { product }) => ({ ...idOf(rows), product_id: product }),
  }),
  export: row.row(calls.export, ['导出业绩明细', 'Export commission'], { key: 'shift+e' }),
}

/** The expert of the page about one, found by name, phone or number. */
export const expertsFound = recordFinder({
  pages: [at],
  hint: ['达人姓名或编号', 'Name or number of an expert'],
  find: sellers.lst,
  asked: words => ({ ...byKeyword(words), kind: 'expert' as const }),
  given: row => ({ type: 'distributor', id: row.id, row }),
  title: row => row.name,
  byId: 'distributor',
})
