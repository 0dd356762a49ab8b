import { sellerCan } from '#src/areas/distribution/sellers.ts'
import { bpOf, yuan } from '#src/domain/money.ts'
import {
  distStoreDetail as calls,
  distStoreRow,
  PRODUCTS_MOST,
  type DistStoreRow,
} from '#src/modules/distribution/contract/distStoreDetail.ts'
import { ask, byKeyword, recordFinder } from '../command.ts'
import { distStoreDetail as at } from '../pages/distribution.ts'
import { asking, one, reason, rowActions } from '../record.ts'

const row = rowActions(at, distStoreRow)
const changes = (of: DistStoreRow) => sellerCan('change', of)
/** What is done on the page of one distributing store. */
export const distStoreActions = {
  settleNow: row.row(calls.settleNow, ['发起结算', 'Settle now'], {
    key: 's',
    main: true,
    when: of => {
      if (of.due_cents <= 0)
        return ['没有已过退款期的佣金', 'No commission is past its refund period']
      return changes(of)
    },
    tells: ([of]) =>
      of && [
        [
          '将 {sum} 元佣金结算到 {merchant} 的商户余额',
          'Settles ¥{sum} of commission to the balance of {merchant}',
        ],
        { sum: yuan(of.due_cents), merchant: of.merchant },
        of.due_cents,
      ],
    input: one,
    takenBack: 'final',
  }),
  setProducts: row.row(calls.setProducts, ['设置可分销商品', 'Set products to sell'], {
    key: 'p',
    main: 'plain',
    when: changes,
    asks: {
      product_ids: ask.entities({
        label: ['商品（不选即全部）', 'Products (empty: all)'],
        max: PRODUCTS_MOST,
        optional: true,
        find: calls.products,
        labelOf: (of: { name: string }) => of.name,
        given: ([of]: readonly DistStoreRow[]) => ({ ...(of && { of_id: of.id }) }),
        initial: ([of]: readonly DistStoreRow[]) => of?.product_ids ?? [],
        named: ([of]: readonly DistStoreRow[]) => of?.product_names,
        none: ['没有其他商户正在分销的商品', 'No other merchant’s products are distributed'],
      }),
    },
    input: asking(({ product_ids }) => ({ product_ids: product_ids ?? [] })),
    takenBack: 'form',
  }),
  setRate: row.row(calls.setRate, ['设置门店佣金', 'Set the rate'], {
    key: 'r',
    when: changes,
    asks: {
      rate: ask.number({
        label: ['比例（%）', 'Rate (%)'],
        min: 0,
        max: 30,
        places: 2,
        optional: true,
        field: 'rate_bp',
        initial: ([of]: readonly DistStoreRow[]) =>
          typeof of?.own_share_bp === 'number' ? of.own_share_bp / 100 : undefined,
        hint: ['留空按商品设置；最高 30%', 'Empty: the product’s rate; up to 30%'],
      }),
      reason,
    },
    input: asking(({ rate, reason: why }) => ({
      rate_bp: rate === undefined ? null : bpOf(rate),
      reason: why,
    })),
  }),
  pause: row.row(calls.pause, ['暂停分销', 'Pause'], {
    key: 'f',
    danger: true,
    when: of => {
      if (of.paused) return ['已暂停分销', 'It is paused']
      return changes(of)
    },
    tells: () => [
      ['不再产生新佣金，已得佣金照常结算', 'No new commission; what was earned is settled'],
      {},
    ],
    asks: { reason },
    input: asking(asked => asked),
  }),
  resume: row.row(calls.resume, ['恢复分销', 'Resume'], {
    key: 'u',
    when: of => {
      if (!of.paused) return ['没有暂停', 'It is not paused']
      if (of.store_status !== 'open') return ['门店没有营业', 'The store is not open']
      return changes(of)
    },
    input: one,
    takenBack: 'opposite',
  }),
  export: row.row(calls.export, ['导出门店分销', 'Export commission'], { key: 'shift+e' }),
}

/** The store of its page, found by name or number. */
export const distStoresFound = recordFinder({
  pages: [at],
  hint: ['分销门店名称或编号', 'Name or number of a store'],
  find: calls.stores,
  asked: byKeyword,
  given: row => ({ type: 'distributor', id: row.id, row: { kind: 'store', ...row } }),
  title: row => row.name,
})
